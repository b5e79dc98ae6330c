import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/**
 * Classes that share one name space: a name belongs to one object only. Objects refer to contacts by handle alone, so two with the same handle would
 * both be the contact. The index `whois_object_one_handle` enforces it in the database too.
 */
export const handleClasses: readonly string[] = ['person', 'role', 'organisation', 'mntner', 'irt', 'key-cert'];
/** Classes whose handles are never reused, even after their object is deleted. */
export const onceClasses: readonly string[] = ['person', 'role', 'organisation'];

/** The list exactly as in the condition of the partial indexes, so that the planner uses them. */
export const inHandleSpace = (column: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${column} in ('person', 'role', 'organisation', 'mntner', 'irt', 'key-cert')`;

export type Named = { class: string; key: string; shown: string };

/** Returns the existing objects with one of these names, in any class. */
export async function objectsNamed(read: Pick<Read, 'rows'>, keys: readonly string[]): Promise<Named[]> {
  if (keys.length === 0) return [];
  return read.rows<Named>(sql`select o.class, o.key, o.shown from unnest(${[...new Set(keys)]}::text[]) as w (key)
    cross join lateral (select class, key, shown from whois_object where ${inHandleSpace(sql`class`)} and key = w.key offset 0) o`);
}
