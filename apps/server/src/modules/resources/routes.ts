import { resourceLocks } from '@portal/contract/resources/locks';
import { resourcePools } from '@portal/contract/resources/pools';
import { resources } from '@portal/contract/resources/resources';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { tableFile } from '../../platform/table-file.ts';
import type { Profile } from '../../profile.ts';
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

export const resourceRoutes = ({ profile }: { profile: Profile }): Implementation =>
  implement(resources, {
    getSummary: ({ read, account }) => getSummary(read, account.accountName),
    listDelegations: ({ read, account, query }) => listDelegations(read, account.accountName, query),
    getDelegation: ({ read, account, params }) => getDelegation(read, account.accountName, params.delegationId),
    exportDelegations: async ({ read, account, query }) =>
      tableFile(
        `${account.accountName}-${query.kind}-delegations`,
        query.format,
        delegationFile,
        streamDelegations(read, account.accountName, query),
      ),
    listRegistrations: ({ read, account, query }) => listRegistrations(read, account, query),
    exportRegistrations: async ({ read, account, query }) =>
      tableFile(
        `${account.accountName}-${query.kind}-registrations`,
        query.format,
        registrationFile,
        streamRegistrations(read, account, query),
      ),
    listHolders: ({ read, account, query }) => listHolders(read, account.accountName, query, profile.statisticsRegistry),
    getAddressMap: ({ read, account, query }) => getAddressMap(read, account, query),
    getAddressOverview: ({ read, account, query }) => getAddressOverview(read, account.accountName, query.kind),
  });

export const lockRoutes = ({ profile, clock }: { profile: Profile; clock: () => Date }): Implementation => {
  const deps = () => ({ now: clock(), delayHours: profile.lockReleaseHours });
  return implement(resourceLocks, {
    listLocks: ({ read, account, caller }) => listLocks(read, account.accountName, caller.loginId, deps()),
    addLocks: ({ change, account, body, caller }) => addLocks(change, account, body, caller, deps()),
    requestRelease: ({ change, account, params, caller }) => requestRelease(change, account, params.lockId, caller, deps()),
    confirmRelease: ({ change, account, params, caller }) => confirmRelease(change, account, params.lockId, caller, deps()),
    cancelRelease: ({ change, account, params, caller }) => cancelRelease(change, account, params.lockId, caller, deps()),
    listStaffLocks: ({ read, params, caller }) => listStaffLocks(read, params.accountName, caller.loginId, deps()),
    confirmStaffRelease: ({ change, params, caller }) => confirmStaffRelease(change, params.lockId, caller, deps()),
  });
};

export const poolRoutes = ({ profile, clock }: { profile: Profile; clock: () => Date }): Implementation => {
  const when = () => ({ now: clock(), timeZone: profile.timeZone });
  return implement(resourcePools, {
    listPoolRanges: ({ read, params, query }) => listPoolRanges(read, params.kind, query),
    reserveRange: ({ change, body }) => reserveRange(change, body, when()),
    releaseRange: ({ change, body }) => releaseRange(change, body),
    setQuarantine: ({ change, body }) => setQuarantine(change, body, when()),
  });
};
