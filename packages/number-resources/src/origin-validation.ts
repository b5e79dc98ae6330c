import type { AddressFamily } from './family.ts';
import { type Prefix, parsePrefix } from './prefix.ts';

/** A validated ROA payload: this AS may originate the prefix, and more specific ones down to `maxLength` (RFC 6811 section 2). */
export type Vrp = { prefix: string; asn: number; maxLength: number };

/**
 * State of an announcement (RFC 6811 section 2). The standard knows one invalid state; people need to know what to repair: `invalid-length` if a covering VRP
 * names its AS and only the maximum length is too short, `invalid-asn` otherwise, which includes prefixes that AS0 forbids (RFC 6483 section 4).
 */
export const validities = ['valid', 'invalid-asn', 'invalid-length', 'not-found'] as const;
export type Validity = (typeof validities)[number];

/** The VRPs of one prefix. */
type Place<V extends Vrp> = readonly V[];

/** VRPs by prefix, for `validateOrigin`. */
export type VrpIndex<V extends Vrp = Vrp> = {
  readonly size: number;
  /** Of each family, the lengths that occur, and the VRPs of each by the key of their prefix. */
  readonly families: { readonly [F in AddressFamily]: readonly { length: number; byKey: ReadonlyMap<number | bigint, Place<V>> }[] };
  /** The VRPs of a prefix with many by AS number, the one of the longest maximum length first: nothing goes through all of them for each announcement. */
  readonly crowded: ReadonlyMap<Place<V>, ReadonlyMap<number, readonly V[]>>;
};

/** VRPs that are looked through one by one; a prefix with more has them by AS number. */
const FEW = 8;

const smallBits = { ipv4: 32, ipv6: 48 } as const;

/** The first `length` bits as a map key: a number where it fits exactly, which maps find much faster than a bigint. */
function keyOf(family: AddressFamily, first: bigint, length: number): number | bigint {
  const bits = family === 'ipv4' ? 32 : 128;
  const top = first >> BigInt(bits - length);
  return length <= smallBits[family] ? Number(top) : top;
}

/** Builds the index: O(n). */
export function indexVrps<V extends Vrp>(vrps: Iterable<V>): VrpIndex<V> {
  const { add, index } = vrpIndexing<V>();
  for (const vrp of vrps) add(vrp);
  return index();
}

/** Builds the same index one VRP at a time, for work that lets others have their turn meanwhile. */
export function vrpIndexing<V extends Vrp>(): { add: (vrp: V) => void; index: () => VrpIndex<V> } {
  const families: Record<AddressFamily, Map<number, Map<number | bigint, V[]>>> = { ipv4: new Map(), ipv6: new Map() };
  const crowded = new Map<Place<V>, Map<number, V[]>>();
  let size = 0;
  const add = (vrp: V): void => {
    const { family, first, length } = parsePrefix(vrp.prefix);
    const lengths = families[family];
    let byKey = lengths.get(length);
    if (!byKey) lengths.set(length, (byKey = new Map()));
    const key = keyOf(family, first, length);
    const list = byKey.get(key);
    if (list) list.push(vrp);
    else byKey.set(key, [vrp]);
    if (list && list.length > FEW) addToCrowd(crowded, list, vrp);
    size++;
  };
  const sorted = (family: AddressFamily) =>
    [...families[family]].toSorted(([a], [b]) => a - b).map(([length, byKey]) => ({ length, byKey }));
  return { add, index: () => ({ size, families: { ipv4: sorted('ipv4'), ipv6: sorted('ipv6') }, crowded }) };
}

/** Adds the last VRP of a place to those by AS number, with the first one beyond `FEW` all of them. */
function addToCrowd<V extends Vrp>(crowded: Map<Place<V>, Map<number, V[]>>, list: Place<V>, vrp: V): void {
  const known = crowded.get(list);
  const byAs = known ?? new Map<number, V[]>();
  if (!known) crowded.set(list, byAs);
  for (const each of known ? [vrp] : list) {
    const same = byAs.get(each.asn);
    if (!same) byAs.set(each.asn, [each]);
    else if (each.maxLength > same[0]!.maxLength) {
      same.push(same[0]!);
      same[0] = each;
    } else same.push(each);
  }
}

type Announced = Pick<Prefix, 'family' | 'first' | 'length'>;

/** The VRPs of each prefix that contains this one, the least specific prefix first: a list of 33 or 129 lists at most, which are not copied. */
export function coveringPlaces<V extends Vrp>(index: VrpIndex<V>, { family, first, length: own }: Announced): (readonly V[])[] {
  const found: (readonly V[])[] = [];
  for (const { length, byKey } of index.families[family]) {
    if (length > own) break;
    const list = byKey.get(keyOf(family, first, length));
    if (list) found.push(list);
  }
  return found;
}

/** Those of the VRPs of one prefix (of `coveringPlaces`) that name this AS, the one of the longest maximum length first. */
export function vrpsOfAs<V extends Vrp>(index: VrpIndex<V>, place: readonly V[], asn: number): readonly V[] {
  const byAs = index.crowded.get(place);
  if (byAs) return byAs.get(asn) ?? [];
  return place.filter(vrp => vrp.asn === asn).toSorted((a, b) => b.maxLength - a.maxLength);
}

/** True if a VRP covers this prefix. */
export const isCovered = (index: VrpIndex, prefix: Announced): boolean => coveringPlaces(index, prefix).length > 0;

/**
 * VRPs whose prefix contains this one, the least specific first. There may be as many as all members have ROAs: what is done for each of many announcements asks
 * `coveringPlaces`, or `decidingVrps` for a few of them.
 */
export const coveringVrps = <V extends Vrp>(index: VrpIndex<V>, prefix: Announced): V[] => coveringPlaces(index, prefix).flat();

/** Some VRPs that cover an announcement, those that name its AS before others, each the least specific first; and how many there are. @param most VRPs that are returned */
export function decidingVrps<V extends Vrp>(
  index: VrpIndex<V>,
  prefix: Announced,
  asn: number,
  most: number,
): { vrps: V[]; count: number } {
  const places = coveringPlaces(index, prefix);
  const vrps: V[] = [];
  for (const place of places) for (const vrp of vrpsOfAs(index, place, asn)) if (vrps.length < most) vrps.push(vrp);
  for (const place of places)
    for (const vrp of place) {
      if (vrps.length >= most) break;
      if (vrp.asn !== asn) vrps.push(vrp);
    }
  return { vrps, count: places.reduce((sum, { length }) => sum + length, 0) };
}

/** The state of an announcement among VRPs that cover it, in any order. */
export function validityAmong(covering: readonly Vrp[], length: number, asn: number): Validity {
  if (covering.length === 0) return 'not-found';
  let sameAs = false;
  if (asn !== 0)
    for (const vrp of covering)
      if (vrp.asn === asn) {
        if (length <= vrp.maxLength) return 'valid';
        sameAs = true;
      }
  return sameAs ? 'invalid-length' : 'invalid-asn';
}

/**
 * Validates one announcement (RFC 6811 section 2). An announcement whose origin is an AS set or empty has no origin: pass AS0, which no VRP makes valid.
 * Costs one look-up for each prefix length that occurs among the VRPs, however many VRPs a prefix has.
 */
export function validateOrigin(index: VrpIndex, prefix: Announced, asn: number): Validity {
  const { family, first, length: own } = prefix;
  let [covered, isSameAs] = [false, false];
  // Plain numbers where they do: this runs a million times for a full table.
  const address = family === 'ipv4' ? Number(first) : null;
  for (const { length, byKey } of index.families[family]) {
    if (length > own) break;
    const list = byKey.get(address === null ? keyOf(family, first, length) : length === 0 ? 0 : address >>> (32 - length));
    if (!list) continue;
    covered = true;
    if (asn === 0) continue;
    if (list.length > FEW) {
      const [longest] = index.crowded.get(list)!.get(asn) ?? [];
      if (!longest) continue;
      if (own <= longest.maxLength) return 'valid';
      isSameAs = true;
    } else
      for (const vrp of list)
        if (vrp.asn === asn) {
          if (own <= vrp.maxLength) return 'valid';
          isSameAs = true;
        }
  }
  return isSameAs ? 'invalid-length' : covered ? 'invalid-asn' : 'not-found';
}
