import { type AddressRange, printAddress } from '@portal/number-resources';
import type { ClassName } from '@portal/rpsl';
import { type Breathe, breathing } from '../../../platform/breathing.ts';
import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import type { Level, Placed, Tree } from './copy/object-copy.ts';
import { copyOf } from './copy/followed-copy.ts';
import type { ClassKey } from './query-key.ts';
import { READ_BYTES } from './read-bytes.ts';
import type { Shown } from './shown-object.ts';

/** A found object, with or without its text. */
export type Found = { objectId: number; class: ClassName; key: string; read?: Shown };
type Row = Found & { n: number };

type Around = { trees: readonly Tree[]; range: AddressRange; level: Level };

/** Both ends as the database writes them. */
const endsOf = ({ family, first, last }: AddressRange): { first: string; last: string } => ({
  first: printAddress({ family, value: first }),
  last: printAddress({ family, value: last }),
});

/** Maximum number of objects in an answer; for more there are dumps. */
const MAX_OBJECTS = 50_000;

const inOrder = <Answer>(count: number, rows: readonly (Answer & { n: number })[]): Answer[][] => {
  const answers: Answer[][] = Array.from({ length: count }, () => []);
  for (const row of rows) answers[row.n]!.push(row);
  return answers;
};

/** SQL: some found objects as one text, which costs less to read than rows: id, class and key, one a line. */
const inLines = (order = ''): string => `coalesce(string_agg(o.object_id || ' ' || o.class || ' ' || o.key, chr(10)${order}), '') as lines`;
type Lines = { lines: string };

/** Reads what `inLines` wrote, while others have their turn. */
async function readLines(lines: string, breathe: Breathe = breathing()): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < lines.length; ) {
    const newline = lines.indexOf('\n', at);
    const end = newline < 0 ? lines.length : newline;
    const first = lines.indexOf(' ', at);
    const second = lines.indexOf(' ', first + 1);
    found.push({
      objectId: Number(lines.slice(at, first)),
      class: lines.slice(first + 1, second) as ClassName,
      key: lines.slice(second + 1, end),
    });
    at = end + 1;
    await breathe();
  }
  return found;
}

/** SQL: the objects of one tree that contain the range of `a`, at the requested level. */
const around = (tree: Tree, classes: string): string => `
  select object_id, class, key, shown, text, place from (
    select *, dense_rank() over (order by first desc, last) as place
    from (select object_id, class, key, shown, text, first, last from whois_object where ${classes} and inet_merge(first, last) >>= a.first and a.${tree} offset 0) x
    where first <= a.first and last >= a.last
      and (a.level <> 'exact' or (first = a.first and last = a.last))
      and (a.level <> 'one-less' or first <> a.first or last <> a.last)) ${tree}
  where place = 1 or a.level = 'all-less'`;
const AROUND = preparedQuery<Omit<Shown, 'text'> & { n: number; text: string | null }>(`
select a.n, o.object_id, o.class, o.key, o.shown, case when sum(octet_length(o.text)) over (partition by a.n order by o.place desc, o.key, o.object_id)
    - octet_length(o.text) < ${READ_BYTES} then o.text end as text
from unnest((select $1::int[]), (select $2::inet[]), (select $3::inet[]), (select $4::text[]),
  (select $5::boolean[]), (select $6::boolean[]), (select $7::boolean[]), (select $8::boolean[])) as a(n, first, last, level, network, route, domain, router)
cross join lateral (
  ${around('network', `class in ('inetnum', 'inet6num')`)} union all
  ${around('route', `class in ('route', 'route6')`)} union all
  ${around('domain', `class = 'domain' and first is not null`)} union all
  select object_id, class, key, shown, text, 1 as place from whois_reference join whois_object using (object_id)
  where a.router and value = host(a.first) and attribute = 'ifaddr') o
order by a.n, o.place desc, o.key, o.object_id`);

const loadAround = inBatches(async (db: Database, questions: readonly Around[]): Promise<Found[][]> => {
  const ends = questions.map(({ range }) => endsOf(range));
  const rows = await db.read.rows(
    AROUND(
      questions.map((_, n) => n),
      ends.map(({ first }) => first),
      ends.map(({ last }) => last),
      questions.map(({ level }) => level),
      ...(['network', 'route', 'domain', 'router'] as const).map(tree => questions.map(({ trees }) => trees.includes(tree))),
    ),
  );
  const found = rows.map(({ n, text, ...row }) => ({
    n,
    objectId: row.objectId,
    class: row.class,
    key: row.key,
    ...(text !== null && { read: { ...row, text } }),
  }));
  return inOrder(questions.length, found);
});

/** Objects at or around a range, for each requested tree, the largest first, with their texts as far as `READ_BYTES` go. */
export function findAround(db: Database, questions: Around): Found[] | Promise<Found[]> {
  const copy = copyOf(db);
  if (copy === null) return loadAround(db, questions);
  const found = questions.trees.flatMap(tree => copy.around(tree, questions.range, questions.level));
  return found.sort(largestFirst);
}

/** Sorts like the statement above. */
const largestFirst = (a: Placed, b: Placed): number => b.place - a.place || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
const asFound = (read: Shown): Found => ({ objectId: read.objectId, class: read.class, key: read.key, read });

const KEYS = preparedQuery<Lines & { n: number }>(`
select a.n, ${inLines()}
from unnest((select $1::int[]), (select $2::text[]), (select $3::text[])) as a(n, class, key)
cross join lateral (
  select object_id, class, key from whois_object where class = a.class and key = a.key and a.class <> ''
  union all
  select o.object_id, o.class, o.key from whois_key k join whois_object o using (object_id) where k.key = a.key and a.class = '' limit ${MAX_OBJECTS}) o
group by a.n`);

type Keys = { keys: readonly ClassKey[]; lookup: string | null };
const loadByKeys = inBatches(async (db: Database, questions: readonly Keys[]): Promise<Found[][]> => {
  const wanted = questions.flatMap(({ keys, lookup }, n) => [
    ...keys.map(each => ({ n, ...each })),
    ...(lookup === null ? [] : [{ n, class: '', key: lookup }]),
  ]);
  const rows = await db.read.rows(
    KEYS(
      wanted.map(({ n }) => n),
      wanted.map(each => each.class),
      wanted.map(({ key }) => key),
    ),
  );
  const breathe = breathing();
  const answers: Found[][] = questions.map(() => []);
  for (const { n, lines } of rows) answers[n] = await readLines(lines, breathe);
  return answers;
});

/** Finds objects with these primary keys, and those with the name as look-up key (netname, e-mail address, a word of a name). */
export function findKeys(db: Database, questions: Keys): Found[] | Promise<Found[]> {
  const copy = questions.lookup === null && questions.keys.every(each => each.class === 'aut-num') ? copyOf(db) : null;
  if (copy === null) return loadByKeys(db, questions);
  return questions.keys.flatMap(each => copy.named(each.class, each.key) ?? []).map(asFound);
}

const BLOCKS = preparedQuery<Row>(`
select a.n, o.object_id, o.class, o.key
from unnest((select $1::int[]), (select $2::bigint[]), (select $3::bigint[])) as a(n, first, last)
join whois_object o on o.class = 'as-block' and o.first_as <= a.first and o.last_as >= a.last
order by a.n, o.first_as, o.last_as desc`);

const loadAsBlocks = inBatches(async (db: Database, questions: readonly { first: number; last: number }[]): Promise<Found[][]> => {
  const rows = await db.read.rows(
    BLOCKS(
      questions.map((_, n) => n),
      questions.map(({ first }) => first),
      questions.map(({ last }) => last),
    ),
  );
  return inOrder(questions.length, rows);
});

/** Returns the as-blocks that contain all these AS numbers, largest first. */
export const findAsBlocks = (db: Database, questions: { first: number; last: number }): Found[] | Promise<Found[]> =>
  copyOf(db)?.asBlocks(questions).map(asFound) ?? loadAsBlocks(db, questions);

const WORDS = preparedQuery<Lines>(`
select ${inLines()} from (select o.object_id, o.class, o.key from whois_object o
  join (select object_id from whois_key where key = any((select $1::text[])::text[]) group by object_id having count(*) = $2::int) k using (object_id)
  where o.class in ('person', 'role', 'organisation') limit ${MAX_OBJECTS}) o`);

/** Persons, roles and organisations with all these words in their names, in any order. */
export async function findWords(db: Database, words: readonly string[]): Promise<Found[]> {
  const each = [...new Set(words)];
  const [row] = await db.read.rows(WORDS(each, each.length));
  return readLines(row!.lines);
}

const INVERSE = preparedQuery<Lines>(`
select ${inLines(' order by o.key collate "C"')} from (
  select distinct o.object_id, o.class, o.key from whois_reference r join whois_object o using (object_id)
  where r.value = any((select $1::text[])::text[]) and r.attribute = any((select $2::text[])::text[])
  limit ${MAX_OBJECTS}) o`);

/** Objects in which one of the attributes has one of the values (normalised, lower case), in the order of their keys. */
export async function findInverse(db: Database, attributes: readonly string[], values: readonly string[]): Promise<Found[]> {
  const [row] = await db.read.rows(INVERSE(values, attributes));
  return readLines(row!.lines);
}

/** SQL: objects inside a range, and of these, if asked for, those that lie in no other one: they end behind all that begin before them. Equal ranges are one. */
const inside = (classes: string): string =>
  `select ${inLines(' order by o.first, o.last desc, o.object_id')} from (
    select *, max(last) over (order by first, last desc groups between unbounded preceding and 1 preceding) as reached from (
      select object_id, class, key, first, last from whois_object
      where ${classes} and first >= $1::inet and first <= $2::inet and last <= $2::inet and not (first = $1::inet and last = $2::inet)
      order by first, last desc limit $3::int) o) o where not $4::boolean or reached is null or last > reached`;
const INSIDE = {
  network: preparedQuery<Lines>(inside(`class in ('inetnum', 'inet6num')`)),
  route: preparedQuery<Lines>(inside(`class in ('route', 'route6')`)),
  domain: preparedQuery<Lines>(inside(`class = 'domain' and first is not null`)),
};

type Inside = { tree: Exclude<Tree, 'router'>; range: AddressRange; most?: number | undefined; topOnly?: boolean };

/**
 * Objects inside a range, not the exact one, in the order of their addresses, each before what is inside it; `topOnly`: those that lie in no other one.
 * @param most how many are looked at, 50,000 by default
 */
export async function findInside(db: Database, { tree, range, most = MAX_OBJECTS, topOnly = false }: Inside): Promise<Found[]> {
  const { first, last } = endsOf(range);
  const [row] = await db.read.rows(INSIDE[tree](first, last, most, topOnly));
  return readLines(row!.lines);
}
