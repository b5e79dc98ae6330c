import { resources } from '@portal/contract/resources/resources';
import { implement } from '../../platform/endpoints.ts';
import { getAddressMap } from './address-map.ts';
import { getAddressOverview } from './address-overview.ts';
import { getDelegation, listDelegations, streamDelegations } from './delegation-list.ts';
import { listRegistrations, streamRegistrations } from './registrations.ts';
import { getSummary } from './summary.ts';
import { tableFile } from '../../platform/table-file.ts';

/** Columns of the downloads: stable, documented in the README. */
const delegationFile = [
  'resource', 'first', 'last', 'size', 'type', 'statusText', 'status', 'source', 'delegatedOn', 'economy', 'holdUntil', 'used', 'registrations',
] as const; // biome-ignore format: one list
const registrationFile = [
  'resource', 'first', 'last', 'size', 'netname', 'statusText', 'customer', 'visibility', 'economy', 'registeredOn', 'updatedAt', 'level', 'parent',
] as const; // biome-ignore format: one list

export const resourceRoutes = implement(resources, {
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
  getAddressMap: ({ read, account, query }) => getAddressMap(read, account, query),
  getAddressOverview: ({ read, account, query }) => getAddressOverview(read, account.accountName, query.kind),
});
