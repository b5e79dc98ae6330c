import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** A version that anyone may read: in force, or before. Those to come are public once they are confirmed. */
export type PublicText = {
  text: string;
  version: number;
  title: string;
  changes: string;
  body: string;
  validFrom: string;
  hasBegun: boolean;
};

const select = (now: string): RawBuilder<unknown> => sql`
  select v.text, v.version, v.title, v.changes, v.body, v.valid_from, v.begins_at <= ${now}::timestamptz as has_begun
  from legal_version v where v.version is not null and v.ended_at is null`;

/** Returns all versions of a text, the newest first; empty if there is none. */
export const publicText = (read: Pick<Read, 'rows'>, text: string, now: Date): Promise<PublicText[]> =>
  read.rows<PublicText>(sql`${select(now.toISOString())} and v.text = ${text} order by v.version desc`);

/** Returns each text in its version in force, by title; one that is still to come in its first version. */
export const publicTexts = (read: Pick<Read, 'rows'>, now: Date): Promise<PublicText[]> =>
  read.rows<PublicText>(sql`
    select * from (select distinct on (t.text) t.* from (${select(now.toISOString())}) t order by t.text, t.has_begun desc, t.version desc) o order by lower(o.title)`);
