import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/**
 * Classes that share one name space: what names one of them names no other. Contacts are named by handle alone wherever objects refer to them, so two of one
 * handle would both be the contact of all who name it. The index `whois_object_one_handle` holds it in the database too.
 */
export const handleClasses: readonly string[] = ['person', 'role', 'organisation', 'mntner', 'irt', 'key-cert'];
/** Those whose handles are given once: not again after their object is deleted. */
export const onceClasses: readonly string[] = ['person', 'role', 'organisation'];

/** The list as the condition of the partial indexes spells it, so that the planner sees they fit. */
export const inHandleSpace = (column: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${column} in ('person', 'role', 'organisation', 'mntner', 'irt', 'key-cert')`;

export type Named = { class: string; key: string; shown: string };

/** Returns the living objects that have one of these names, whatever their class. */
export async function objectsNamed(read: Pick<Read, 'rows'>, keys: readonly string[]): Promise<Named[]> {
  if (keys.length === 0) return [];
  return read.rows<Named>(sql`select o.class, o.key, o.shown from unnest(${[...new Set(keys)]}::text[]) as w (key)
    cross join lateral (select class, key, shown from whois_object where ${inHandleSpace(sql`class`)} and key = w.key offset 0) o`);
}
