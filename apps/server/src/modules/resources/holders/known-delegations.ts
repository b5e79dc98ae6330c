import { type RawBuilder, sql } from 'kysely';

/**
 * SQL: the changes `c` of all delegations that an account has or had, as the rows of `row_change`. Both are found by indexes, of its delegations and of those that left it: a search for its
 * name in the history reads that of the whole registry. Each is looked up on its own: how few there are, the planner doesn't know.
 */
export const changesOfDelegations = (accountName: string): RawBuilder<unknown> => sql`(
    select c.* from (select delegation_id::text as id from delegation where account_name = ${accountName}
      union select before ->> 'delegation_id' from row_change
      where table_name = 'delegation' and before ->> 'account_name' = ${accountName} and before ->> 'account_name' <> after ->> 'account_name') known
    cross join lateral (select * from row_change r where coalesce(r.after, r.before) ->> 'delegation_id' = known.id and r.table_name = 'delegation' offset 0) c) c`;
