import { type AddressRange, printAddress } from '@portal/number-resources';
import type { ClassName } from '@portal/rpsl';
import { type Database, inBatches, preparedQuery } from '../../../platform/database/index.ts';
import type { Level, Placed, Tree } from './copy/object-copy.ts';
import { copyOf } from './copy/followed-copy.ts';
import type { ClassKey } from './query-key.ts';
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

/** SQL: the objects of one tree that contain the range of `a`, at the requested level. */
const around = (tree: Tree, classes: string): string => `
  select object_id, class, key, shown, text, place from (
    select *, dense_rank() over (order by first desc, last) as place
    from (select object_id, class, key, shown, text, first, last from whois_object where ${classes} and inet_merge(first, last) >>= a.first and a.${tree} offset 0) x
    where first <= a.first and last >= a.last
      and (a.level <> 'exact' or (first = a.first and last = a.last))
      and (a.level <> 'one-less' or first <> a.first or last <> a.last)) ${tree}
  where place = 1 or a.level = 'all-less'`;
const AROUND = preparedQuery<Shown & { n: number }>(`
select a.n, o.object_id, o.class, o.key, o.shown, o.text
from unnest((select $1::int[]), (select $2::inet[]), (select $3::inet[]), (select $4::text[]),
  (select $5::boolean[]), (select $6::boolean[]), (select $7::boolean[]), (select $8::boolean[])) as a(n, first, last, level, network, route, domain, router)
cross join lateral (
  ${around('network', `class in ('inetnum', 'inet6num')`)} union all
  ${around('route', `class in ('route', 'route6')`)} union all
  ${around('domain', `class = 'domain' and first is not null`)} union all
  select object_id, class, key, shown, text, 1 as place from whois_reference join whois_object using (object_id)
  where a.router and value = host(a.first) and attribute = 'ifaddr') o
order by a.n, o.place desc, o.key`);

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
  const found = rows.map(read => ({ n: read.n, objectId: read.objectId, class: read.class, key: read.key, read }));
  return inOrder(questions.length, found);
});

/** Objects at or around a range, for each requested tree, the largest first, with their texts. */
export function findAround(db: Database, questions: Around): Found[] | Promise<Found[]> {
  const copy = copyOf(db);
  if (copy === null) return loadAround(db, questions);
  const found = questions.trees.flatMap(tree => copy.around(tree, questions.range, questions.level));
  return found.sort(largestFirst).map(asFound);
}

/** Sorts like the statement above. */
const largestFirst = (a: Placed, b: Placed): number => b.place - a.place || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
const asFound = (read: Shown): Found => ({ objectId: read.objectId, class: read.class, key: read.key, read });

const KEYS = preparedQuery<Row>(`
select a.n, o.object_id, o.class, o.key
from unnest((select $1::int[]), (select $2::text[]), (select $3::text[])) as a(n, class, key)
cross join lateral (
  select object_id, class, key from whois_object where class = a.class and key = a.key and a.class <> ''
  union all
  select o.object_id, o.class, o.key from whois_key k join whois_object o using (object_id) where k.key = a.key and a.class = '' limit ${MAX_OBJECTS}) o`);

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
  return inOrder(questions.length, rows);
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

const WORDS = preparedQuery<Found>(`
select o.object_id, o.class, o.key from whois_object o
join (select object_id from whois_key where key = any((select $1::text[])::text[]) group by object_id having count(*) = $2::int) k using (object_id)
where o.class in ('person', 'role', 'organisation') limit ${MAX_OBJECTS}`);

/** Persons, roles and organisations with all these words in their names, in any order. */
export function findWords(db: Database, words: readonly string[]): Promise<Found[]> {
  const each = [...new Set(words)];
  return db.read.rows(WORDS(each, each.length));
}

const INVERSE = preparedQuery<Found>(`
select distinct o.object_id, o.class, o.key from whois_reference r join whois_object o using (object_id)
where r.value = any((select $1::text[])::text[]) and r.attribute = any((select $2::text[])::text[])
limit ${MAX_OBJECTS}`);

/** Objects in which one of the attributes has one of the values (normalised, lower case). */
export const findInverse = (db: Database, attributes: readonly string[], values: readonly string[]): Promise<Found[]> =>
  db.read.rows(INVERSE(values, attributes));

const inside = (classes: string, tree: Tree): string =>
  `(select object_id, class, key, first, last from whois_object
    where ${classes} and first >= $1::inet and first <= $2::inet and last <= $2::inet and not (first = $1::inet and last = $2::inet)
    order by first, last desc limit ${MAX_OBJECTS}) -- ${tree}`;
type Inside = Found & { first: string; last: string };
const INSIDE = {
  network: preparedQuery<Inside>(inside(`class in ('inetnum', 'inet6num')`, 'network')),
  route: preparedQuery<Inside>(inside(`class in ('route', 'route6')`, 'route')),
  domain: preparedQuery<Inside>(inside(`class = 'domain' and first is not null`, 'domain')),
};

/** Objects inside a range, not the exact one, in the order of their addresses, each before what is inside it. */
export function findInside(db: Database, tree: Exclude<Tree, 'router'>, range: AddressRange): Promise<Inside[]> {
  const { first, last } = endsOf(range);
  return db.read.rows(INSIDE[tree](first, last));
}
