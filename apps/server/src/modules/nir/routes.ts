import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirEntities } from '@portal/contract/nir/entities';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import { tableFile } from '../../platform/table-file.ts';
import { delegationLinesApart, importNirDelegations } from './delegation-import.ts';
import { listNirDelegations, streamNirDelegations } from './delegation-list.ts';
import { addNirDelegation, previewNirDelegation, returnNirDelegation } from './delegations.ts';
import { addEntity, changeEntity, deleteEntity, entityRow, getEntity, listEntities, mergeEntity, unmergeEntity } from './entities.ts';
import { entityLinesApart, importEntities } from './entity-import.ts';
import { pushToWhois } from './entity-whois.ts';
import { listNirFreeSpace } from './free-space.ts';
import { moveNirDelegations } from './moves.ts';
import {
  addSubaccount,
  type CountRequests,
  changeSubaccount,
  closeSubaccount,
  getSubaccount,
  listSubaccounts,
  reopenSubaccount,
} from './subaccounts.ts';

/** Columns of the file: a promise to scripts. */
const fileColumns = ['resource', 'kind', 'size', 'type', 'netname', 'subaccount', 'entity', 'pool', 'delegatedOn'] as const;

export const nirRoutes = ({ profile, config, modules }: Pick<RouteContext, 'profile' | 'config' | 'modules'>): Implementation[] => {
  const writing = { profile, limits: config };
  const countRequests: CountRequests = async (read, subaccountId) => {
    let count = 0;
    for (const { countSubaccountRequests } of modules) count += (await countSubaccountRequests?.(read, subaccountId)) ?? 0;
    return count;
  };
  return [
    implement(nirEntities, {
      listEntities,
      getEntity,
      addEntity,
      changeEntity,
      importEntities: afterReading(
        call => entityLinesApart(senderOf(call), call.body.csv, 'csv'),
        ({ change, account, body }, lines) => importEntities(change, account.accountName, lines, body),
      ),
      deleteEntity,
      mergeEntity,
      unmergeEntity,
      pushEntity: async ({ change, account, params }) => {
        await pushToWhois(change, account, await entityRow(change, account.accountName, params.entityId), writing);
        return getEntity({ read: change, account, params, registry: { profile } });
      },
    }),
    implement(nirSubaccounts, {
      listSubaccounts,
      getSubaccount: ({ read, account, params }) => getSubaccount(read, account.accountName, params.subaccountId, countRequests),
      addSubaccount: ({ change, account, body }) => addSubaccount(change, account.accountName, body, countRequests),
      changeSubaccount: ({ change, account, params, body }) =>
        changeSubaccount(change, account.accountName, params.subaccountId, body, countRequests),
      closeSubaccount: ({ change, account, params }) => closeSubaccount(change, account.accountName, params.subaccountId, countRequests),
      reopenSubaccount: ({ change, account, params }) => reopenSubaccount(change, account.accountName, params.subaccountId, countRequests),
    }),
    implement(nirDelegations, {
      listNirDelegations,
      exportNirDelegations: async ({ read, account, query }) =>
        tableFile(
          `${account.accountName}-${query.kind}-sub-accounts`,
          query.format,
          fileColumns,
          streamNirDelegations(read, account.accountName, query),
        ),
      listNirFreeSpace,
      previewNirDelegation,
      addNirDelegation,
      returnNirDelegation,
      importNirDelegations: afterReading(
        call => delegationLinesApart(senderOf(call), call.body.csv, 'csv'),
        ({ change, account, body }, lines) => importNirDelegations(change, account, lines, body, writing),
      ),
      moveNirDelegations: ({ change, account, body }) => moveNirDelegations(change, account, body, writing, countRequests),
    }),
  ];
};
