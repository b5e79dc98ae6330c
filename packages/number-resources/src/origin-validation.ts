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

/** VRPs by prefix, for `validateOrigin`. */
export type VrpIndex<V extends Vrp = Vrp> = {
  readonly size: number;
  /** Of each family, the lengths that occur, and the VRPs of each by the key of their prefix. */
  readonly families: { readonly [F in AddressFamily]: readonly { length: number; byKey: ReadonlyMap<number | bigint, readonly V[]> }[] };
};

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
    size++;
  };
  const sorted = (family: AddressFamily) =>
    [...families[family]].toSorted(([a], [b]) => a - b).map(([length, byKey]) => ({ length, byKey }));
  return { add, index: () => ({ size, families: { ipv4: sorted('ipv4'), ipv6: sorted('ipv6') } }) };
}

/** All VRPs whose prefix contains this one, the least specific first. */
export function coveringVrps<V extends Vrp>(
  index: VrpIndex<V>,
  { family, first, length: own }: Pick<Prefix, 'family' | 'first' | 'length'>,
): V[] {
  const found: V[] = [];
  for (const { length, byKey } of index.families[family]) {
    if (length > own) break;
    const list = byKey.get(keyOf(family, first, length));
    if (list) found.push(...list);
  }
  return found;
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
 * Costs one look-up for each prefix length that occurs among the VRPs.
 */
export function validateOrigin(index: VrpIndex, prefix: Pick<Prefix, 'family' | 'first' | 'length'>, asn: number): Validity {
  const { family, first, length: own } = prefix;
  let [isCovered, isSameAs] = [false, false];
  const lengths = index.families[family];
  if (family === 'ipv4') {
    // Plain numbers: this runs a million times for a full table.
    const address = Number(first);
    for (const { length, byKey } of lengths) {
      if (length > own) break;
      const list = byKey.get(length === 0 ? 0 : address >>> (32 - length));
      if (!list) continue;
      isCovered = true;
      for (const vrp of list)
        if (vrp.asn === asn && asn !== 0) {
          if (own <= vrp.maxLength) return 'valid';
          isSameAs = true;
        }
    }
  } else
    for (const { length, byKey } of lengths) {
      if (length > own) break;
      const list = byKey.get(keyOf(family, first, length));
      if (!list) continue;
      isCovered = true;
      for (const vrp of list)
        if (vrp.asn === asn && asn !== 0) {
          if (own <= vrp.maxLength) return 'valid';
          isSameAs = true;
        }
    }
  return isSameAs ? 'invalid-length' : isCovered ? 'invalid-asn' : 'not-found';
}
