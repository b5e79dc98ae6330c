import {
  type AddressRange,
  type NumberResource,
  prefixOfRange,
  printAddress,
  printPrefix,
  type Vrp,
  vrpIndexing,
} from '@portal/number-resources';
import { references, valueOf, valuesOf } from '@portal/rpsl';
import { type RawBuilder, sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import { inStream, type Read } from '../../../platform/database/index.ts';
import { numberAuthority } from '../authority/number-authority.ts';
import { handleClasses, onceClasses } from './handle-space.ts';
import { addressesOf, asNumberOf, maintainersIn, numbersOf, objectOfRow } from './object-facts.ts';
import { parentOfSet, setClasses } from './set-names.ts';
import { findObjects, idOf, type KnownObjects, knownObjects, type Pair, type Referrers, referringAttributes } from './stored-objects.ts';
import type { Item, StoredObject } from './update.ts';

export const networkClasses: ReadonlySet<string> = new Set(['inetnum', 'inet6num']);
export const routeClasses: ReadonlySet<string> = new Set(['route', 'route6']);
const placedClasses: ReadonlySet<string> = new Set([...networkClasses, ...routeClasses, 'domain']);

export type SubmissionReading = Awaited<ReturnType<typeof readSubmission>>;

/**
 * Reads everything that the checks of a list of items need, with a constant number of statements. Lists of objects are by the number of their item.
 * @param byRegistry the registry itself writes, so no authorisation is read
 */
export async function readSubmission(read: Pick<Read, 'rows' | 'stream'>, items: readonly Item[], { byRegistry }: { byRegistry: boolean }) {
  const known = knownObjects(read, items);
  const created = items.filter(({ operation }) => operation === 'create');
  const deleted = items.filter(({ operation }) => operation === 'delete');
  for (const row of await findObjects(read, await namedIn(items, known))) known.keep(row);
  const places = await readPlaces(read, { created, placed: byRegistry ? [...created, ...deleted] : items, known });
  const referrers = new Map([
    ...(await referrersIn(read, [...deleted, ...created.filter(({ class: objectClass }) => objectClass === 'mntner')], known)),
    ...(await referrersIn(read, items.filter(losesAbuseMailbox), known, ['abuse-c'])),
  ]);
  return {
    known,
    ...places,
    delegated: await delegatedOf(read, created),
    gone: await goneOf(read, created),
    roas: await roasOf(
      read,
      items.filter(({ operation }) => operation !== 'delete'),
    ),
    referrers,
    nirs: items.length === 0 ? new Set<string>() : await nirMaintainers(read),
    authority: byRegistry
      ? null
      : await numberAuthority(read, {
          numbers: items.flatMap(numbersAskedFor),
          maintainers: [...items.flatMap(({ object }) => maintainersIn(object, 'mnt-by')), ...[...known.all()].flatMap(maintainersOfRow)],
        }),
  };
}

/** Objects that the items name, without those that are known. */
async function namedIn(items: readonly Item[], known: KnownObjects): Promise<{ class: string; key: string }[]> {
  const breathe = breathing();
  const wanted = new Map<string, { class: string; key: string }>();
  const want = (objectClass: string, key: string): void => {
    if (!known.find(objectClass, key)) wanted.set(idOf(objectClass, key), { class: objectClass, key });
  };
  for (const { object, class: objectClass, key, operation } of items) {
    if (operation === 'delete') continue;
    for (const { classes, key: referred } of references(object)) for (const each of classes) want(each, referred.toLowerCase());
    if (operation === 'create' && handleClasses.includes(objectClass)) for (const each of handleClasses) want(each, key);
    const parent = parentOfSet(objectClass, key);
    if (parent !== null) for (const each of ['aut-num', ...setClasses]) want(each, parent);
    await breathe();
  }
  return [...wanted.values()];
}

type Ranged = { no: number; range: AddressRange; first: string; last: string };
async function rangedIn(items: readonly Item[], classes: ReadonlySet<string>): Promise<Ranged[]> {
  const breathe = breathing();
  const ranged: Ranged[] = [];
  for (const item of items) {
    const range = classes.has(item.class) ? addressesOf(item.object) : null;
    if (range !== null) ranged.push({ no: item.index, range, first: textOf(range, range.first), last: textOf(range, range.last) });
    await breathe();
  }
  return ranged;
}

/** Objects around and beside those of a submission: networks of all its items, the others of new ones. */
async function readPlaces(
  read: Pick<Read, 'rows'>,
  { created, placed, known }: { created: readonly Item[]; placed: readonly Item[]; known: KnownObjects },
) {
  const pairs = async (list: readonly Ranged[], around: RawBuilder<unknown>): Promise<Map<number, StoredObject[]>> => {
    if (list.length === 0) return new Map();
    const rows = await read.rows<Pair>(sql`select w.no, o.object_id from unnest(${list.map(({ no }) => no)}::int[],
      ${list.map(({ first }) => first)}::inet[], ${list.map(({ last }) => last)}::inet[]) as w (no, first, last)
      cross join lateral (${around}) o`);
    return known.grouped(rows);
  };
  // The smallest prefix over both ends is the range itself for nearly all; the rest is filtered below.
  const networks = await pairs(
    await rangedIn(placed, placedClasses),
    sql`select object_id from whois_object where class in ('inetnum', 'inet6num') and inet_merge(first, last) >>= w.first
      union select object_id from whois_object where class in ('inetnum', 'inet6num') and inet_merge(first, last) >>= w.last`,
  );
  const routes = await pairs(
    await rangedIn(created, routeClasses),
    sql`select object_id from whois_object where class in ('route', 'route6') and inet_merge(first, last) >>= w.first offset 0`,
  );
  const domains = await pairs(
    await rangedIn(created, new Set(['domain'])),
    sql`select object_id from whois_object where class = 'domain' and first is not null and inet_merge(first, last) >>= w.first
      union (select object_id from whois_object where class = 'domain' and first is not null and first between w.first and w.last order by first limit 5)`,
  );
  const numbered = created.flatMap(item => (item.class === 'aut-num' ? [{ no: item.index, number: asNumberOf(item.shown) ?? -1 }] : []));
  const blocks =
    numbered.length === 0
      ? new Map<number, StoredObject[]>()
      : await known.grouped(
          await read.rows<Pair>(sql`select w.no, o.object_id from unnest(${numbered.map(({ no }) => no)}::int[], ${numbered.map(n => n.number)}::bigint[]) as w (no, number)
            join whois_object o on o.class = 'as-block' and o.first_as <= w.number and o.last_as >= w.number`),
        );
  return { networks, routes, domains, blocks };
}

/** Maintainers of NIRs. */
async function nirMaintainers(read: Pick<Read, 'rows'>): Promise<ReadonlySet<string>> {
  const rows = await read.rows<{ maintainer: string }>(
    sql`select maintainer from maintainer_link join account using (account_name) where nir`,
  );
  return new Set(rows.map(({ maintainer }) => maintainer));
}

/** Numbers that an item writes over or needs authorisation for: its own, and the origin of a route. */
function numbersAskedFor({ class: objectClass, object, stored }: Item): NumberResource[] {
  const own = [numbersOf(stored ? objectOfRow(stored) : object)];
  const origin = routeClasses.has(objectClass) ? asNumberOf(valueOf(object, 'origin') ?? '') : null;
  if (origin !== null) own.push({ family: 'asn', first: origin, last: origin });
  return own.filter(each => each !== null);
}

/** Maintainers of an object over numbers; empty for any other. */
const maintainersOfRow = (row: StoredObject): string[] =>
  numbersOf(objectOfRow(row)) === null ? [] : maintainersIn(objectOfRow(row), 'mnt-by');

/** Which created routes lie wholly in delegations of this registry, and which origins do. */
async function delegatedOf(
  read: Pick<Read, 'rows'>,
  created: readonly Item[],
): Promise<{ addresses: ReadonlySet<number>; origin: ReadonlySet<number> }> {
  const routes = created.flatMap(item => {
    const range = routeClasses.has(item.class) ? addressesOf(item.object) : null;
    return range === null ? [] : [{ no: item.index, range, origin: asNumberOf(valueOf(item.object, 'origin') ?? '') ?? -1 }];
  });
  if (routes.length === 0) return { addresses: new Set(), origin: new Set() };
  const rows = await read.rows<{ no: number; addresses: boolean; origin: boolean }>(sql`
    select w.no,
      coalesce((select d.last >= w.last from delegation d where d.kind <> 'asn' and d.status <> 'closed' and d.first <= w.first order by d.first desc limit 1), false) as addresses,
      coalesce((select d.last_as >= w.origin from delegation d where d.kind = 'asn' and d.status <> 'closed' and d.first_as <= w.origin order by d.first_as desc limit 1), false) as origin
    from unnest(${routes.map(({ no }) => no)}::int[], ${routes.map(({ range }) => textOf(range, range.first))}::inet[],
      ${routes.map(({ range }) => textOf(range, range.last))}::inet[], ${routes.map(({ origin }) => origin)}::bigint[]) as w (no, first, last, origin)`);
  return {
    addresses: new Set(rows.filter(row => row.addresses).map(({ no }) => no)),
    origin: new Set(rows.filter(row => row.origin).map(({ no }) => no)),
  };
}

/** ROAs over the routes of a submission, in one statement; null without any. */
async function roasOf(read: Pick<Read, 'stream'>, items: readonly Item[]) {
  const prefixes = items.flatMap(item => {
    const range = routeClasses.has(item.class) ? addressesOf(item.object) : null;
    const prefix = range && prefixOfRange(range);
    return prefix ? [printPrefix(prefix)] : [];
  });
  if (prefixes.length === 0) return null;
  const rows = await inStream(read, sql<Vrp>`select prefix::text, asn::float8 as asn, max_length from roas_around(${prefixes}::cidr[])`);
  if (rows.length === 0) return null;
  const breathe = breathing();
  const { add, index } = vrpIndexing<Vrp>();
  for (const row of rows) {
    add(row);
    await breathe();
  }
  return index();
}

/** Handles of new contacts and organisations that the journal knows. */
async function goneOf(read: Pick<Read, 'rows'>, created: readonly Item[]): Promise<ReadonlySet<string>> {
  const handles = created.filter(item => onceClasses.includes(item.class));
  if (handles.length === 0) return new Set();
  const rows = await read.rows<{ key: string }>(sql`select distinct w.key
    from unnest(${handles.map(item => item.key)}::text[]) as w (key) cross join unnest(${onceClasses}::text[]) as c (class)
    join whois_journal j on j.class = c.class and j.key = w.key`);
  return new Set(rows.map(({ key }) => key));
}

/** A role that others may name for abuse reports and that would lose its mailbox. */
const losesAbuseMailbox = ({ operation, class: objectClass, object, stored }: Item): boolean =>
  operation === 'modify' &&
  objectClass === 'role' &&
  stored !== null &&
  valuesOf(object, 'abuse-mailbox').length === 0 &&
  valuesOf(objectOfRow(stored), 'abuse-mailbox').length > 0;

/** Maximum number of referring objects that are read; further ones are only counted. */
const REFERRERS_READ = 300;

async function referrersIn(
  read: Pick<Read, 'rows'>,
  items: readonly Item[],
  known: Pick<KnownObjects, 'grouped'>,
  by?: readonly string[],
): Promise<Map<number, Referrers>> {
  const answer = new Map<number, Referrers>();
  for (const objectClass of new Set(items.map(item => item.class))) {
    const names = by ?? referringAttributes(objectClass);
    const some = items.filter(item => item.class === objectClass);
    if (names.length === 0) continue;
    const found = await read.rows<
      Pair & { total: number }
    >(sql`select w.no, r.object_id, r.total from unnest(${some.map(item => item.index)}::int[], ${some.map(item => item.key)}::text[]) as w (no, key)
      cross join lateral (select object_id, count(*) over () as total from (select distinct object_id from whois_reference
        where value = w.key and attribute = any(${names}::text[])) each order by object_id limit ${REFERRERS_READ}) r`);
    const lists = await known.grouped(found);
    for (const { no, total } of found) answer.set(no, { total: Number(total), first: lists.get(no)! });
  }
  return answer;
}

const textOf = ({ family }: AddressRange, value: bigint): string => printAddress({ family, value });
