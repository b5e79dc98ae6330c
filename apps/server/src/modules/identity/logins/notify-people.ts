import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import { type News, notify, type People, type Recipient } from '../../notifications/index.ts';

/** Looks people up for `notifications`, which stores no logins. */
const people: People = {
  loginOfAddress: async (read, email) => {
    const login = await read
      .selectFrom('login')
      .select('loginId')
      .where(sql<string>`lower(email)`, '=', email.toLowerCase())
      .where('emailVerified', '=', true)
      .where('disabledAt', 'is', null)
      .executeTakeFirst();
    return login?.loginId ?? null;
  },
  isErased: async (read, loginId) =>
    (await read.rows(sql`select from erasure where login_id = ${loginId} and state = 'erased'`)).length > 0,
  actor: async change => {
    const [actor] = await change.rows<{ loginId: string }>(sql`
      select l.login_id from activity a left join login_subject s on s.issuer = a.login_issuer and s.subject = a.login_subject
      join login l on l.login_id = coalesce(s.login_id, a.login_subject) where a.activity_id = ${change.activityId}`);
    return actor?.loginId ?? null;
  },
};

/**
 * Notifies people, in the portal and by e-mail as each prefers: calls `notify` of the module `notifications` with
 * the people and the author of the change. Call it in the change that makes the news.
 */
export const notifyPeople = (change: Change, news: News, recipients: readonly Recipient[]): Promise<void> =>
  notify(change, news, recipients, people);
