import type { Announcement, AnnouncementCategory, StaffAnnouncement } from '@portal/contract/announcements/announcement-shapes';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** An announcement that anyone may read. */
export type PublicAnnouncement = Pick<
  Announcement,
  'announcementId' | 'category' | 'severity' | 'title' | 'body' | 'publishedAt' | 'expiresAt'
> &
  Pick<StaffAnnouncement, 'happensFrom' | 'happensUntil' | 'concerns'>;

/** Returns announcements for everyone that were published, the newest first. @param categories only these; empty: all */
export const publicAnnouncements = (
  read: Pick<Read, 'rows'>,
  { now, categories = [], limit }: { now: Date; categories?: readonly AnnouncementCategory[]; limit: number },
): Promise<PublicAnnouncement[]> =>
  read.rows<PublicAnnouncement>(sql`
    select announcement_id::text as announcement_id, category, severity, title, body, publish_at as published_at, expires_at,
      happens_from, happens_until, concerns from announcement
    where audience = 'all' and withdrawn_at is null and publish_at <= ${now.toISOString()}::timestamptz
      and (${categories.length === 0} or category = any(${[...categories]}::text[]))
    order by publish_at desc, announcement_id desc limit ${limit}`);
