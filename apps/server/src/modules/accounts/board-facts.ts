import { sql } from 'kysely';
import { type BoardFactsOf, endOf, isIn } from '../../platform/board-facts.ts';

/**
 * Members of a period. Accounts are as they were at its end: those that changed since as they were before their first change, and those that were added since only where
 * they were members by then already.
 */
export const memberFacts: BoardFactsOf = async (read, days, { profile: { timeZone } }) => {
  const isMember = sql`account_status in ('open', 'suspended') and account_type <> 'rir'`;
  const [row] = await read.rows<{ members: number; suspended: number; joined: number; economies: number; closed: number }>(sql`
    with changed as (
      select distinct on (name) name, was from (
        select coalesce(c.before, c.after) ->> 'account_name' as name, c.activity_id, c.row_change_id,
          coalesce(c.before, case when (c.after ->> 'member_since')::date <= ${days.to}::date then c.after end) as was
        from row_change c join activity a using (activity_id) where c.table_name = 'account' and a.happened_at >= ${endOf(days, timeZone)}) each
      order by name, activity_id, row_change_id),
    then_so as (
      select account_name, account_status, account_type, economy, member_since from account where account_name not in (select name from changed)
      union all select name, was ->> 'account_status', was ->> 'account_type', was ->> 'economy', (was ->> 'member_since')::date from changed where was is not null),
    member as (select * from then_so where ${isMember} and (member_since is null or member_since <= ${days.to}::date)),
    closed as (
      select distinct c.after ->> 'account_name' as name from row_change c join activity a using (activity_id)
      where c.table_name = 'account' and c.operation = 'UPDATE' and c.before ->> 'account_status' in ('open', 'suspended') and c.after ->> 'account_status' = 'closed'
        and ${isIn(sql`a.happened_at`, days, timeZone)})
    select (select count(*) from member)::int as members, (select count(*) from member where account_status = 'suspended')::int as suspended,
      (select count(*) from then_so where account_type <> 'rir' and member_since between ${days.from}::date and ${days.to}::date)::int as joined,
      (select count(distinct economy) from member)::int as economies, (select count(*) from closed)::int as closed`);
  const { members, suspended, joined, economies, closed } = row!;
  const count = (name: string, number: number) => ({ name, unit: 'count' as const, value: String(number) });
  return [
    count('Members at the end', members),
    count('Of these suspended', suspended),
    count('Economies with a member', economies),
    count('Members that joined', joined),
    count('Accounts closed', closed),
  ];
};
