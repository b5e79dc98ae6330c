import type { AnnouncementValues } from '@portal/contract/announcements/announcement-values';
import { type ServiceName, servicesInWords } from '@portal/contract/service-names';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, eachAttempted, type RowFailure, RowsFailed } from '../../platform/each-alone.ts';
import { notifyPeople } from '../identity/index.ts';
import { isFor } from './audience.ts';
import { keepAccounts } from './desk-announcements.ts';
import { announcementsTexts } from './mail-texts.ts';

/** Number of people notified in one change. */
const AT_ONCE = 200;

type Due = { title: string; body: string; services: ServiceName[]; notifiedTo: string } & Pick<
  AnnouncementValues,
  'audience' | 'resources' | 'economies' | 'kinds'
>;

/**
 * Notifies the audience of published announcements, some at a time in the order of their logins, so that it can continue after an interruption. A person who can't be notified is
 * passed over.
 * @returns how many people were notified
 * @throws {RowsFailed} after the last one, naming people and announcements that failed
 */
export async function notifyOfAnnouncements(db: Database, now: Date): Promise<number> {
  const due = await db.read.rows<{ id: number }>(sql`
    select announcement_id::int as id from announcement where notified_at is null and withdrawn_at is null and publish_at <= ${now.toISOString()}::timestamptz
    order by publish_at, announcement_id`);
  let notified = 0;
  const notifyAll = async ({ id }: { id: number }): Promise<void> => {
    const failures: RowFailure[] = [];
    for (let isLast = false; !isLast; ) {
      const some = await db.change(ownActivity('announcements.notify', 'Notified people of an announcement'), change =>
        notifySome(change, id),
      );
      notified += some.notified;
      failures.push(...some.failures);
      isLast = some.isLast;
    }
    if (failures.length > 0) throw new RowsFailed(failures);
  };
  await eachAlone(due, ({ id }) => `announcement ${id}`, notifyAll);
  return notified;
}

/** Notifies the next people of an announcement. */
async function notifySome(change: Change, id: number): Promise<{ notified: number; failures: readonly RowFailure[]; isLast: boolean }> {
  const [row] = await change.rows<Due>(sql`
    select title, body, services, notified_to, audience, resources, economies, kinds from announcement where announcement_id = ${id} and notified_at is null and withdrawn_at is null for no key update`);
  if (!row) return { notified: 0, failures: [], isLast: true };
  // Resources change hands while an announcement waits for its time.
  if (row.audience === 'resources' && row.notifiedTo === '') await keepAccounts(change, id, row);
  const people = await change.rows<{ loginId: string; fullName: string; email: string }>(sql`
    select l.login_id, l.full_name, l.email from login l, announcement a where a.announcement_id = ${id} and l.disabled_at is null
      and l.login_id > ${row.notifiedTo} and ${isFor(sql`l.login_id`)} order by l.login_id limit ${AT_ONCE}`);
  const affected = row.services.length > 0 ? [`Affected services: ${servicesInWords(row.services)}.`] : [];
  const news = {
    topic: 'announcements.news',
    accountName: null,
    text: announcementsTexts.written('news', { title: row.title, body: [...affected, ...row.body.split(/\n{2,}/)].join('\n\n') }),
    path: `/announcements?announcement=${id}`,
    act: 'View the announcement',
  } as const;
  const failures = await eachAttempted(
    change,
    people,
    ({ loginId }) => `login ${loginId}`,
    person => notifyPeople(change, news, [person]),
  );
  const isLast = people.length < AT_ONCE;
  await change
    .updateTable('announcement')
    .set({ notifiedTo: people.at(-1)?.loginId ?? row.notifiedTo, notifiedAt: isLast ? change.now : null })
    .where('announcementId', '=', id)
    .execute();
  const notified = people.length - failures.length;
  await change.note({ announcement: row.title, people: notified, ...(failures.length > 0 && { failed: failures.map(each => each.row) }) });
  return { notified, failures, isLast };
}
