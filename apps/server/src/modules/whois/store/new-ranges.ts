import { type AddressRange, containsRange, overlapsRange, prefixAt, prefixOfRange } from '@portal/number-resources';
import { addressesOf } from './object-facts.ts';
import type { Item } from './update.ts';

export const touches = (a: AddressRange | null, b: AddressRange): boolean => a !== null && overlapsRange(a, b);

/** The ranges of one submission, indexed: there may be thousands. */
export type NewRanges = { around(range: AddressRange): Item[]; near(range: AddressRange): Item[] };

/** Indexes the address ranges of new objects: prefixes by length and first address, other ranges in a list. */
export function newRanges(items: readonly Item[]): NewRanges {
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
