import { isCovered, parsePrefix, validateOrigin, type VrpIndex } from '@portal/number-resources';
import { sql } from 'kysely';
import { breathing, filteredInTurns } from '../../../platform/breathing.ts';
import type { Database } from '../../../platform/database/index.ts';
import { prefixesOfOrigins } from './irr-sets.ts';
import { isInvalid } from './route-origins.ts';

/** Leaves out the prefixes of an AS that are invalid by ROAs, while others have their turn. Without VRPs the text is unchanged. */
export async function withoutInvalid(index: VrpIndex | null, prefixes: string, origin: number): Promise<string> {
  if (index === null || prefixes === '') return prefixes;
  const valid = await filteredInTurns(prefixes.split(' '), prefix => !isInvalid(validateOrigin(index, parsePrefix(prefix), origin)));
  return valid.join(' ');
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
  const breathe = breathing();
  const covered = await filteredInTurns(all, prefix => isCovered(index, parsePrefix(prefix)), breathe);
  if (covered.length === 0) return text;
  const rows = await db.read.rows<{ prefix: string; origin: number }>(sql`select w.prefix, o.origin::float8 as origin
    from unnest(string_to_array(${covered.join(' ')}, ' ')) as w (prefix) cross join lateral (select origin from whois_object
      where class in ('route', 'route6') and first = split_part(w.prefix, '/', 1)::inet and prefix_length = split_part(w.prefix, '/', 2)::int
        and origin = any(string_to_array(${origins.join(',')}, ',')::bigint[]) offset 0) o`);
  const valid = await filteredInTurns(
    rows,
    ({ prefix, origin }) => !isInvalid(validateOrigin(index, parsePrefix(prefix), origin)),
    breathe,
  );
  const good = new Set(valid.map(({ prefix }) => prefix));
  const asked = new Set(covered);
  return (await filteredInTurns(all, prefix => !asked.has(prefix) || good.has(prefix), breathe)).join(' ');
}
