import type { AnswerOf } from '@portal/contract';
import { recordAddress } from '@portal/contract/records/record-address';
import type { resources } from '@portal/contract/resources/resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import { columnsOf } from './ledger-columns.ts';
import { maySeePrivate } from './registrations.ts';
import { anywhere } from '../../platform/search-text.ts';
import { searchedResource } from './search-text.ts';

type Hit = AnswerOf<typeof resources.findResources>[number];
type Row = { kind: Hit['kind']; resource: string; netname: string | null; status: string };

const MOST = 8;

/** Returns the account's resources that a text means, most specific first: those around or inside a prefix, address or AS number, else those spelled so. */
export async function findResources(read: Read, account: AdmittedAccount, text: string): Promise<Hit[]> {
  const pattern = anywhere(text.trim());
  const sought = searchedResource(text);
  const { kind, first, last, firstAs, lastAs } = sought
    ? columnsOf(sought)
    : { kind: null, first: null, last: null, firstAs: null, lastAs: null };
  const numbers = sql`(kind = ${kind} and (first <= ${last}::inet and last >= ${first}::inet))`;
  const rows = await read.rows<Row>(sql`
    select kind, resource, netname, status from (
      (select kind, resource, null as netname, upper(type) || case when kind = 'asn' then '' when portable then ' PORTABLE' else ' NON-PORTABLE' end as status, size from delegation
      where account_name = ${account.accountName} and status <> 'closed' and (resource ilike ${pattern} or ${numbers}
        or (kind = 'asn' and ${kind}::text = 'asn' and first_as <= ${lastAs}::bigint and last_as >= ${firstAs}::bigint)) order by size, first, first_as limit ${MOST})
      union all
      (select kind, resource, netname, upper(type) || ' NON-PORTABLE', size from assignment
      where account_name = ${account.accountName} and (resource ilike ${pattern} or netname ilike ${pattern} or customer ilike ${pattern} or ${numbers})
        and (visibility = 'public' or ${maySeePrivate(account)}) order by size, first limit ${MOST})
    ) hit order by size, resource limit ${MOST}`);
  return rows.map(({ kind: of, resource, netname, status }) => ({
    kind: of,
    resource,
    link: recordAddress(resource),
    note: netname === null ? status : `${netname}, ${status}`,
  }));
}
