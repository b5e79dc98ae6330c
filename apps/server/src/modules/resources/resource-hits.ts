import { recordAddress } from '@portal/contract/records/record-address';
import type { SearchHit } from '@portal/contract/search/search';
import { sql } from 'kysely';
import type { Find } from '../../platform/module.ts';
import { columnsOf } from './ledger-columns.ts';
import { maySeePrivate } from './registrations.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { searchedResource } from './search-text.ts';

type Row = { kind: NonNullable<SearchHit['kind']>; resource: string; netname: string | null; status: string };

/**
 * Returns the account’s resources that match a text: those around a prefix, address or AS number, the most specific first, then those inside it, the largest first; otherwise
 * those spelled like it, the largest first.
 */
export const findResources: Find = async ({ read, account, text, most }) => {
  if (!account.permissions.has('resources-view')) return [];
  const pattern = containsPattern(text.trim());
  const sought = searchedResource(text);
  const { kind, first, last, firstAs, lastAs } = sought
    ? columnsOf(sought)
    : { kind: null, first: null, last: null, firstAs: null, lastAs: null };
  const numbers = sql`(kind = ${kind} and (first <= ${last}::inet and last >= ${first}::inet))`;
  const around = sql`coalesce(kind = ${kind}::text and first <= ${first}::inet and last >= ${last}::inet, false)`;
  // Of what lies in it, or is spelled like the beginning of an address, the delegation is meant sooner than the smallest network.
  const rank = sql`case when ${around} then 0 else 1 end as place, case when ${around} then size else -size end as rank`;
  const rows = await read.rows<Row>(sql`
    select kind, resource, netname, status from (
      (select kind, resource, null as netname, initcap(type) || case when kind = 'asn' then '' when portable then ' portable' else ' non-portable' end as status, ${rank} from delegation
      where account_name = ${account.accountName} and status <> 'closed' and (resource ilike ${pattern} or ${numbers}
        or (kind = 'asn' and ${kind}::text = 'asn' and first_as <= ${lastAs}::bigint and last_as >= ${firstAs}::bigint)) order by place, rank, first, first_as limit ${most})
      union all
      (select kind, resource, netname, initcap(type) || ' non-portable', ${rank} from assignment
      where account_name = ${account.accountName} and (resource ilike ${pattern} or netname ilike ${pattern} or customer ilike ${pattern} or ${numbers})
        and (visibility = 'public' or ${maySeePrivate(account)}) order by place, rank, first limit ${most})
    ) hit order by place, rank, resource limit ${most}`);
  return rows.map(({ kind: of, resource, netname, status }) => ({
    section: 'resources',
    kind: of,
    text: resource,
    link: recordAddress(resource),
    note: netname === null ? status : `${netname}, ${status}`,
  }));
};
