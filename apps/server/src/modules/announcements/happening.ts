import type { AnnouncementUpdate } from '@portal/contract/announcements/announcement-shapes';
import type { ServiceName } from '@portal/contract/service-names';
import { type RawBuilder, sql } from 'kysely';

/** Columns of {@link happening}. */
export type Happening = {
  happensFrom: string | null;
  happensUntil: string | null;
  services: ServiceName[];
  concerns: string[];
  updates: AnnouncementUpdate[];
};

/** SQL: when the incident or work of announcement `a` happens, what it is about, and its updates, the newest first. */
export const happening: RawBuilder<Happening> = sql<Happening>`a.happens_from, a.happens_until, a.services, a.concerns,
  coalesce((select jsonb_agg(jsonb_build_object('stage', u.stage, 'text', u.text, 'at', to_char(u.written_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by u.place desc)
    from announcement_update u where u.announcement_id = a.announcement_id), '[]') as updates`;
