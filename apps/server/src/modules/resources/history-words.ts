import { type RawBuilder, sql } from 'kysely';

/**
 * SQL: what an activity did, for the history of numbers. A request says in the account's own lines what was asked and under which number; in a line of another account
 * that would name another member.
 * The activity is `y`.
 */
export const historyWords = (
  accountName: string,
): RawBuilder<string> => sql`case when y.account_name = ${accountName} and y.details ? 'asked'
    then concat(y.summary, ': ', y.details ->> 'asked', ', ' || (y.details ->> 'request')) else y.summary end`;
