import { ResourceSyntaxError } from '@portal/number-resources';
import { applyRangeOperator, parsePrefixRange, parseRangeOperator, type PrefixRange, printPrefixRange } from '@portal/rpsl';
import { sql } from 'kysely';
import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';

/** Maximum nesting of sets; real ones end after a dozen. */
const DEEPEST = 100;
/** Maximum number of names a set is expanded to. */
const MAX_MEMBERS = 1_000_000;

export type SetClass = 'as-set' | 'route-set';
type Member = { class: SetClass; key: string; member: string };

/**
 * Direct members of sets: the listed ones, and those that claim membership (`member-of`) with a maintainer the set trusts (`mbrs-by-ref`; RFC 2622
 * section 5): one in `mnt-by`, or the principal one of the account for which the registry maintains an AS number (decision 198). Unknown sets have no
 * row, empty ones a row with an empty member.
 */
const MEMBERS = preparedQuery<Member>(`
with s as materialized (select object_id, class, key from whois_object where class in ('as-set', 'route-set') and key = any((select $1::text[])::text[]))
select class, key, '' as member from s
union all
select s.class, s.key, r.value from s join whois_reference r using (object_id) where r.attribute in ('members', 'mp-members')
union all
select s.class, s.key, case when o.class = 'aut-num' then o.key else coalesce(host(o.first) || '/' || o.prefix_length, '') end from s
join whois_reference b on b.object_id = s.object_id and b.attribute = 'mbrs-by-ref'
join whois_reference f on f.attribute = 'member-of' and f.value = s.key
join whois_object o on o.object_id = f.object_id and o.class = any(case s.class when 'as-set' then '{aut-num}' else '{route,route6}'::text[] end)
where b.value = 'any'
  or exists (select from whois_reference m where m.object_id = o.object_id and m.attribute = 'mnt-by' and m.value = b.value)
  or exists (select from maintainer_link l where l.account_name = o.kept_for and l.principal and l.maintainer = b.value)`);

const isSetName = (name: string): boolean => /(?:^|:)(?:as|rs)-/.test(name);

/**
 * Maximum number of paths, distinguished by range operators, by which a set or AS number is in another set; real ones have one or two. Mutually
 * nested sets with several operators have as many as there are orders of these, and anyone can write such a set.
 */
const MAX_WAYS = 16;

/** Consecutive range operators: `^+^24`. */
export const operatorsIn = (written: string): string[] => (written === '' ? [] : written.split(/(?=\^)/));

/** A member of a set, and the range operators after it: `as-x^+^24` is `as-x` and `^+`, `^24`. */
function partsOf(member: string): { name: string; operators: string[] } {
  const caret = member.indexOf('^');
  return caret < 0 ? { name: member, operators: [] } : { name: member.slice(0, caret), operators: operatorsIn(member.slice(caret)) };
}

/** Applies range operators to a prefix, the innermost first (RFC 2622, section 2); null if no prefix is left. */
export function rangedPrefix(prefix: string, operators: readonly string[]): string | null {
  if (operators.length === 0) return prefix;
  try {
    let range: PrefixRange | null = parsePrefixRange(prefix);
    for (const written of operators) {
      const operator = parseRangeOperator(written);
      if (operator === null || range === null) return null;
      range = applyRangeOperator(range, operator);
    }
    return range && printPrefixRange(range);
  } catch (error) {
    // An old object may contain something else than a prefix.
    if (error instanceof RangeError || error instanceof ResourceSyntaxError) return null;
    throw error;
  }
}

/** Direct members of a set, sorted, each once; null when there is no such set. Names are in lower case. */
export async function listMembers(db: Database, name: string): Promise<{ class: SetClass; members: string[] } | null> {
  const rows = await db.read.rows(MEMBERS([name]));
  const [first] = rows;
  if (!first) return null;
  return {
    class: first.class,
    members: [...new Set(rows.map(({ member }) => member))].filter(member => member !== '').sort(compareMembers),
  };
}

/**
 * The members of a set at any depth, without sets: AS numbers, and prefixes of route-sets. A range operator after a set applies to everything in it:
 * prefixes are returned with it, AS numbers in route-sets get it appended. Loops end, unknown sets are empty; null if the set itself is unknown.
 */
export async function expandSet(
  db: Database,
  name: string,
  without: ReadonlySet<string>,
): Promise<{ class: SetClass; members: string[] } | null> {
  /** The paths by which each set and AS number was found. */
  const ways = new Map([[name, new Set([''])]]);
  const members = new Set<string>();
  let setClass: SetClass | null = null;
  /** The operators of each set of this level relative to the first one: none, `^+`, `^+^24`. */
  let level = new Map([[name, new Set([''])]]);
  for (let depth = 0; level.size > 0 && depth < DEEPEST && members.size < MAX_MEMBERS; depth++) {
    const next = new Map<string, Set<string>>();
    for (const { class: found, key, member } of await db.read.rows(MEMBERS([...level.keys()]))) {
      setClass ??= found;
      if (member === '') continue;
      const { name: inner, operators: own } = partsOf(member);
      const isSet = isSetName(inner);
      const isAs = !isSet && /^as\d/.test(inner);
      if (isSet && without.has(inner)) continue;
      for (const outer of level.get(key)!) {
        const operators = [...own, ...operatorsIn(outer)];
        if (!isAs && !isSet) {
          const leaf = outer === '' ? member : rangedPrefix(inner, operators);
          if (leaf !== null) members.add(leaf);
          continue;
        }
        const way = operators.join('');
        const known = ways.get(inner) ?? new Set();
        // The shortest paths come first.
        if (known.has(way) || known.size >= MAX_WAYS) continue;
        ways.set(inner, known.add(way));
        if (isAs) members.add(inner + way);
        else next.set(inner, (next.get(inner) ?? new Set()).add(way));
      }
    }
    level = next;
  }
  return setClass && { class: setClass, members: [...members].sort(compareMembers) };
}

/** AS numbers by number, then everything else by name. */
function compareMembers(a: string, b: string): number {
  const [one, other] = [/^as(\d+)$/.exec(a)?.[1], /^as(\d+)$/.exec(b)?.[1]];
  if (one !== undefined && other !== undefined) return Number(one) - Number(other);
  if (one !== undefined || other !== undefined) return one === undefined ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const ORIGINS = preparedQuery<{ n: number; prefixes: string }>(`
select a.n, coalesce(string_agg(p.prefix, ' '), '') as prefixes
from unnest((select $1::int[]), (select $2::text[]), (select $3::bigint[])) as a(n, class, origin)
cross join lateral (
  select distinct first, prefix_length, host(first) || '/' || prefix_length as prefix from whois_object
  where class in ('route', 'route6') and class = a.class and origin = a.origin order by first, prefix_length) p
group by a.n`);

/** Prefixes an AS originates, sorted and separated by spaces; empty if there are none. */
export const prefixesOfOrigin = inBatches(
  async (db: Database, asked: readonly { class: 'route' | 'route6'; origin: number }[]): Promise<string[]> => {
    const rows = await db.read.rows(
      ORIGINS(
        asked.map((_, n) => n),
        asked.map(each => each.class),
        asked.map(({ origin }) => origin),
      ),
    );
    const answers = asked.map(() => '');
    for (const { n, prefixes } of rows) answers[n] = prefixes;
    return answers;
  },
);

/** Prefixes that any of the AS numbers originates, each once, sorted and separated by spaces. */
export async function prefixesOfOrigins(
  db: Database,
  classNames: readonly ('route' | 'route6')[],
  origins: readonly number[],
): Promise<string> {
  const [row] = await db.read.rows<{ prefixes: string | null }>(sql`
    select string_agg(host(first) || '/' || prefix_length, ' ') as prefixes from (
      select distinct first, prefix_length from whois_object
      where class in ('route', 'route6') and class = any(${[...classNames]}::text[]) and origin = any(${[...origins]}::bigint[])
      order by first, prefix_length) p`);
  return row?.prefixes ?? '';
}
