import { mayVote } from '@portal/contract';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { changesOfDelegations } from './known-delegations.ts';

/** The address holdings of a voting account: number of addresses of each family, as decimal text. */
export type VoterHoldings = { accountName: string; nir: boolean; ipv4Addresses: string; ipv6Addresses: string };

/**
 * Returns the holdings of every open account of a voting type, or of one of them: as of the start (UTC) of its last membership anniversary, the day
 * its present term follows
 * (tiers-and-voting, decision 151). What was recorded later counts if it was delegated before. An account without a term has its present holdings.
 */
export async function holdingsOfVoters(read: Pick<Read, 'rows'>, accountName?: string): Promise<VoterHoldings[]> {
  const only = (column: ReturnType<typeof sql>) => (accountName === undefined ? sql`true` : sql`${column} = ${accountName}`);
  const changes = accountName === undefined ? sql`row_change c` : changesOfDelegations(accountName);
  // Names are compared with the one account, and found among all of them by a hash.
  const owners =
    accountName === undefined
      ? sql`cross join lateral (select c.before ->> 'account_name' as name union select c.after ->> 'account_name') owner
          join voter v on v.account_name = owner.name`
      : sql`join voter v on v.account_name in (c.before ->> 'account_name', c.after ->> 'account_name')`;
  const rows = await read.rows<VoterHoldings & { accountType: string }>(sql`
    with voter as materialized (
      select a.account_name, a.account_type, a.nir, (select max(d.day) from (select (a.expiry_date + 1 - make_interval(years => n))::date - 1 as day from generate_series(0, 5) n) d
        where d.day <= (now() at time zone 'UTC')::date) as day
      from account a where a.account_status <> 'closed' and ${only(sql`a.account_name`)}),
    changed as materialized (
      select distinct on (account_name, id) account_name, id, was from (
        select v.account_name, coalesce(c.before, c.after) ->> 'delegation_id' as id, c.activity_id, c.row_change_id,
          coalesce(c.before, case when coalesce((c.after ->> 'delegated_on')::date < v.day, true) then c.after end) as was
        from ${changes} join activity a using (activity_id)
          ${owners}
        where c.table_name = 'delegation' and a.happened_at >= v.day::timestamp at time zone 'UTC') each
      order by account_name, id, activity_id, row_change_id),
    held as (
      select d.account_name, d.kind, d.size from delegation d
      where d.status <> 'closed' and ${only(sql`d.account_name`)}
        and not exists (select from changed c where c.account_name = d.account_name and c.id = d.delegation_id::text)
      union all
      select account_name, was ->> 'kind', (was ->> 'size')::numeric from changed
      where was ->> 'account_name' = account_name and was ->> 'status' <> 'closed')
    select v.account_name, v.account_type, v.nir, coalesce(sum(h.size) filter (where h.kind = 'ipv4'), 0)::text as ipv4_addresses,
      coalesce(sum(h.size) filter (where h.kind = 'ipv6'), 0)::text as ipv6_addresses
    from voter v left join held h using (account_name) group by v.account_name, v.account_type, v.nir order by v.account_name`);
  return rows.filter(({ accountType }) => mayVote(accountType));
}
