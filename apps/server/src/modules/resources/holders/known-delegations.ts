import { type RawBuilder, sql } from 'kysely';

/**
 * SQL: the changes `c` of all delegations that an account has or had, as the rows of `row_change`. Both are found by indexes, of its delegations and of those that left it: a search for its
 * name in the history reads that of the whole registry.
 */
export const changesOfDelegations = (accountName: string): RawBuilder<unknown> => sql`(
    select c.* from (select delegation_id::text as id from delegation where account_name = ${accountName}
      union select before ->> 'delegation_id' from row_change
      where table_name = 'delegation' and before ->> 'account_name' = ${accountName} and before ->> 'account_name' <> after ->> 'account_name') known
    join row_change c on coalesce(c.after, c.before) ->> 'delegation_id' = known.id and c.table_name = 'delegation') c`;
