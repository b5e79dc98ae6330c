import { ResourceSyntaxError } from '@portal/number-resources';
import { applyRangeOperator, parsePrefixRange, parseRangeOperator, type PrefixRange, printPrefixRange } from '@portal/rpsl';
import { sql } from 'kysely';
import { type Breathe, breathing, joinedInTurns, sortedInTurns } from '../../../platform/breathing.ts';
import { WideSet } from '../../../platform/wide-set.ts';
import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';

/** Maximum nesting of sets; real ones end after a dozen. */
const DEEPEST = 100;
/** Maximum number of names a set is expanded to; what is beyond is left out. */
const MAX_MEMBERS = 100_000;
/** Sets whose members are read together. */
const SETS_AT_ONCE = 1_000;

export type SetClass = 'as-set' | 'route-set';
/** The direct members of a set, one a line; empty if it has none. */
export type Members = { class: SetClass; key: string; members: string };
/** Reads the direct members of sets; one that isn’t there has no row. */
export type ReadMembers = (names: readonly string[]) => Promise<Members[]>;

/**
 * Direct members of sets: the listed ones, and those that claim membership (`member-of`) with a maintainer the set trusts (`mbrs-by-ref`; RFC 2622
 * section 5): one in `mnt-by`, or the principal one of the account for which the registry maintains an AS number (decision 198). Unknown sets have no
 * row. Of all sets together one more than `MAX_MEMBERS` at most.
 */
const MEMBERS = preparedQuery<Members>(`
with s as materialized (select object_id, class, key from whois_object where class in ('as-set', 'route-set') and key = any((select $1::text[])::text[])),
m as (select * from (
  select s.key, r.value as member from s join whois_reference r using (object_id) where r.attribute in ('members', 'mp-members')
  union all
  select s.key, case when o.class = 'aut-num' then o.key else coalesce(host(o.first) || '/' || o.prefix_length, '') end from s
  join whois_reference b on b.object_id = s.object_id and b.attribute = 'mbrs-by-ref'
  join whois_reference f on f.attribute = 'member-of' and f.value = s.key
  join whois_object o on o.object_id = f.object_id and o.class = any(case s.class when 'as-set' then '{aut-num}' else '{route,route6}'::text[] end)
  where b.value = 'any'
    or exists (select from whois_reference m where m.object_id = o.object_id and m.attribute = 'mnt-by' and m.value = b.value)
    or exists (select from maintainer_link l where l.account_name = o.kept_for and l.principal and l.maintainer = b.value)) found
  limit ${MAX_MEMBERS + 1})
select s.class, s.key, coalesce(string_agg(m.member, chr(10)), '') as members from s left join m using (key) group by s.class, s.key`);

/** Members of the registry’s own sets. */
export const ownMembers =
  (db: Database): ReadMembers =>
  names =>
    db.read.rows(MEMBERS(names));

/** A set’s name without the source before it (`RADB::AS-EXAMPLE`). */
export const withoutSource = (name: string): string => name.slice(name.indexOf('::') < 0 ? 0 : name.indexOf('::') + 2);

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
export async function listMembers(read: ReadMembers, name: string): Promise<{ class: SetClass; members: string[] } | null> {
  const rows = await read([name]);
  const [first] = rows;
  if (!first) return null;
  const breathe = breathing();
  const all = new WideSet();
  for (const { members } of rows)
    for (const member of membersIn(members)) {
      all.add(member);
      await breathe();
    }
  return { class: first.class, members: await sortedMembers(all, breathe) };
}

/** The members in lines, one by one: a set may have a hundred thousand. */
function* membersIn(lines: string): Generator<string> {
  for (let at = 0; at < lines.length; ) {
    const end = lines.indexOf('\n', at);
    const next = end < 0 ? lines.length : end;
    if (next > at) yield lines.slice(at, next);
    at = next + 1;
  }
}

/** The sets and AS numbers found so far, and the members. */
type Expansion = {
  /** The sets, each with the operators by which it was found. */
  sets: WideSet;
  members: WideSet;
  /** How many ways with operators lead to a set or AS number; those without any are not counted here. */
  ranged: Map<string, number>;
  /** The operators of each set of the next level relative to the first one: none, `^+`, `^+^24`. */
  next: Map<string, Set<string>>;
};

/**
 * The members of a set at any depth, without sets: AS numbers, and prefixes of route-sets. A range operator after a set applies to everything in it:
 * prefixes are returned with it, AS numbers in route-sets get it appended. Loops end, unknown sets are empty, and of more than 100,000 members some are
 * left out; null if the set itself is unknown. Others have their turn meanwhile.
 */
export async function expandSet(
  read: ReadMembers,
  name: string,
  without: ReadonlySet<string>,
): Promise<{ class: SetClass; members: string[] } | null> {
  const breathe = breathing();
  const found: Expansion = { sets: new WideSet(), members: new WideSet(), ranged: new Map(), next: new Map() };
  found.sets.add(name);
  let setClass: SetClass | null = null;
  let level = new Map([[name, new Set([''])]]);
  for (let depth = 0; level.size > 0 && depth < DEEPEST; depth++) {
    found.next = new Map();
    const keys = [...level.keys()];
    for (let at = 0; at < keys.length; at += SETS_AT_ONCE)
      for (const { class: classOfSet, key, members } of await read(keys.slice(at, at + SETS_AT_ONCE))) {
        setClass ??= classOfSet;
        const outers = [...level.get(key)!].map(operatorsIn);
        for (const member of membersIn(members)) {
          take(found, member, outers, without);
          if (found.members.size >= MAX_MEMBERS || found.sets.size > MAX_MEMBERS)
            return { class: setClass, members: await sortedMembers(found.members, breathe) };
          await breathe();
        }
      }
    level = found.next;
  }
  return setClass && { class: setClass, members: await sortedMembers(found.members, breathe) };
}

/** Adds a member of a set to what was found: under each of the operators by which that set itself was found. */
function take(found: Expansion, member: string, outers: readonly string[][], without: ReadonlySet<string>): void {
  const { name: inner, operators: own } = partsOf(member);
  const isSet = isSetName(inner);
  const isAs = !isSet && /^as\d/.test(inner);
  if (isSet && without.has(withoutSource(inner))) return;
  for (const outer of outers) {
    const operators = [...own, ...outer];
    if (!isAs && !isSet) {
      const leaf = outer.length === 0 ? member : rangedPrefix(inner, operators);
      if (leaf !== null) found.members.add(leaf);
      continue;
    }
    const way = operators.join('');
    const known = isAs ? found.members : found.sets;
    const ranged = found.ranged.get(inner) ?? 0;
    // The shortest paths come first.
    if (known.has(inner + way) || ranged + (known.has(inner) ? 1 : 0) >= MAX_WAYS) continue;
    known.add(inner + way);
    if (way !== '') found.ranged.set(inner, ranged + 1);
    if (isSet) found.next.set(inner, (found.next.get(inner) ?? new Set()).add(way));
  }
}

/** AS numbers by number, then everything else by name. */
async function sortedMembers(members: Iterable<string>, breathe: Breathe = breathing()): Promise<string[]> {
  const numbers: number[] = [];
  const names: string[] = [];
  for (const member of members) {
    if (/^as\d+$/.test(member)) numbers.push(Number(member.slice(2)));
    else names.push(member);
    await breathe();
  }
  const sorted: string[] = [];
  for (const number of await sortedInTurns(numbers, (a, b) => a - b, breathe)) {
    sorted.push(`as${number}`);
    await breathe();
  }
  for (const name of await sortedInTurns(names, (a, b) => (a < b ? -1 : a > b ? 1 : 0), breathe)) sorted.push(name);
  return sorted;
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
  const asked = (await joinedInTurns(origins, ',', String)).join('');
  const [row] = await db.read.rows<{ prefixes: string | null }>(sql`
    select string_agg(host(first) || '/' || prefix_length, ' ') as prefixes from (
      select distinct first, prefix_length from whois_object
      where class in ('route', 'route6') and class = any(${[...classNames]}::text[]) and origin = any(string_to_array(${asked}, ',')::bigint[])
      order by first, prefix_length) p`);
  return row?.prefixes ?? '';
}
