import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { isFor } from './audience.ts';
import { keepAccounts } from './desk-announcements.ts';

/** Number of people notified in one change. */
const AT_ONCE = 200;

type Due = { title: string; body: string; notifiedTo: string } & Pick<AnnouncementValues, 'audience' | 'resources' | 'economies' | 'kinds'>;

/**
 * Notifies the audience of published announcements, some at a time in the order of their logins, so that it can continue after an interruption.
 * @returns how many people were notified
 */
export async function notifyOfAnnouncements(db: Database, now: Date): Promise<number> {
  const at = now.toISOString();
  let notified = 0;
  for (;;) {
    const [due] = await db.read.rows<{ id: number }>(sql`
      select announcement_id::int as id from announcement where notified_at is null and withdrawn_at is null and publish_at <= ${at}::timestamptz
      order by publish_at, announcement_id limit 1`);
    if (!due) return notified;
    notified += await db.change(ownActivity('announcements.notify', 'Notified people of an announcement'), async change => {
      const [row] = await change.rows<Due>(sql`
        select title, body, notified_to, audience, resources, economies, kinds from announcement where announcement_id = ${due.id} and notified_at is null and withdrawn_at is null for no key update`);
      if (!row) return 0;
      // Resources change hands while an announcement waits for its time.
      if (row.audience === 'resources' && row.notifiedTo === '') await keepAccounts(change, due.id, row);
      const people = await change.rows<{ loginId: string; fullName: string; email: string }>(sql`
        select l.login_id, l.full_name, l.email from login l, announcement a where a.announcement_id = ${due.id} and l.disabled_at is null
          and l.login_id > ${row.notifiedTo} and ${isFor(sql`l.login_id`)} order by l.login_id limit ${AT_ONCE}`);
      const news = {
        topic: 'announcements.news',
        accountName: null,
        subject: row.title,
        body: row.body.split(/\n{2,}/),
        path: `/announcements?announcement=${due.id}`,
        act: 'View the announcement',
      } as const;
      for (const person of people) await notifyPeople(change, news, [person]);
      await change
        .updateTable('announcement')
        .set({ notifiedTo: people.at(-1)?.loginId ?? row.notifiedTo, notifiedAt: people.length < AT_ONCE ? change.now : null })
        .where('announcementId', '=', due.id)
        .execute();
      await change.note({ announcement: row.title, people: people.length });
      return people.length;
    });
  }
}
