import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import type { Announcement } from '@portal/contract/announcements/announcement-shapes';
import type { announcements } from '@portal/contract/announcements/announcements';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { countTextsToAccept } from '../legal/index.ts';
import { isFor } from './audience.ts';
import { happening } from './happening.ts';

/** An announcement that has ended, or never will. */
const isCurrent = (now: string): RawBuilder<boolean> => sql<boolean>`(a.expires_at is null or a.expires_at > ${now}::timestamptz)`;

/** Announcements that a person is shown, the newest first, where a condition on `a` holds. */
export function readFor(read: Read, loginId: string, now: string, where: RawBuilder<unknown>, limit: number): Promise<Announcement[]> {
  return read.rows<Announcement>(sql`
    select a.announcement_id::text as announcement_id, a.category, a.severity, a.title, a.body, a.publish_at as published_at, a.expires_at,
      ${isCurrent(now)} as current, a.requires_ack, r.acknowledged_at, ${happening},
      coalesce((select array_agg(distinct n.account_name order by n.account_name) from announcement_account n join contact c using (account_name)
        where n.announcement_id = a.announcement_id and c.login_id = ${loginId} and c.status = 'active'), '{}') as affects
    from announcement a left join announcement_reader r on r.announcement_id = a.announcement_id and r.login_id = ${loginId}
    where a.publish_at <= ${now}::timestamptz and a.withdrawn_at is null and ${where} and ${isFor(sql`${loginId}`)}
    order by a.publish_at desc, a.announcement_id desc limit ${limit}`);
}

/** Announcements for a person, the newest first, a page at a time. */
export async function listAnnouncements({
  read,
  caller: { loginId },
  query: { current, before, limit },
  registry: { now },
}: Act<typeof announcements.listAnnouncements>): Promise<AnswerOf<typeof announcements.listAnnouncements>> {
  const at = now.toISOString();
  const older =
    before === undefined
      ? sql`true`
      : sql`(a.publish_at, a.announcement_id) < (select b.publish_at, b.announcement_id from announcement b where b.announcement_id = ${before})`;
  const rows = await readFor(read, loginId, at, sql`${older} and ${current === 'true' ? isCurrent(at) : sql`true`}`, limit + 1);
  return { rows: rows.slice(0, limit), next: rows.length > limit ? Number(rows[limit - 1]!.announcementId) : null };
}

/** Maximum number of banners at a time. */
const MAX_BANNERS = 5;

/** Returns the announcements on every page of a person: warnings, and those that have to be acknowledged, the most severe first, and how many legal texts wait for them. */
export async function listBanners({
  read,
  caller: { loginId },
  registry: { now },
}: Act<typeof announcements.listBanners>): Promise<AnswerOf<typeof announcements.listBanners>> {
  const at = now.toISOString();
  const rows = await readFor(
    read,
    loginId,
    at,
    sql`${isCurrent(at)} and r.acknowledged_at is null and (a.severity <> 'info' or a.requires_ack)`,
    50,
  );
  const rank = { critical: 0, warning: 1, info: 2 } as const;
  return {
    rows: rows.toSorted((a, b) => rank[a.severity] - rank[b.severity]).slice(0, MAX_BANNERS),
    texts: await countTextsToAccept(read, loginId, now),
  };
}

/** Records that a person acknowledged an announcement, once. @throws Failure NOT_FOUND */
export async function acknowledgeAnnouncement({
  change,
  caller: { loginId },
  params: { announcementId },
}: Act<typeof announcements.acknowledgeAnnouncement>): Promise<Announcement> {
  const id = numberOf(announcementId);
  const found = () => readFor(change, loginId, change.now, sql`a.announcement_id = ${id}`, 1);
  if (!(await found())[0]) throw noAnnouncement();
  await change
    .insertInto('announcementReader')
    .values({ announcementId: id, loginId, acknowledgedAt: change.now })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const [row] = await found();
  await change.note({ announcement: row!.title });
  return row!;
}

export const noAnnouncement = () => refuse('NOT_FOUND', { what: 'The announcement' });

/** Parses a number in a path; anything else isn't an announcement. */
export function numberOf(announcementId: string): number {
  if (!isRowId(announcementId)) throw noAnnouncement();
  return Number(announcementId);
}
