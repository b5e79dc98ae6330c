import { type AddressRange, coverRange, type Prefix, printPrefix } from '@portal/number-resources';
import type { ClassName } from '@portal/rpsl';
import { sql } from 'kysely';
import { preparedQuery, type Read } from '../../platform/database/index.ts';

type Reading = Pick<Read, 'rows'>;

/** An object of another registry that was found. */
export type ForeignFound = { objectId: number; class: ClassName; key: string };
/** The same as answers show it. */
export type ForeignObject = ForeignFound & { shown: string; text: string };

/** Objects in an answer; the files of the source have all. */
const MAX_OBJECTS = 50_000;
/** Objects that are read together, and bytes of them after which no more are. */
const MAX_READ = 200;
const READ_BYTES = 262_144;

export type ForeignLevel = 'nearest' | 'exact' | 'one-less' | 'all-less';

// The copy that is shown is chosen in each statement: what it finds is of one copy.
const AROUND = preparedQuery<ForeignFound>(`
select object_id::float8 as object_id, class, key from (
  select o.object_id, o.class, o.key, o.prefix, dense_rank() over (order by masklen(o.prefix) desc) as place
  from foreign_source s join foreign_object o using (copy_id)
  where s.name = $1 and o.prefix is not null and o.prefix >>= $2::inet and ($3::text <> 'exact' or o.prefix = $2::inet) and ($3::text <> 'one-less' or o.prefix <> $2::inet)) o
where place = 1 or $3::text = 'all-less' order by masklen(prefix), key limit ${MAX_OBJECTS}`);

/** Routes of a source at or around a prefix, the largest first. */
export function foreignAround(read: Reading, source: string, range: AddressRange, level: ForeignLevel): Promise<ForeignFound[]> {
  const [prefix, ...others] = coverRange(range);
  // What is around a range of several prefixes is around the smallest prefix that holds it, which is no route’s own.
  if (others.length === 0 && prefix) return read.rows(AROUND(source, printPrefix(prefix), level));
  return level === 'exact' ? Promise.resolve([]) : read.rows(AROUND(source, printPrefix(holding(range)), level));
}

/** The smallest prefix that holds a range. */
function holding({ family, first, last }: AddressRange): Prefix {
  const bits = family === 'ipv4' ? 32 : 128;
  let length = bits;
  while (length > 0 && first >> BigInt(bits - length) !== last >> BigInt(bits - length)) length--;
  const rest = BigInt(bits - length);
  const start = (first >> rest) << rest;
  return { family, first: start, last: start + (1n << rest) - 1n, length };
}

const INSIDE = preparedQuery<ForeignFound & { isTop: boolean }>(`
select object_id::float8 as object_id, class, key, is_top from (
  select object_id, class, key, prefix, not exists (select from foreign_object above
    where above.copy_id = o.copy_id and above.prefix is not null and above.prefix >> o.prefix and above.prefix << $2::inet) as is_top
  from (select o.* from foreign_source s join foreign_object o using (copy_id)
    where s.name = $1 and o.prefix is not null and o.prefix << $2::inet limit $3::int) o) o
order by prefix, key`);

/** Routes of a source inside a prefix, not those of the prefix itself; `topOnly`: those that lie in no other one. */
export async function foreignInside(
  read: Reading,
  source: string,
  range: AddressRange,
  { topOnly, most = MAX_OBJECTS }: { topOnly: boolean; most?: number | undefined },
): Promise<ForeignFound[]> {
  const found: ForeignFound[] = [];
  for (const prefix of coverRange(range)) {
    const rows = await read.rows(INSIDE(source, printPrefix(prefix), most - found.length));
    for (const { isTop, ...row } of rows) if (isTop || !topOnly) found.push(row);
    if (found.length >= most) break;
  }
  return found;
}

const KEYS = preparedQuery<ForeignFound>(`
select o.object_id::float8 as object_id, o.class, o.key
from unnest((select $2::text[]), (select $3::text[])) as a(class, key), foreign_source s join foreign_object o using (copy_id)
where s.name = $1 and o.class = a.class and o.key = a.key`);

/** Objects of a source with these primary keys. */
export const foreignKeys = (read: Reading, source: string, keys: readonly { class: string; key: string }[]): Promise<ForeignFound[]> =>
  keys.length === 0
    ? Promise.resolve([])
    : read.rows(
        KEYS(
          source,
          keys.map(each => each.class),
          keys.map(({ key }) => key),
        ),
      );

const INVERSE = preparedQuery<ForeignFound>(`
select o.object_id::float8 as object_id, o.class, o.key from foreign_source s join foreign_object o using (copy_id)
where s.name = $1 and (o.inverse && (select $2::text[]) or o.origin = any((select $3::bigint[])::bigint[]))
order by o.key collate "C" limit ${MAX_OBJECTS}`);

/** Objects of a source in which one of the attributes has one of the values. */
export const foreignInverse = (
  read: Reading,
  source: string,
  attributes: readonly string[],
  values: readonly string[],
): Promise<ForeignFound[]> =>
  read.rows(
    INVERSE(
      source,
      attributes.flatMap(attribute => values.map(value => `${attribute} ${value}`)),
      attributes.includes('origin') ? values.flatMap(value => /^as(\d{1,10})$/.exec(value)?.[1] ?? []) : [],
    ),
  );

/** Direct members of sets, one a line, as `MEMBERS` of the registry’s own has them. */
export type ForeignMembers = { class: 'as-set' | 'route-set'; key: string; members: string };

const MEMBERS = preparedQuery<ForeignMembers>(`
with s as materialized (select o.copy_id, o.class, o.key, o.members, o.inverse from foreign_source f join foreign_object o using (copy_id)
  where f.name = $1 and o.class in ('as-set', 'route-set') and o.key = any((select $2::text[])::text[])),
m as (select * from (
  select s.key, unnest(s.members) as member from s
  union all
  select s.key, case when o.class = 'aut-num' then o.key else o.prefix::text end from s
  join foreign_object o on o.copy_id = s.copy_id and o.inverse @> array['member-of ' || s.key] and o.class = any(case s.class when 'as-set' then '{aut-num}' else '{route,route6}'::text[] end)
  where exists (select from unnest(s.inverse) b(given) where given = 'mbrs-by-ref any' or given like 'mbrs-by-ref %' and o.inverse @> array['mnt-by ' || substr(given, 13)])) found
  limit 100001)
select s.class, s.key, coalesce(string_agg(m.member, chr(10)), '') as members from s left join m using (key) group by s.class, s.key`);

/** Members of sets of a source: those that are listed, and those of the same source that claim membership with a maintainer the set trusts. Sets that aren’t there have no row. */
export const foreignMembers = (read: Reading, source: string, names: readonly string[]): Promise<ForeignMembers[]> =>
  read.rows(MEMBERS(source, names));

/** Routes of a source that any of the AS numbers originates: prefix and origin, a blank between them, one a line, sorted by prefix. */
export async function foreignRoutesOf(
  read: Reading,
  source: string,
  classNames: readonly ('route' | 'route6')[],
  origins: readonly number[],
): Promise<string> {
  const [row] = await read.rows<{ routes: string | null }>(sql`
    select string_agg(prefix::text || ' ' || origin, chr(10) order by prefix, origin) as routes from foreign_source s join foreign_object o using (copy_id)
    where s.name = ${source} and o.class = any(${[...classNames]}::text[]) and o.origin = any(string_to_array(${origins.join(',')}, ',')::bigint[])`);
  return row?.routes ?? '';
}

const READ = preparedQuery<ForeignObject & { place: number }>(`
select place, object_id::float8 as object_id, class, key, shown, text from (
  select a.place::int as place, o.object_id, o.class, o.key, o.shown, o.text, sum(octet_length(o.text)) over (order by a.place) - octet_length(o.text) as before
  from unnest((select $1::int[]), (select $2::bigint[])) as a(place, object_id) join foreign_object o using (object_id)) o
where before < ${READ_BYTES} order by place`);

/** Reads the first of the objects that were found, as many as there are bytes for, and at least one. `taken`: how many that covers; a copy is kept for some minutes after another replaced it. */
export async function readForeign(read: Reading, found: readonly ForeignFound[]): Promise<{ objects: ForeignObject[]; taken: number }> {
  const wanted = found.slice(0, MAX_READ);
  const rows = await read.rows(
    READ(
      wanted.map((_, place) => place),
      wanted.map(({ objectId }) => objectId),
    ),
  );
  const bytes = rows.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const taken = bytes >= READ_BYTES ? rows.at(-1)!.place + 1 : wanted.length;
  return { objects: rows.map(({ place: _place, ...object }) => object), taken };
}

/** A source as those see it who ask: how it is followed, and how far. */
export type ForeignSource = {
  name: string;
  way: 'dump' | 'nrtm3' | 'nrtm4';
  objects: number;
  serial: number;
  session: string | null;
  /** The instant as of which the copy is complete, else when it was loaded; null before that. */
  asOf: string | null;
  problem: string | null;
};

/** Returns what is known of sources, in the order of their names as they are given; one that no turn has reached yet is empty. */
export async function foreignSourceFacts(read: Reading, names: readonly string[]): Promise<ForeignSource[]> {
  if (names.length === 0) return [];
  const rows =
    await read.rows<ForeignSource>(sql`select name, way, objects, serial::float8 as serial, session, coalesce(as_of, loaded_at) as as_of, problem from foreign_source
    where name = any(${[...names]}::text[]) and copy_id is not null`);
  return names.map(
    name => rows.find(row => row.name === name) ?? { name, way: 'dump', objects: 0, serial: 0, session: null, asOf: null, problem: null },
  );
}

/** How a source is followed, in words. */
export const wayInWords = { dump: 'files', nrtm3: 'NRTM 3', nrtm4: 'NRTM 4' } as const;
