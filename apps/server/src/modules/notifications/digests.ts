import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { type PersonOf, sendMail } from '../mail/index.ts';
import { notificationsTexts } from './mail-texts.ts';

type Digest = 'daily' | 'weekly';
/** Further items are shown in the portal only. */
const LONGEST = 50;

/** Returns when the last period of a digest ended: at midnight UTC, on Mondays for the weekly one. */
export function periodEnd(digest: Digest, now: Date): Date {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  // 1 January 1970 was a Thursday: Mondays are 4 days later.
  return new Date(digest === 'daily' ? midnight : midnight - ((midnight / DAY_MS + 3) % 7) * DAY_MS);
}

/**
 * Mails the due digests: a person's notifications of an ended period that they have not read in the portal. Each person gets one per
 * period, however often and in however many processes this runs.
 */
export async function sendDigests(db: Database, now: Date, personOf: PersonOf): Promise<void> {
  const digests = ['daily', 'weekly'] as const;
  await eachAlone(digests, String, async digest => {
    const until = periodEnd(digest, now).toISOString();
    const due = await db.read
      .selectFrom('notification')
      .select('loginId')
      .distinct()
      .where('digest', '=', digest)
      .where('writtenAt', '<', until)
      .execute();
    await eachAlone(
      due,
      ({ loginId }) => `login ${loginId}`,
      ({ loginId }) => sendDigest(db, { loginId, digest, until, personOf }),
    );
  });
}

async function sendDigest(
  db: Database,
  { loginId, digest, until, personOf }: { loginId: string; digest: Digest; until: string; personOf: PersonOf },
): Promise<void> {
  const line = ownActivity('notifications.digest', `Sent a ${digest} digest`);
  await db.change(line, async change => {
    // A second run waits for the first, and finds the digest done.
    const made = await change
      .insertInto('notificationDigest')
      .values({ loginId, digest, until, madeAt: change.now })
      .onConflict(conflict => conflict.doNothing())
      .returning('loginId')
      .executeTakeFirst();
    if (!made) return;
    const news = await change.rows<{ title: string; readAt: string | null }>(sql`
      with taken as (update notification set digest = null
        where login_id = ${loginId} and digest = ${digest} and written_at < ${until} returning notification_id, title, read_at)
      select title, read_at from taken order by notification_id`);
    const unread = news.filter(({ readAt }) => readAt === null);
    await change.note({ notifications: news.length, unread: unread.length });
    const login = (await personOf(change, loginId))!;
    if (unread.length === 0 || !login.emailVerified || login.disabledAt !== null) return;
    const shown = unread.slice(0, LONGEST).map(({ title }) => `- ${title}`);
    if (unread.length > LONGEST) shown.push(`- and ${unread.length - LONGEST} more`);
    await sendMail(change, {
      topic: 'notifications.digest',
      recipient: login.email,
      recipientName: login.fullName,
      loginId,
      text: notificationsTexts.written(digest === 'daily' ? 'dailyDigest' : 'weeklyDigest', {
        howMany: `${unread.length} ${unread.length === 1 ? 'notification' : 'notifications'}`,
        list: shown.join('\n'),
      }),
      path: '/notifications',
      act: 'Open notifications',
    });
  });
}
