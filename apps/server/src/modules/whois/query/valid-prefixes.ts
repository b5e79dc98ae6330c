import { isCovered, parsePrefix, validateOrigin, type VrpIndex } from '@portal/number-resources';
import { sql } from 'kysely';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Database } from '../../../platform/database/index.ts';
import { prefixesOfOrigins } from './irr-sets.ts';
import { isInvalid } from './route-origins.ts';

/** Number of prefixes compared before yielding to other calls. */
const AT_ONCE = 5_000;

/** Leaves out the prefixes of an AS that are invalid by ROAs. Without VRPs the text is unchanged. */
export function withoutInvalid(index: VrpIndex | null, prefixes: string, origin: number): string {
  if (index === null || prefixes === '') return prefixes;
  return prefixes
    .split(' ')
    .filter(prefix => !isInvalid(validateOrigin(index, parsePrefix(prefix), origin)))
    .join(' ');
}

/**
 * Returns prefixes that any of the AS numbers originates, each once, sorted, with one blank between; those without a valid route are left out.
 * Origins are looked up only for prefixes covered by a ROA.
 */
export async function validPrefixes(
  { db, index }: { db: Database; index: VrpIndex | null },
  classNames: readonly ('route' | 'route6')[],
  origins: readonly number[],
): Promise<string> {
  const text = await prefixesOfOrigins(db, classNames, origins);
  if (index === null || text === '') return text;
  const all = text.split(' ');
  const covered: string[] = [];
  for (const [place, prefix] of all.entries()) {
    if (isCovered(index, parsePrefix(prefix))) covered.push(prefix);
    if (place % AT_ONCE === AT_ONCE - 1) await breathe();
  }
  if (covered.length === 0) return text;
  const rows = await db.read.rows<{ prefix: string; origin: number }>(sql`select w.prefix, o.origin::float8 as origin
    from unnest(${covered}::text[]) as w (prefix) cross join lateral (select origin from whois_object
      where class in ('route', 'route6') and first = split_part(w.prefix, '/', 1)::inet and prefix_length = split_part(w.prefix, '/', 2)::int
        and origin = any(${[...origins]}::bigint[]) offset 0) o`);
  const good = new Set(
    rows.filter(({ prefix, origin }) => !isInvalid(validateOrigin(index, parsePrefix(prefix), origin))).map(({ prefix }) => prefix),
  );
  const asked = new Set(covered);
  return all.filter(prefix => !asked.has(prefix) || good.has(prefix)).join(' ');
}
