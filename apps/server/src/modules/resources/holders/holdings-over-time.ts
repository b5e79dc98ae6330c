import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { changesOfDelegations } from './known-delegations.ts';

/** Holdings of an account from a day on: numbers of addresses and of AS numbers, as decimal text. */
type HeldFrom = { day: string; ipv4: string; ipv6: string; asns: string };

/**
 * Returns what an account held from each day (UTC) on which it changed, the oldest first: the first row sums what it held when the time begins. A delegation counts from the day it was delegated on, or
 * recorded if it came from another holder; until it was closed or left.
 * @param since the first day, ISO 8601
 */
export async function holdingsOverTime(read: Pick<Read, 'rows'>, accountName: string, since: string): Promise<HeldFrom[]> {
  return read.rows<HeldFrom>(sql`
    with turn as (
      select c.before, c.after, c.operation, (y.happened_at at time zone 'UTC')::date as day
      from ${changesOfDelegations(accountName)} join activity y using (activity_id)),
    step as (
      select case when operation = 'INSERT' and after ->> 'source' <> 'transferred' then least(day, (after ->> 'delegated_on')::date) else day end as day,
        after ->> 'kind' as kind,
        case when after ->> 'account_name' = ${accountName} and after ->> 'status' <> 'closed' then (after ->> 'size')::numeric else 0 end
          - case when before ->> 'account_name' = ${accountName} and before ->> 'status' <> 'closed' then (before ->> 'size')::numeric else 0 end as more
      from turn where after is not null),
    summed as (
      select greatest(day, ${since}::date) as day, sum(more) filter (where kind = 'ipv4') as ipv4, sum(more) filter (where kind = 'ipv6') as ipv6,
        sum(more) filter (where kind = 'asn') as asns
      from step where more <> 0 group by 1)
    select day::text as day, coalesce(sum(ipv4) over so_far, 0)::text as ipv4, coalesce(sum(ipv6) over so_far, 0)::text as ipv6,
      coalesce(sum(asns) over so_far, 0)::text as asns
    from summed window so_far as (order by day) order by day`);
}
