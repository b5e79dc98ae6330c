import {
  type AddressRange,
  containsRange,
  type NumberResource,
  coveringVrps,
  indexVrps,
  overlapsRange,
  prefixAt,
  prefixOfRange,
  printAddress,
  printPrefix,
  type Vrp,
} from '@portal/number-resources';
import { attributes, type ClassName, references, type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { type NumberAuthority, numberAuthority, type OverNumbers } from '../authority/number-authority.ts';
import { addressesOf, addressesOfRow, asNumberOf, maintainersIn, numbersOf, objectOfRow } from './object-facts.ts';
import { handleClasses, onceClasses } from './handle-space.ts';
import { parentOfSet, setClasses } from './set-names.ts';
import type { Item, StoredObject } from './update.ts';

/** An object as the rest of a submission sees it: as stored, or as the submission would leave it. */
export type Seen = { class: string; key: string; shown: string; object: RpslObject; stored: StoredObject | null; item: Item | null };

export type Referrers = { total: number; first: readonly StoredObject[] };

/**
 * The whois database as it would be after a submission. What an item reads of another item is recorded, so that it is checked again if the other one fails.
 */
export type SubmissionView = {
  find(by: Item, classes: string | readonly string[], key: string): Seen | null;
  /** The refused item that would have made such an object. */
  findRefused(classes: readonly string[], key: string): Item | null;
  /** inetnums or inet6nums around an object's addresses, the smallest first; those of exactly its addresses too. */
  networksAround(by: Item): Seen[];
  /** Networks that partly overlap it. */
  networksAcross(by: Item): Seen[];
  routesAround(by: Item): Seen[];
  /** Reverse domains with addresses in common. */
  adjacentDomains(by: Item): Seen[];
  /** as-blocks that hold an aut-num, the smallest first. */
  asBlocksAround(by: Item): Seen[];
  /** Returns the other objects that refer to this one. */
  referrersOf(by: Item): Referrers;
  /** Returns whether this registry delegated all addresses (or the origin) of a route. */
  isDelegated(by: Item, what: 'addresses' | 'origin'): boolean;
  /** Returns whether a deleted contact or organisation of any class had its handle. */
  wasDeleted(by: Item): boolean;
  /** Returns the existing object of another class with its handle. */
  handleHolder(by: Item): Seen | null;
  isNirMaintainer(maintainer: string): boolean;
  /** Who may write over the numbers of the items, and around them; null if the registry writes, which needs no authorisation. */
  authority: NumberAuthority | null;
  /** Returns the ROAs over a route’s addresses, as their holders want them published. */
  roasOver(by: Item): readonly Vrp[];
  /** Returns the items that depended on an item. */
  dependentsOf(item: Item): ReadonlySet<Item>;
};

const networkClasses = new Set(['inetnum', 'inet6num']);
const routeClasses = new Set(['route', 'route6']);
const idOf = (objectClass: string, key: string): string => `${objectClass} ${key}`;

/** Attributes whose references prevent an object of a class from being deleted; routes don't prevent the deletion of an aut-num. */
export const referringAttributes = (objectClass: string): string[] =>
  objectClass === 'aut-num'
    ? []
    : Object.entries(attributes)
        .filter(([, rule]) => rule.refersTo.includes(objectClass as ClassName))
        .map(([name]) => name);

const columns = sql`o.object_id, o.class, o.key, o.shown, o.text, o.version, host(o.first) as first, host(o.last) as last, o.first_as, o.last_as,
  o.registry_maintained, o.kept_for, o.kept, o.created_at, o.changed_at`;

/** Rows by class and key, in one statement. */
export async function findObjects(read: Pick<Read, 'rows'>, wanted: readonly { class: string; key: string }[]): Promise<StoredObject[]> {
  if (wanted.length === 0) return [];
  // `offset 0` keeps the planner from joining before it knows how big the table is: it looks each of them up.
  return read.rows<StoredObject>(sql`select ${columns}
    from unnest(${wanted.map(w => w.class)}::text[], ${wanted.map(w => w.key)}::text[]) as w (class, key)
    cross join lateral (select * from whois_object where class = w.class and key = w.key offset 0) o`);
}

type Pair = { no: number; objectId: number };

/** An object with its numbers and maintainers. */
export const overNumbers = ({ object, stored }: Pick<Seen, 'object' | 'stored'>): OverNumbers => ({
  numbers: numbersOf(object),
  maintainers: maintainersIn(object, 'mnt-by'),
  kept: stored?.kept ?? false,
  keptFor: stored?.keptFor ?? null,
});

/** Numbers that an item writes over or needs authorisation for: its own, and the origin of a route. */
function numbersAskedFor({ class: objectClass, object, stored }: Item): NumberResource[] {
  const own = [numbersOf(stored ? objectOfRow(stored) : object)];
  const origin = routeClasses.has(objectClass) ? asNumberOf(valueOf(object, 'origin') ?? '') : null;
  if (origin !== null) own.push({ family: 'asn', first: origin, last: origin });
  return own.filter(each => each !== null);
}

/**
 * Reads everything that the checks of a list of items need, with a constant number of statements. @param byRegistry the registry itself writes, so no
 * authorisation is read
 */
export async function openSubmissionView(
  read: Pick<Read, 'rows'>,
  items: readonly Item[],
  { byRegistry }: { byRegistry: boolean },
): Promise<SubmissionView> {
  const rows = new Map<string, StoredObject>();
  const rowsById = new Map<number, StoredObject>();
  const keep = (row: StoredObject): void => {
    if (rowsById.has(row.objectId)) return;
    rows.set(idOf(row.class, row.key), row);
    rowsById.set(row.objectId, row);
  };
  for (const { stored } of items) if (stored) keep(stored);

  const byId = new Map<string, Item>(items.map(item => [idOf(item.class, item.key), item]));
  const created = items.filter(({ operation }) => operation === 'create');
  const deleted = items.filter(({ operation }) => operation === 'delete');

  // The objects they name.
  const wanted = new Map<string, { class: string; key: string }>();
  const want = (objectClass: string, key: string): void => {
    const id = idOf(objectClass, key);
    if (!rows.has(id)) wanted.set(id, { class: objectClass, key });
  };
  for (const { object, class: objectClass, key, operation } of items) {
    if (operation === 'delete') continue;
    for (const { classes, key: referred } of references(object)) for (const each of classes) want(each, referred.toLowerCase());
    if (operation === 'create' && handleClasses.includes(objectClass)) for (const each of handleClasses) want(each, key);
    const parent = parentOfSet(objectClass, key);
    if (parent !== null) for (const each of ['aut-num', ...setClasses]) want(each, parent);
  }
  for (const row of await findObjects(read, [...wanted.values()])) keep(row);

  // The objects around and beside them.
  const ranged = (list: readonly Item[], of: ReadonlySet<string>) =>
    list.flatMap(item => {
      const range = of.has(item.class) ? addressesOf(item.object) : null;
      return range === null ? [] : [{ no: item.index, range }];
    });
  const pairs = async (
    list: ReturnType<typeof ranged>,
    query: (w: ReturnType<typeof sql>) => ReturnType<typeof sql>,
  ): Promise<Map<number, StoredObject[]>> => {
    if (list.length === 0) return new Map();
    const w = sql`unnest(${list.map(({ no }) => no)}::int[], ${list.map(({ range }) => textOf(range, range.first))}::inet[],
      ${list.map(({ range }) => textOf(range, range.last))}::inet[]) as w (no, first, last)`;
    return grouped(await read.rows<Pair>(query(w) as never));
  };
  const grouped = async (found: readonly Pair[]): Promise<Map<number, StoredObject[]>> => {
    const missing = [...new Set(found.map(({ objectId }) => objectId))].filter(id => !rowsById.has(id));
    if (missing.length > 0)
      (await read.rows<StoredObject>(sql`select ${columns} from whois_object o where object_id = any(${missing}::bigint[])`)).forEach(keep);
    const lists = new Map<number, StoredObject[]>();
    for (const { no, objectId } of found) {
      const list = lists.get(no) ?? [];
      const row = rowsById.get(objectId)!;
      if (!list.includes(row)) list.push(row);
      lists.set(no, list);
    }
    return lists;
  };
  const placed = new Set([...networkClasses, ...routeClasses, 'domain']);
  // The smallest prefix over both ends is the range itself for nearly all; the rest is filtered below.
  const networks = await pairs(
    ranged(byRegistry ? [...created, ...deleted] : items, placed),
    w => sql`select w.no, o.object_id from ${w} cross join lateral (
      select object_id from whois_object where class in ('inetnum', 'inet6num') and inet_merge(first, last) >>= w.first
      union select object_id from whois_object where class in ('inetnum', 'inet6num') and inet_merge(first, last) >>= w.last) o`,
  );
  const routes = await pairs(
    ranged(created, routeClasses),
    w => sql`select w.no, o.object_id from ${w} cross join lateral (select object_id from whois_object
      where class in ('route', 'route6') and inet_merge(first, last) >>= w.first offset 0) o`,
  );
  const domains = await pairs(
    ranged(created, new Set(['domain'])),
    w => sql`select w.no, o.object_id from ${w} cross join lateral (
      select object_id from whois_object where class = 'domain' and first is not null and inet_merge(first, last) >>= w.first
      union (select object_id from whois_object where class = 'domain' and first is not null and first between w.first and w.last order by first limit 5)) o`,
  );
  const numbered = created.flatMap(item => (item.class === 'aut-num' ? [{ no: item.index, number: asNumberOf(item.shown) ?? -1 }] : []));
  const blocks =
    numbered.length === 0
      ? new Map<number, StoredObject[]>()
      : await grouped(
          await read.rows<Pair>(sql`select w.no, o.object_id from unnest(${numbered.map(({ no }) => no)}::int[], ${numbered.map(n => n.number)}::bigint[]) as w (no, number)
            join whois_object o on o.class = 'as-block' and o.first_as <= w.number and o.last_as >= w.number`),
        );
  const delegated = await delegatedOf(read, created);
  const gone = await goneOf(read, created);
  const roas = await roasOf(
    read,
    items.filter(({ operation }) => operation !== 'delete'),
  );
  const referrers = new Map([
    ...(await referrersIn(read, [...deleted, ...created.filter(({ class: objectClass }) => objectClass === 'mntner')], grouped)),
    ...(await referrersIn(read, items.filter(losesAbuseMailbox), grouped, ['abuse-c'])),
  ]);
  const nirs = new Set(
    items.length === 0
      ? []
      : (
          await read.rows<{ maintainer: string }>(sql`select maintainer from maintainer_link join account using (account_name) where nir`)
        ).map(({ maintainer }) => maintainer),
  );

  const authority = byRegistry
    ? null
    : await numberAuthority(read, {
        numbers: items.flatMap(numbersAskedFor),
        maintainers: [
          ...items.flatMap(({ object }) => maintainersIn(object, 'mnt-by')),
          ...[...rowsById.values()].flatMap(maintainersOfRow),
        ],
      });

  let names: Map<string, Item[]> | undefined;
  const dependents = new Map<Item, Set<Item>>();
  const looksAt = (by: Item, seen: Item): void => {
    if (by === seen) return;
    const known = dependents.get(seen);
    if (known) known.add(by);
    else dependents.set(seen, new Set([by]));
  };
  /** Returns the object that an item leaves behind; null for a deletion. */
  const seenOf = (item: Item): Seen | null =>
    item.operation === 'delete'
      ? null
      : { class: item.class, key: item.key, shown: item.shown, object: item.object, stored: item.stored, item };
  const seenRow = (by: Item, row: StoredObject): Seen | null => {
    const item = byId.get(idOf(row.class, row.key));
    if (item?.alive) {
      looksAt(by, item);
      return seenOf(item);
    }
    return { class: row.class, key: row.key, shown: row.shown, object: objectOfRow(row), stored: row, item: null };
  };
  const seenRows = (by: Item, list: readonly StoredObject[] = []): Seen[] => list.flatMap(row => seenRow(by, row) ?? []);

  // Networks and routes the submission makes: prefixes by length and first address, other ranges in a list.
  const made = {
    network: newRanges(created.filter(item => networkClasses.has(item.class))),
    route: newRanges(created.filter(item => routeClasses.has(item.class))),
  };
  const madeSeen = (by: Item, list: readonly Item[]): Seen[] =>
    list.flatMap(item => {
      if (!item.alive || item === by) return [];
      looksAt(by, item);
      return seenOf(item) ?? [];
    });

  const around = (by: Item, stored: Map<number, StoredObject[]>, fresh: NewRanges): Seen[] => {
    const range = addressesOf(by.object);
    if (range === null) return [];
    const all = [...seenRows(by, stored.get(by.index)), ...madeSeen(by, fresh.around(range))];
    return all
      .filter(seen => !(seen.class === by.class && seen.key === by.key) && containsRange(rangeOfSeen(seen)!, range))
      .sort((a, b) => sizeOf(a) - sizeOf(b));
  };

  const view: SubmissionView = {
    findRefused: (classes, key) =>
      classes.flatMap(each => byId.get(idOf(each, key)) ?? []).find(({ alive, operation }) => !alive && operation === 'create') ?? null,
    find(by, classes, key) {
      for (const objectClass of typeof classes === 'string' ? [classes] : classes) {
        const item = byId.get(idOf(objectClass, key));
        if (item?.alive) {
          looksAt(by, item);
          const seen = seenOf(item);
          if (seen) return seen;
          continue;
        }
        const row = rows.get(idOf(objectClass, key));
        if (row) return { class: row.class, key: row.key, shown: row.shown, object: objectOfRow(row), stored: row, item: null };
      }
      return null;
    },
    networksAround: by => around(by, networks, made.network),
    networksAcross(by) {
      const range = addressesOf(by.object);
      if (range === null) return [];
      const all = [...seenRows(by, networks.get(by.index)), ...madeSeen(by, made.network.near(range))];
      return all.filter(seen => crosses(rangeOfSeen(seen)!, range));
    },
    routesAround: by => around(by, routes, made.route),
    adjacentDomains(by) {
      const range = addressesOf(by.object);
      const fresh = created.filter(
        item => item.class === 'domain' && item !== by && range !== null && touches(addressesOf(item.object), range),
      );
      return [...seenRows(by, domains.get(by.index)), ...madeSeen(by, fresh)].filter(
        seen => seen.key !== by.key && range !== null && touches(rangeOfSeen(seen), range),
      );
    },
    asBlocksAround(by) {
      const number = asNumberOf(by.shown) ?? -1;
      const fresh = created.filter(item => item.class === 'as-block' && holdsNumber(item, number));
      return [...seenRows(by, blocks.get(by.index)), ...madeSeen(by, fresh)];
    },
    referrersOf(by) {
      const known = referrers.get(by.index) ?? { total: 0, first: [] };
      const names = new Set(referringAttributes(by.class));
      let total = known.total;
      const first: StoredObject[] = [];
      for (const row of known.first) {
        if (row.class === by.class && row.key === by.key) {
          total -= 1;
          continue;
        }
        const item = byId.get(idOf(row.class, row.key));
        if (item?.alive) {
          looksAt(by, item);
          if (item.operation === 'delete' || !refersTo(item.object, names, by.key)) {
            total -= 1;
            continue;
          }
        }
        first.push(row);
      }
      for (const item of namedBy(by.key)) {
        if (item === by || !item.alive || item.operation === 'delete' || (item.stored && known.first.includes(item.stored))) continue;
        if (!refersTo(item.object, names, by.key)) continue;
        looksAt(by, item);
        total += 1;
        first.push(item.stored ?? rowOfNew(item));
      }
      return { total, first };
    },
    isDelegated: (by, what) => delegated[what].has(by.index),
    wasDeleted: by => gone.has(by.key),
    handleHolder: by =>
      view.find(
        by,
        handleClasses.filter(each => each !== by.class),
        by.key,
      ),
    isNirMaintainer: maintainer => nirs.has(maintainer),
    authority,
    roasOver(by) {
      const range = roas === null ? null : addressesOf(by.object);
      const prefix = range && prefixOfRange(range);
      return prefix ? coveringVrps(roas!, prefix) : [];
    },
    dependentsOf: item => dependents.get(item) ?? new Set(),
  };
  return view;

  /** Items whose new text names a key; found once for all. */
  function namedBy(key: string): readonly Item[] {
    if (!names) {
      names = new Map();
      for (const item of items) {
        if (item.operation === 'delete') continue;
        for (const referred of new Set(references(item.object).map(reference => reference.key.toLowerCase()))) {
          const list = names.get(referred);
          if (list) list.push(item);
          else names.set(referred, [item]);
        }
      }
    }
    return names.get(key) ?? [];
  }
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
async function roasOf(read: Pick<Read, 'rows'>, items: readonly Item[]) {
  const prefixes = items.flatMap(item => {
    const range = routeClasses.has(item.class) ? addressesOf(item.object) : null;
    const prefix = range && prefixOfRange(range);
    return prefix ? [printPrefix(prefix)] : [];
  });
  if (prefixes.length === 0) return null;
  const rows = await read.rows<Vrp>(sql`select prefix::text, asn::float8 as asn, max_length from roas_around(${prefixes}::cidr[])`);
  return rows.length === 0 ? null : indexVrps(rows);
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
  grouped: (found: readonly Pair[]) => Promise<Map<number, StoredObject[]>>,
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
    const lists = await grouped(found);
    for (const { no, total } of found) answer.set(no, { total: Number(total), first: lists.get(no)! });
  }
  return answer;
}

const refersTo = (object: RpslObject, names: ReadonlySet<string>, key: string): boolean =>
  references(object).some(reference => names.has(reference.attribute) && reference.key.toLowerCase() === key);

/** A created object as a row, for items that refer to it. */
const rowOfNew = (item: Item): StoredObject => ({
  objectId: 0,
  class: item.class,
  key: item.key,
  shown: item.shown,
  text: '',
  version: 0,
  first: null,
  last: null,
  firstAs: null,
  lastAs: null,
  registryMaintained: false,
  keptFor: null,
  kept: false,
  createdAt: '',
  changedAt: '',
});

const textOf = ({ family }: AddressRange, value: bigint): string => printAddress({ family, value });
const rangeOfSeen = (seen: Seen): AddressRange | null => (seen.stored ? addressesOfRow(seen.stored) : addressesOf(seen.object));
const sizeOf = (seen: Seen): number => {
  const range = rangeOfSeen(seen)!;
  return Number(range.last - range.first);
};
const touches = (a: AddressRange | null, b: AddressRange): boolean => a !== null && overlapsRange(a, b);
const crosses = (a: AddressRange, b: AddressRange): boolean => overlapsRange(a, b) && !containsRange(a, b) && !containsRange(b, a);
function holdsNumber(item: Item, number: number): boolean {
  const [first, last] = item.shown.split('-').map(part => asNumberOf(part.trim()));
  return first != null && last != null && first <= number && number <= last;
}

/** The ranges of one submission, indexed: there may be thousands. */
type NewRanges = { around(range: AddressRange): Item[]; near(range: AddressRange): Item[] };
function newRanges(items: readonly Item[]): NewRanges {
  const prefixes = new Map<string, Item[]>();
  const odd: Item[] = [];
  const lengths = new Set<number>();
  for (const item of items) {
    const range = addressesOf(item.object);
    if (range === null) continue;
    const prefix = prefixOfRange(range);
    if (!prefix) {
      odd.push(item);
      continue;
    }
    lengths.add(prefix.length);
    const name = `${prefix.family} ${prefix.length} ${prefix.first}`;
    const list = prefixes.get(name);
    if (list) list.push(item);
    else prefixes.set(name, [item]);
  }
  const around = (range: AddressRange): Item[] => {
    const found = odd.filter(item => containsRange(addressesOf(item.object)!, range));
    const bits = range.family === 'ipv4' ? 32 : 128;
    for (const length of lengths) {
      if (length > bits) continue;
      const outer = prefixAt(range.family, (range.first >> BigInt(bits - length)) << BigInt(bits - length), length);
      if (containsRange(outer, range)) found.push(...(prefixes.get(`${range.family} ${length} ${outer.first}`) ?? []));
    }
    return found;
  };
  return {
    around,
    // Prefixes never cross each other.
    near: range => (prefixOfRange(range) ? odd : items).filter(item => touches(addressesOf(item.object), range)),
  };
}
