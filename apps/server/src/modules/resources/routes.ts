import { resourceLocks } from '@portal/contract/resources/locks';
import { resourcePools } from '@portal/contract/resources/pools';
import { resources } from '@portal/contract/resources/resources';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { exportDelegations, getDelegation, listDelegations } from './delegation-list.ts';
import { listHolders } from './holders/holder-history.ts';
import { addLocks, cancelRelease, confirmRelease, confirmStaffRelease, listLocks, listStaffLocks, requestRelease } from './locks.ts';
import { getAddressMap } from './map/address-map.ts';
import { getAddressOverview } from './map/address-overview.ts';
import { getPoolMap, listPoolRanges, releaseRange, reserveRange, setQuarantine } from './pool-ranges.ts';
import { exportRegistrations, listRegistrations } from './registrations.ts';
import { getSummary } from './summary.ts';

export const resourcesRoutes: readonly Implementation[] = [
  implement(resources, {
    getSummary,
    listDelegations,
    getDelegation,
    exportDelegations,
    listRegistrations,
    exportRegistrations,
    listHolders,
    getAddressMap,
    getAddressOverview,
  }),
  implement(resourceLocks, {
    listLocks,
    addLocks,
    requestRelease,
    confirmRelease,
    cancelRelease,
    listStaffLocks,
    confirmStaffRelease,
  }),
  implement(resourcePools, {
    listPoolRanges,
    getPoolMap,
    reserveRange,
    releaseRange,
    setQuarantine,
  }),
];
