import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { shownText, textForOthers } from '../store/shown-text.ts';

/** Texts of versions of many objects: as their own maintainers see them, or where `forOthers`, as anyone does. */
export async function versionTexts(
  read: Pick<Read, 'rows'>,
  wanted: readonly { class: string; key: string; version: number; forOthers?: boolean }[],
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map();
  const rows = await read.rows<{ class: string; key: string; version: number; text: string }>(sql`select j.class, j.key, j.version, j.text
    from unnest(${wanted.map(w => w.class)}::text[], ${wanted.map(w => w.key)}::text[], ${wanted.map(w => w.version)}::int[]) as w (class, key, version) join whois_journal j using (class, key, version)`);
  const placeOf = (row: { class: string; key: string; version: number }): string => `${row.class} ${row.key} ${row.version}`;
  const forOthers = new Set(wanted.flatMap(each => (each.forOthers ? [placeOf(each)] : [])));
  return new Map(rows.map(row => [placeOf(row), (forOthers.has(placeOf(row)) ? textForOthers : shownText)(row.text)]));
}
