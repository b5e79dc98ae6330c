import { type RawBuilder, sql } from 'kysely';

/**
 * SQL: what an activity did, for the history of numbers. A request says in the account's own lines what was asked and under which number; in a line of another account
 * that would name another member.
 * @param activity the alias of `activity`
 */
export const historyWords = (activity: string, accountName: string): RawBuilder<string> => {
  const of = (column: string) => sql.ref(`${activity}.${column}`);
  return sql`case when ${of('account_name')} = ${accountName} and ${of('details')} ? 'asked'
    then concat(${of('summary')}, ': ', ${of('details')} ->> 'asked', ', ' || (${of('details')} ->> 'request')) else ${of('summary')} end`;
};
