import type { AddressRange } from '@portal/number-resources';

/** Ends of a range: numbers in IPv4, as they are compared faster, bigints in IPv6. */
type Value = number | bigint;
type Ends = { first: Value; last: Value };
/** What an id was found by. */
export type Enclosing = Ends & { id: number };

/**
 * Ranges of addresses under ids, and all that hold an address or a range. Kept by the smallest prefix around each: a table for each length, looked
 * into with the first bits of what is asked for. Nearly every range in a registry is a prefix; the others are compared besides.
 */
export class AddressIndex {
  readonly #tables = { ipv4: new Map<number, Map<Value, number | number[]>>(), ipv6: new Map<number, Map<Value, number | number[]>>() };
  /** Lengths there are, the shortest first. */
  #lengths: { ipv4: number[]; ipv6: number[] } = { ipv4: [], ipv6: [] };
  /** Ends of those that are no prefix. */
  readonly #ragged = new Map<number, Ends>();

  /** Puts a range in; the id is not in yet. */
  add(range: AddressRange, id: number): void {
    const { first, last, length, table } = this.#placeOf(range);
    const key = cut(first, length);
    const there = table.get(key);
    if (there === undefined) table.set(key, id);
    else if (typeof there === 'number') table.set(key, [there, id]);
    else there.push(id);
    const prefix = endsOf(first, length);
    if (prefix.first !== first || prefix.last !== last) this.#ragged.set(id, { first, last });
  }

  remove(range: AddressRange, id: number): void {
    const { first, length, table } = this.#placeOf(range);
    const key = cut(first, length);
    const left = idsOf(table.get(key)).filter(each => each !== id);
    if (left.length === 0) table.delete(key);
    else table.set(key, left.length === 1 ? left[0]! : left);
    this.#ragged.delete(id);
  }

  /** The ranges that hold the whole of this one, it too, the largest prefix around them first. */
  around(range: AddressRange): Enclosing[] {
    const first = valueOf(range, range.first);
    const last = valueOf(range, range.last);
    const longest = commonLength(first, last);
    const found: Enclosing[] = [];
    for (const length of this.#lengths[range.family]) {
      if (length > longest) break;
      const ids = this.#tables[range.family].get(length)!.get(cut(first, length));
      if (ids === undefined) continue;
      for (const id of typeof ids === 'number' ? [ids] : ids) {
        const ends = this.#ragged.get(id) ?? endsOf(first, length);
        if (ends.first <= first && ends.last >= last) found.push({ id, ...ends });
      }
    }
    return found;
  }

  /** Ids of exactly this range. */
  at(range: AddressRange): number[] {
    const { first, last, length, table } = this.#placeOf(range);
    const prefix = endsOf(first, length);
    return idsOf(table.get(cut(first, length))).filter(id => {
      const ends = this.#ragged.get(id) ?? prefix;
      return ends.first === first && ends.last === last;
    });
  }

  #placeOf(range: AddressRange): Ends & { length: number; table: Map<Value, number | number[]> } {
    const { family } = range;
    const first = valueOf(range, range.first);
    const last = valueOf(range, range.last);
    const length = commonLength(first, last);
    let table = this.#tables[family].get(length);
    if (!table) {
      table = new Map();
      this.#tables[family].set(length, table);
      this.#lengths[family] = [...this.#tables[family].keys()].sort((a, b) => a - b);
    }
    return { first, last, length, table };
  }
}

const idsOf = (ids: number | number[] | undefined): number[] => (ids === undefined ? [] : typeof ids === 'number' ? [ids] : ids);
const valueOf = ({ family }: AddressRange, value: bigint): Value => (family === 'ipv4' ? Number(value) : value);

/** The first bits of an address. */
const cut = (value: Value, length: number): Value =>
  typeof value === 'number' ? (length === 0 ? 0 : value >>> (32 - length)) : value >> BigInt(128 - length);

/** The prefix of this length around an address. */
function endsOf(value: Value, length: number): Ends {
  if (typeof value === 'number') {
    const size = 2 ** (32 - length);
    const first = value - (value % size);
    return { first, last: first + size - 1 };
  }
  const rest = BigInt(128 - length);
  const first = (value >> rest) << rest;
  return { first, last: first + (1n << rest) - 1n };
}

/** How many first bits two addresses of a family share. */
function commonLength(first: Value, last: Value): number {
  if (typeof first === 'number') return Math.clz32(first ^ Number(last));
  const different = first ^ (last as bigint);
  return different === 0n ? 128 : 128 - different.toString(2).length;
}
