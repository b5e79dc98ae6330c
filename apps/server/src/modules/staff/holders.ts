import type { AnswerOf, QueryOf } from '@portal/contract';
import type { staff } from '@portal/contract/staff/staff';
import { sql } from 'kysely';
import { accountsMatching } from '../accounts/index.ts';
import type { Read } from '../../platform/database/index.ts';
import { columnsOf, findPools, searchedResource } from '../resources/index.ts';

type Answer = AnswerOf<typeof staff.findHolders>;
type Hit = Answer['hits'][number];

/**
 * Holders over all accounts. A prefix, address, range or AS number finds the delegation around it, those inside it, and pools; anything else is
 * searched in account and organisation names, those that begin with it first. A bare number may be either. A page at a time.
 */
export async function findHolders({
  read,
  query: { q: text, offset, limit },
}: {
  read: Read;
  query: QueryOf<typeof staff.findHolders>;
}): Promise<Answer> {
  const sought = searchedResource(text);
  // As many of each sort as fit on a page, so that the page is complete in any mix.
  const most = offset + limit + 1;
  const answerOf = (hits: Hit[]): Answer => ({ hits: hits.slice(offset, offset + limit), more: hits.length > offset + limit });
  const byName = sought && !/^\s*\d+\s*$/.test(text) ? [] : await findByName(read, text.trim(), most);
  if (!sought) return answerOf(byName);
  const { kind, first, last, firstAs, lastAs } = columnsOf(sought);
  // Active delegations are disjoint: at most one begins before the searched range, all others inside it.
  const where =
    kind === 'asn'
      ? sql`d.kind = 'asn' and d.last_as >= ${firstAs} and d.first_as <= ${lastAs} and d.first_as >= coalesce((select o.first_as from delegation o
          where o.kind = 'asn' and o.status <> 'closed' and o.first_as <= ${firstAs} order by o.first_as desc limit 1), ${firstAs})`
      : sql`d.kind <> 'asn' and d.last >= ${first}::inet and d.first <= ${last}::inet and d.first >= coalesce((select o.first from delegation o
          where o.kind <> 'asn' and o.status <> 'closed' and o.first <= ${first}::inet order by o.first desc limit 1), ${first}::inet)`;
  const [delegated, pools] = await Promise.all([
    read.rows<Hit>(sql`
      select a.account_name, org_name, account_type, account_status, a.economy, kind, resource, null as pool
      from delegation d join account a using (account_name) where d.status <> 'closed' and ${where}
      order by ${kind === 'asn' ? sql`d.first_as` : sql`d.first`} limit ${most}`),
    findPools(read, sought, most),
  ]);
  const free = pools.map(({ kind: of, resource, state }): Hit => ({ ...nobody, kind: of, resource, pool: state }));
  return answerOf([...delegated, ...free, ...byName]);
}

const nobody = { accountName: '', orgName: '', accountType: '', accountStatus: '', economy: null };

async function findByName(read: Read, text: string, most: number): Promise<Hit[]> {
  const found = await accountsMatching(read, text, most);
  return found.map(account => ({ ...account, kind: null, resource: null, pool: null }));
}
