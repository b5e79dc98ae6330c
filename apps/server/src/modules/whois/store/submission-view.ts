import {
  type AddressRange,
  containsRange,
  decidingVrps,
  overlapsRange,
  prefixOfRange,
  validateOrigin,
  type Validity,
  type Vrp,
} from '@portal/number-resources';
import { references, type RpslObject } from '@portal/rpsl';
import type { Read } from '../../../platform/database/index.ts';
import type { NumberAuthority, OverNumbers } from '../authority/number-authority.ts';
import { handleClasses } from './handle-space.ts';
import { type NewRanges, newRanges, touches } from './new-ranges.ts';
import { addressesOf, addressesOfRow, asNumberOf, maintainersIn, numbersOf, objectOfRow } from './object-facts.ts';
import { idOf, type Referrers, referringAttributes } from './stored-objects.ts';
import { networkClasses, readSubmission, routeClasses, type SubmissionReading } from './submission-reading.ts';
import type { Item, StoredObject } from './update.ts';

/** An object as the rest of a submission sees it: as stored, or as the submission would leave it. */
export type Seen = { class: string; key: string; shown: string; object: RpslObject; stored: StoredObject | null; item: Item | null };

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
  /** Returns how ROAs judge a route of this origin, as their holders want them published, and the first of those that decide it. */
  judgedByRoas(by: Item, origin: number): { validity: Validity; vrps: readonly Vrp[]; count: number };
  /** Returns the items that depended on an item. */
  dependentsOf(item: Item): ReadonlySet<Item>;
};

/** ROAs that are named where a route is invalid. */
const NAMED_ROAS = 3;

/** An object with its numbers and maintainers. */
export const overNumbers = ({ object, stored }: Pick<Seen, 'object' | 'stored'>): OverNumbers => ({
  numbers: numbersOf(object),
  maintainers: maintainersIn(object, 'mnt-by'),
  kept: stored?.kept ?? false,
  keptFor: stored?.keptFor ?? null,
});

/** Reads and opens the view of a submission. @param byRegistry the registry itself writes, so no authorisation is read */
export async function openSubmissionView(
  read: Pick<Read, 'rows' | 'stream'>,
  items: readonly Item[],
  { byRegistry }: { byRegistry: boolean },
): Promise<SubmissionView> {
  const reading = await readSubmission(read, items, { byRegistry });
  const { known, delegated, gone, roas, nirs, authority } = reading;
  const sights = sightings(items);
  const { itemAt, looksAt, seenOf } = sights;
  const view: SubmissionView = {
    findRefused: (classes, key) =>
      classes.flatMap(each => itemAt(each, key) ?? []).find(({ alive, operation }) => !alive && operation === 'create') ?? null,
    find(by, classes, key) {
      for (const objectClass of typeof classes === 'string' ? [classes] : classes) {
        const item = itemAt(objectClass, key);
        if (item?.alive) {
          looksAt(by, item);
          const seen = seenOf(item);
          if (seen) return seen;
          continue;
        }
        const row = known.find(objectClass, key);
        if (row) return seenAsStored(row);
      }
      return null;
    },
    ...surroundings(items, reading, sights),
    referrersOf: referrersIn(items, reading, sights),
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
    judgedByRoas(by, origin) {
      const range = roas === null ? null : addressesOf(by.object);
      const prefix = range && prefixOfRange(range);
      if (!prefix) return { validity: 'not-found', vrps: [], count: 0 };
      return { validity: validateOrigin(roas!, prefix, origin), ...decidingVrps(roas!, prefix, origin, NAMED_ROAS) };
    },
    dependentsOf: sights.dependentsOf,
  };
  return view;
}

const seenAsStored = (row: StoredObject): Seen => ({
  class: row.class,
  key: row.key,
  shown: row.shown,
  object: objectOfRow(row),
  stored: row,
  item: null,
});

type Sightings = ReturnType<typeof sightings>;

/** The items of a submission as they see each other; who looked at what is remembered. */
function sightings(items: readonly Item[]) {
  const byId = new Map<string, Item>(items.map(item => [idOf(item.class, item.key), item]));
  const itemAt = (objectClass: string, key: string): Item | undefined => byId.get(idOf(objectClass, key));
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
    const item = itemAt(row.class, row.key);
    if (item?.alive) {
      looksAt(by, item);
      return seenOf(item);
    }
    return seenAsStored(row);
  };
  const seenRows = (by: Item, list: readonly StoredObject[] = []): Seen[] => list.flatMap(row => seenRow(by, row) ?? []);
  const madeSeen = (by: Item, list: readonly Item[]): Seen[] =>
    list.flatMap(item => {
      if (!item.alive || item === by) return [];
      looksAt(by, item);
      return seenOf(item) ?? [];
    });
  return {
    itemAt,
    looksAt,
    seenOf,
    seenRows,
    madeSeen,
    dependentsOf: (item: Item): ReadonlySet<Item> => dependents.get(item) ?? new Set(),
  };
}

type Surroundings = Pick<SubmissionView, 'networksAround' | 'networksAcross' | 'routesAround' | 'adjacentDomains' | 'asBlocksAround'>;

/** Finds what lies around an object and beside it: stored ones, and those the submission makes. */
function surroundings(
  items: readonly Item[],
  { networks, routes, domains, blocks }: SubmissionReading,
  { seenRows, madeSeen }: Sightings,
): Surroundings {
  const created = items.filter(({ operation }) => operation === 'create');
  const made = {
    network: newRanges(created.filter(item => networkClasses.has(item.class))),
    route: newRanges(created.filter(item => routeClasses.has(item.class))),
  };
  const around = (by: Item, stored: Map<number, StoredObject[]>, fresh: NewRanges): Seen[] => {
    const range = addressesOf(by.object);
    if (range === null) return [];
    const all = [...seenRows(by, stored.get(by.index)), ...madeSeen(by, fresh.around(range))];
    return all
      .filter(seen => !(seen.class === by.class && seen.key === by.key) && containsRange(rangeOfSeen(seen)!, range))
      .sort((a, b) => sizeOf(a) - sizeOf(b));
  };
  return {
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
  };
}

/** Returns how the objects that refer to one are found, with the references that the submission adds and takes away. */
function referrersIn(
  items: readonly Item[],
  { referrers }: SubmissionReading,
  { itemAt, looksAt }: Sightings,
): SubmissionView['referrersOf'] {
  let names: Map<string, Item[]> | undefined;
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

  return by => {
    const known = referrers.get(by.index) ?? { total: 0, first: [] };
    const names = new Set(referringAttributes(by.class));
    let total = known.total;
    const first: StoredObject[] = [];
    for (const row of known.first) {
      if (row.class === by.class && row.key === by.key) {
        total -= 1;
        continue;
      }
      const item = itemAt(row.class, row.key);
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
  };
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

const rangeOfSeen = (seen: Seen): AddressRange | null => (seen.stored ? addressesOfRow(seen.stored) : addressesOf(seen.object));
const sizeOf = (seen: Seen): number => {
  const range = rangeOfSeen(seen)!;
  return Number(range.last - range.first);
};
const crosses = (a: AddressRange, b: AddressRange): boolean => overlapsRange(a, b) && !containsRange(a, b) && !containsRange(b, a);
function holdsNumber(item: Item, number: number): boolean {
  const [first, last] = item.shown.split('-').map(part => asNumberOf(part.trim()));
  return first != null && last != null && first <= number && number <= last;
}
