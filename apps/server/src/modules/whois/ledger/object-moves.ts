import {
  containsRange,
  intersectSets,
  listPrefixes,
  listZonePrefixes,
  type NumberResource,
  overlapsResource,
  printPrefix,
  printReverseZone,
  type ResourceSet,
  resourceSetOf,
} from '@portal/number-resources';
import { attributeOf, type RpslAttribute, type RpslObject, withValue } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { columnsOf } from '../../resources/index.ts';
import { linkedMaintainers } from '../rights/maintainer-links.ts';
import { addressesOf, addressesOfRow, asNumberOf, listOf, maintainersIn, objectOfRow } from '../store/object-facts.ts';
import { lockWhois } from '../store/lock.ts';
import { setClasses } from '../store/set-names.ts';
import { storeObjects, type Write } from '../store/store.ts';
import { findObjects } from '../store/stored-objects.ts';
import { identityOf } from '../store/syntax.ts';
import type { StoredObject } from '../store/update.ts';
import { actsOf, syncAccounts } from './registry-object-sync.ts';

/** Numbers that leave their holder. */
export type MovedNumbers = {
  from: string;
  moved: readonly NumberResource[];
  /** The parts that the holder has of the delegations that are split. */
  rest: readonly NumberResource[];
  /** Everything the holder has afterwards. */
  heldAfter: ResourceSet;
};

/**
 * A whois object that a move of numbers touches. `inside`: it covers only moved numbers. `across`: a route, zone or network that covers others too.
 * `origin`: a route
 * of the holder, elsewhere, from an AS number that moves. `replaced`: the registry's own object of a block takes its place.
 */
export type TouchedObject = {
  class: string;
  shown: string;
  stored: StoredObject;
  why: 'inside' | 'across' | 'origin' | 'replaced';
  /** The objects that replace a route or zone across: the same for the kept parts. */
  becomes: readonly { class: string; key: string; shown: string; object: RpslObject }[];
};

const columns = sql`object_id, class, key, shown, text, version, host(first) as first, host(last) as last, first_as, last_as, registry_maintained, kept_for,
  kept, created_at, changed_at`;
const kinds = [sql`class in ('inetnum', 'inet6num')`, sql`class in ('route', 'route6')`, sql`class = 'domain' and first is not null`];

/** Lists every whois object that a move touches, except those the registry keeps, ordered by address, AS numbers last. */
export async function touchedObjects(read: Pick<Read, 'rows'>, move: MovedNumbers): Promise<TouchedObject[]> {
  const found = new Map<number, TouchedObject>();
  const add = (stored: StoredObject, why: TouchedObject['why'], becomes: TouchedObject['becomes'] = []): void => {
    if (!found.has(stored.objectId)) found.set(stored.objectId, { class: stored.class, shown: stored.shown, stored, why, becomes });
  };
  const blocks = [...move.moved, ...move.rest].filter(({ family }) => family !== 'asn');
  for (const row of await networksOfExactly(read, blocks)) add(row, 'replaced');
  for (const resource of move.moved) {
    if (resource.family === 'asn') {
      for (const row of await ofAsNumbers(read, resource.first, resource.last)) add(row, 'inside');
      continue;
    }
    for (const row of await meeting(read, resource)) {
      const range = addressesOfRow(row);
      if (range === null || !overlapsResource(resourceSetOf(move.moved), range)) continue;
      if (move.moved.some(each => each.family !== 'asn' && each.family === range.family && containsRange(each, range))) add(row, 'inside');
      else if (!row.registryMaintained) add(row, 'across', partsOf(row, move));
    }
  }
  const maintainers = new Set((await linkedMaintainers(read, move.from)).map(({ key }) => key));
  for (const resource of move.moved)
    if (resource.family === 'asn')
      for (const row of await routesFrom(read, resource.first, resource.last)) {
        const range = addressesOfRow(row);
        const isOwn = maintainersIn(objectOfRow(row), 'mnt-by').some(each => maintainers.has(each));
        if (isOwn && range !== null && overlapsResource(move.heldAfter, range)) add(row, 'origin');
      }
  // A part that already has an object needs no second one.
  const wanted = [...found.values()].flatMap(({ becomes }) => becomes);
  const there = new Set((await findObjects(read, wanted)).map(row => `${row.class} ${row.key}`));
  return [...found.values()].map(each => ({
    ...each,
    becomes: each.becomes.filter(({ class: objectClass, key }) => !there.has(`${objectClass} ${key}`)),
  }));
}

/** Networks of members that have exactly these ranges. */
async function networksOfExactly(read: Pick<Read, 'rows'>, blocks: readonly NumberResource[]): Promise<StoredObject[]> {
  if (blocks.length === 0) return [];
  const ends = blocks.map(columnsOf);
  return read.rows<StoredObject>(sql`select ${columns} from whois_object where class in ('inetnum', 'inet6num') and not kept
    and (first, last) in (select * from unnest(${ends.map(({ first }) => first)}::inet[], ${ends.map(({ last }) => last)}::inet[])) order by first, last desc`);
}

/** Objects that cover some of these addresses, the widest first. */
function meeting(read: Pick<Read, 'rows'>, resource: NumberResource): Promise<StoredObject[]> {
  const { first, last } = columnsOf(resource);
  const parts = kinds.flatMap(kind => [
    sql`(select * from whois_object where ${kind} and first >= ${first}::inet and first <= ${last}::inet and not kept)`,
    sql`(select * from (select * from whois_object where ${kind} and inet_merge(first, last) >>= ${first}::inet offset 0) w
      where w.first < ${first}::inet and w.last >= ${first}::inet and not w.kept)`,
  ]);
  return read.rows<StoredObject>(
    sql`select ${columns} from (${sql.join(parts, sql` union all `)}) o order by o.first, o.last desc, o.class, o.key`,
  );
}

/** aut-nums and as-blocks of members among these numbers, and sets named below one. */
const ofAsNumbers = (read: Pick<Read, 'rows'>, first: number, last: number): Promise<StoredObject[]> =>
  read.rows<StoredObject>(sql`select ${columns} from whois_object where not kept and (
      (class in ('aut-num', 'as-block') and first_as >= ${first} and last_as <= ${last})
      or (class = any(${[...setClasses]}::text[]) and key ~ '^as[0-9]{1,10}:' and substr(split_part(key, ':', 1), 3)::bigint between ${first} and ${last}))
    order by class, key`);

const routesFrom = (read: Pick<Read, 'rows'>, first: number, last: number): Promise<StoredObject[]> =>
  read.rows<StoredObject>(sql`select ${columns} from whois_object where class in ('route', 'route6') and not kept and origin between ${first} and ${last}
    order by first, last desc, key`);

/** The same route or zone for each part that its holder keeps. Networks, and routes from a moved AS number, are not split. */
function partsOf(row: StoredObject, { moved, heldAfter }: MovedNumbers): TouchedObject['becomes'] {
  const object = objectOfRow(row);
  const range = addressesOf(object);
  if (range === null || row.class === 'inetnum' || row.class === 'inet6num') return [];
  const origin = asNumberOf(object.attributes.find(({ name }) => name === 'origin')?.value ?? '');
  if (origin !== null && moved.some(each => each.family === 'asn' && each.first <= origin && origin <= each.last)) return [];
  const parts = listPrefixes(intersectSets(resourceSetOf([range]), heldAfter), range.family);
  const keys = row.class === 'domain' ? parts.filter(hasZones).flatMap(listZonePrefixes).map(printReverseZone) : parts.map(printPrefix);
  return keys.flatMap(key => {
    const [first, ...others] = object.attributes;
    const attributes = [withValue(first!, key), ...others.flatMap(line => lineOfPart(line, key))];
    const part: RpslObject = { class: object.class, attributes };
    const identity = identityOf(part);
    return identity ? [{ ...identity, object: part }] : [];
  });
}

const hasZones = ({ family, length }: { family: string; length: number }): boolean => family === 'ipv6' || length <= 24;

/** A line of a zone as its parts have it: DS records, and addresses of servers inside the zone, are valid for one name only. */
function lineOfPart(line: RpslAttribute, zone: string): RpslAttribute[] {
  if (line.name === 'ds-rdata' || line.name === 'last-modified') return [];
  if (line.name !== 'nserver') return [line];
  const [host = ''] = line.value.split(/\s+/);
  return [host.toLowerCase().endsWith(`.${zone}`) ? line : withValue(line, host)];
}

/** The fate of a touched object. */
export type ObjectAct = 'hands-over' | 'ends' | 'shrinks' | 'replaced';

/** The maintainer of the objects afterwards. */
type Recipient = { maintainer: string; contact: string; irt: string | null };

/**
 * Applies a move to whois objects, and synchronises the registry's own objects of both accounts in the same change: once it commits, nothing in the
 * numbers names their former holder. @param to the new holder; null if it isn't an account of this registry
 */
export async function carryOutObjects(
  change: Change,
  acts: readonly { touched: TouchedObject; act: ObjectAct }[],
  {
    from,
    to,
    moved,
    reason,
    profile,
  }: { from: string; to: string | null; moved: readonly NumberResource[]; reason: string; profile: Profile },
): Promise<void> {
  await lockWhois(change);
  const recipient = await actsOf(change, to, profile);
  const writes = acts.flatMap(({ touched, act }): Write[] => {
    const { stored, becomes } = touched;
    const same = { class: stored.class, key: stored.key, shown: stored.shown, stored };
    const gone: Write = { operation: 'delete', ...same, object: objectOfRow(stored), reason };
    switch (act) {
      case 'replaced':
        return [];
      case 'hands-over':
        return [{ operation: 'modify', ...same, object: handedOver(objectOfRow(stored), recipient, moved) }];
      case 'ends':
        return [gone];
      case 'shrinks':
        return [gone, ...becomes.map((each): Write => ({ operation: 'create', ...each, stored: null }))];
    }
  });
  await storeObjects(change, writes, profile);
  await syncAccounts(change, to === null ? [from] : [from, to], profile);
}

const contacts = ['admin-c', 'tech-c', 'zone-c'];
/** Lines that let others write, or that name contacts of the former holder. */
const ofHolder = [
  'mnt-lower',
  'mnt-routes',
  'mnt-domains',
  'notify',
  'mnt-nfy',
  'abuse-c',
  'ping-hdl',
  'org',
  'sponsoring-org',
  'last-modified',
];

/** An object of the new holder, with its maintainer, contacts and irt, and without maintainers that the former holder let in. */
export function handedOver(object: RpslObject, { maintainer, contact, irt }: Recipient, moved: readonly NumberResource[]): RpslObject {
  const values: Record<string, string> = {
    'mnt-by': maintainer,
    ...(irt !== null && { 'mnt-irt': irt }),
    'mbrs-by-ref': maintainer,
    ...Object.fromEntries(contacts.map(name => [name, contact])),
  };
  const seen = new Set<string>();
  const attributes = object.attributes.flatMap((line): RpslAttribute[] => {
    // Abuse reports never go to the former holder or to the registry.
    if (ofHolder.includes(line.name) || (line.name === 'mnt-irt' && irt === null)) return [];
    if (line.name === 'member-of') return goesAlong(line, moved);
    const value = line.name === 'mbrs-by-ref' && /^any$/i.test(line.value) ? undefined : values[line.name];
    if (value === undefined) return [line];
    if (seen.has(line.name)) return [];
    seen.add(line.name);
    return [withValue(line, value)];
  });
  if (!seen.has('mnt-by')) {
    const source = attributes.findIndex(({ name }) => name === 'source');
    attributes.splice(source < 0 ? attributes.length : source, 0, attributeOf('mnt-by', maintainer));
  }
  return { class: object.class, attributes };
}

/** Set memberships stay if the set moves too. */
function goesAlong(line: RpslAttribute, moved: readonly NumberResource[]): RpslAttribute[] {
  const sets = listOf({ class: '', attributes: [line] }, 'member-of').filter(name => {
    const number = asNumberOf(name.split(':')[0]!);
    return number !== null && moved.some(each => each.family === 'asn' && each.first <= number && number <= each.last);
  });
  return sets.length === 0 ? [] : [withValue(line, sets.join(', '))];
}
