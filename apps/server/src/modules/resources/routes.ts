import { resourceLocks } from '@portal/contract/resources/locks';
import { resourcePools } from '@portal/contract/resources/pools';
import { resources } from '@portal/contract/resources/resources';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { tableFile } from '../../platform/table-file.ts';
import { getAddressMap } from './map/address-map.ts';
import { getAddressOverview } from './map/address-overview.ts';
import { getDelegation, listDelegations, streamDelegations } from './delegation-list.ts';
import { listHolders } from './holders/holder-history.ts';
import { addLocks, cancelRelease, confirmRelease, confirmStaffRelease, listLocks, listStaffLocks, requestRelease } from './locks.ts';
import { listPoolRanges, releaseRange, reserveRange, setQuarantine } from './pool-ranges.ts';
import { listRegistrations, streamRegistrations } from './registrations.ts';
import { getSummary } from './summary.ts';

/** Columns of the downloads: stable, documented in the README. */
const delegationFile = [
  'resource', 'first', 'last', 'size', 'type', 'statusText', 'status', 'source', 'delegatedOn', 'economy', 'holdUntil', 'used', 'registrations',
] as const; // biome-ignore format: one list
const registrationFile = [
  'resource', 'first', 'last', 'size', 'netname', 'statusText', 'customer', 'visibility', 'economy', 'registeredOn', 'updatedAt', 'level', 'parent',
] as const; // biome-ignore format: one list

export const resourceRoutes: Implementation = implement(resources, {
  getSummary,
  listDelegations,
  getDelegation,
  exportDelegations: async ({ read, account, query }) =>
    tableFile(
      `${account.accountName}-${query.kind}-delegations`,
      query.format,
      delegationFile,
      streamDelegations(read, account.accountName, query),
    ),
  listRegistrations,
  exportRegistrations: async ({ read, account, query }) =>
    tableFile(
      `${account.accountName}-${query.kind}-registrations`,
      query.format,
      registrationFile,
      streamRegistrations(read, account, query),
    ),
  listHolders,
  getAddressMap,
  getAddressOverview,
});

export const lockRoutes: Implementation = implement(resourceLocks, {
  listLocks,
  addLocks,
  requestRelease,
  confirmRelease,
  cancelRelease,
  listStaffLocks,
  confirmStaffRelease,
});

export const poolRoutes: Implementation = implement(resourcePools, {
  listPoolRanges,
  reserveRange,
  releaseRange,
  setQuarantine,
});
