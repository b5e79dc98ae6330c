import type { Announcement, AnnouncementCategory } from '@portal/contract/announcements/announcement-shapes';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { type Happening, happening } from './happening.ts';

/** An announcement that anyone may read. */
export type PublicAnnouncement = Pick<
  Announcement,
  'announcementId' | 'category' | 'severity' | 'title' | 'body' | 'publishedAt' | 'expiresAt'
> &
  Happening;

/** Returns announcements for everyone that were published, the newest first. @param categories only these; empty: all */
export const publicAnnouncements = (
  read: Pick<Read, 'rows'>,
  { now, categories = [], limit }: { now: Date; categories?: readonly AnnouncementCategory[]; limit: number },
): Promise<PublicAnnouncement[]> =>
  read.rows<PublicAnnouncement>(sql`
    select a.announcement_id::text as announcement_id, a.category, a.severity, a.title, a.body, a.publish_at as published_at, a.expires_at,
      ${happening} from announcement a
    where audience = 'all' and withdrawn_at is null and publish_at <= ${now.toISOString()}::timestamptz
      and (${categories.length === 0} or category = any(${[...categories]}::text[]))
    order by publish_at desc, announcement_id desc limit ${limit}`);
