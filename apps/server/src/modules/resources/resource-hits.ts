import { recordAddress } from '@portal/contract/records/record-address';
import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { columnsOf } from './ledger-columns.ts';
import { maySeePrivate } from './registrations.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { searchedResource } from './search-text.ts';

type Row = { kind: NonNullable<SearchHit['kind']>; resource: string; netname: string | null; status: string };

/** Returns the account’s resources that match a text, those around a prefix, address or AS number, the most specific first, then those inside it, the largest first; otherwise those spelled like it, the largest first. */
export const findResources: Find = async ({ read, account, text, most }) => {
  if (!account.permissions.has('resources-view')) return [];
  const pattern = containsPattern(text.trim());
  const sought = searchedResource(text);
  const { kind, first, last, firstAs, lastAs, size } = sought
    ? columnsOf(sought)
    : { kind: null, first: null, last: null, firstAs: null, lastAs: null, size: null };
  const numbers = sql`(kind = ${kind} and (first <= ${last}::inet and last >= ${first}::inet))`;
  // The beginning of an address stands for a large prefix: of what lies in it the delegation is meant sooner than the smallest network.
  const bySize = sql`case when size >= ${size}::numeric then 0 else 1 end, case when size >= ${size}::numeric then size else -size end`;
  const rows = await read.rows<Row>(sql`
    select kind, resource, netname, status from (
      (select kind, resource, null as netname, upper(type) || case when kind = 'asn' then '' when portable then ' PORTABLE' else ' NON-PORTABLE' end as status, size from delegation
      where account_name = ${account.accountName} and status <> 'closed' and (resource ilike ${pattern} or ${numbers}
        or (kind = 'asn' and ${kind}::text = 'asn' and first_as <= ${lastAs}::bigint and last_as >= ${firstAs}::bigint)) order by ${bySize}, first, first_as limit ${most})
      union all
      (select kind, resource, netname, upper(type) || ' NON-PORTABLE', size from assignment
      where account_name = ${account.accountName} and (resource ilike ${pattern} or netname ilike ${pattern} or customer ilike ${pattern} or ${numbers})
        and (visibility = 'public' or ${maySeePrivate(account)}) order by ${bySize}, first limit ${most})
    ) hit order by ${bySize}, resource limit ${most}`);
  return rows.map(({ kind: of, resource, netname, status }) => ({
    section: 'resources',
    kind: of,
    text: resource,
    link: recordAddress(resource),
    note: netname === null ? status : `${netname}, ${status}`,
  }));
};
