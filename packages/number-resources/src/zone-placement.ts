import { type Prefix, prefixAt } from './prefix.ts';
import { containsRange, overlapsRange } from './range.ts';
import { listZonePrefixes } from './reverse-zone.ts';

/** Where a zone stands: `exact`: delegated as it is; `covered`: a wider zone is delegated; `partly`: only zones inside it are; `missing`: nothing. */
export type ZonePlacement = {
  zone: Prefix;
  state: 'exact' | 'covered' | 'partly' | 'missing';
  /** The delegated zone: itself, or the one around it. */
  by: Prefix | null;
  /** Delegated zones inside it, in address order. */
  inner: readonly Prefix[];
};

/**
 * Compares the zones that a prefix needs (`listZonePrefixes`) with the zones that are delegated.
 * @param delegated prefixes of delegated zones, in any order; others than those of the prefix are passed over
 */
export function placeZones(prefix: Prefix, delegated: readonly Prefix[]): ZonePlacement[] {
  const near = delegated.filter(each => each.family === prefix.family && overlapsRange(each, prefix)).toSorted(byAddress);
  const exact = new Map(near.map(each => [keyOf(each), each]));
  const wide = near.filter(each => containsRange(each, prefix));
  let at = 0;
  return listZonePrefixes(prefix).map(zone => {
    while (at < near.length && near[at]!.last < zone.first) at++;
    const own = exact.get(keyOf(zone));
    if (own) return { zone, state: 'exact', by: own, inner: [] };
    const around = wide.find(each => each.length < zone.length && containsRange(each, zone));
    if (around) return { zone, state: 'covered', by: around, inner: [] };
    const inner: Prefix[] = [];
    for (let i = at; i < near.length && near[i]!.first <= zone.last; i++) if (containsRange(zone, near[i]!)) inner.push(near[i]!);
    return inner.length > 0 ? { zone, state: 'partly', by: null, inner } : { zone, state: 'missing', by: null, inner: [] };
  });
}

/** Prefixes of one family: in address order, by what they are, and the lengths there are. */
type Indexed = { sorted: Prefix[]; byKey: Map<string, Prefix>; lengths: number[] };

/** Returns the delegated zones inside a prefix or around it, in no order. Made once for many prefixes, each costs what is found for it. */
export function zonesNear(delegated: readonly Prefix[]): (prefix: Prefix) => Prefix[] {
  const families = new Map<Prefix['family'], Indexed>();
  for (const [family, zones] of Map.groupBy(delegated, each => each.family))
    families.set(family, {
      sorted: zones.toSorted(byAddress),
      byKey: new Map(zones.map(each => [keyOf(each), each])),
      lengths: [...new Set(zones.map(({ length }) => length))],
    });
  return prefix => {
    const of = families.get(prefix.family);
    if (!of) return [];
    const { sorted, byKey, lengths } = of;
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sorted[middle]!.first < prefix.first) from = middle + 1;
      else to = middle;
    }
    const found: Prefix[] = [];
    for (; from < sorted.length && sorted[from]!.first <= prefix.last; from++)
      if (sorted[from]!.length >= prefix.length) found.push(sorted[from]!);
    for (const length of lengths) {
      if (length >= prefix.length) continue;
      const size = 1n << BigInt((prefix.family === 'ipv4' ? 32 : 128) - length);
      const around = byKey.get(keyOf({ first: prefix.first - (prefix.first % size), length }));
      if (around) found.push(around);
    }
    return found;
  };
}

/** The zones that a prefix needs, one boundary further down: for a holder that delegates /24 of a /16, or /48 of a /44. At most 256. */
export function finerZones(prefix: Prefix): Prefix[] {
  const [first] = listZonePrefixes(prefix);
  if (!first) return [];
  const length = first.length + (prefix.family === 'ipv4' ? 8 : 4);
  if (length > (prefix.family === 'ipv4' ? 24 : 128)) return [];
  const count = 1n << BigInt(length - prefix.length);
  if (count > 256n) return [];
  const size = 1n << BigInt((prefix.family === 'ipv4' ? 32 : 128) - length);
  return Array.from({ length: Number(count) }, (_, index) => prefixAt(prefix.family, prefix.first + BigInt(index) * size, length));
}

const keyOf = ({ first, length }: Pick<Prefix, 'first' | 'length'>): string => `${first}/${length}`;
const byAddress = (a: Prefix, b: Prefix): number => (a.first < b.first ? -1 : a.first > b.first ? 1 : a.length - b.length);
