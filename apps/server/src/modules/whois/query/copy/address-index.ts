import type { AddressRange } from '@portal/number-resources';

/** Ends of a range: numbers in IPv4, as they are compared faster, bigints in IPv6. */
type Value = number | bigint;
type Ends = { first: Value; last: Value };
/** A range and its id. */
export type Enclosing = Ends & { id: number };

type Ids = number | number[];
/** By prefix length: ids by the first bits. `lengths` are the used lengths, shortest first. */
type Tables = { byLength: Map<number, Map<Value, Ids>>; lengths: number[] };
const noTables = (): Tables => ({ byLength: new Map(), lengths: [] });

/**
 * Ranges of addresses by id, searchable for all that contain an address or range. Each is stored under the smallest prefix around it: one table per
 * length, keyed by the leading bits. Nearly every range in a registry is a prefix; the others are also compared by their ends.
 */
export class AddressIndex {
  readonly #prefixes = { ipv4: noTables(), ipv6: noTables() };
  readonly #others = { ipv4: noTables(), ipv6: noTables() };
  /** Ends of ranges that aren't prefixes. */
  readonly #ragged = new Map<number, Ends>();
  /**
   * For each IPv4 /16 the lengths, from 16 on, that prefixes in it have had. A look-up in a table of a million costs as much as the rest of the
   * answer, because it is spread over the memory; lengths that do not occur are skipped.
   */
  readonly #lengthsIn = new Uint32Array(2 ** 16);

  /** Adds a range under a new id. */
  add(range: AddressRange, id: number): void {
    const place = placeOf(range);
    const tables = this.#tablesOf(range, place);
    if (typeof place.first === 'number' && place.isPrefix && place.length >= 16)
      this.#lengthsIn[place.first >>> 16]! |= 1 << (place.length - 16);
    if (!place.isPrefix) this.#ragged.set(id, { first: place.first, last: place.last });
    let table = tables.byLength.get(place.length);
    if (!table) {
      table = new Map();
      tables.byLength.set(place.length, table);
      tables.lengths = [...tables.byLength.keys()].sort((a, b) => a - b);
    }
    const there = table.get(place.key);
    if (there === undefined) table.set(place.key, id);
    else if (typeof there === 'number') table.set(place.key, [there, id]);
    else there.push(id);
  }

  remove(range: AddressRange, id: number): void {
    const place = placeOf(range);
    const table = this.#tablesOf(range, place).byLength.get(place.length);
    const left = idsOf(table?.get(place.key)).filter(each => each !== id);
    if (left.length === 0) table?.delete(place.key);
    else table?.set(place.key, left.length === 1 ? left[0]! : left);
    this.#ragged.delete(id);
  }

  /** Ids of exactly this range. */
  at(range: AddressRange): number[] {
    const place = placeOf(range);
    const ids = idsOf(this.#tablesOf(range, place).byLength.get(place.length)?.get(place.key));
    if (place.isPrefix) return ids;
    return ids.filter(id => {
      const ends = this.#ragged.get(id)!;
      return ends.first === place.first && ends.last === place.last;
    });
  }

  /** The ranges that contain this one, itself included. */
  around(range: AddressRange): Enclosing[] {
    return this.#around(range, false);
  }

  /** Returns the smallest enclosing prefix, and all enclosing ranges that aren't prefixes: the smallest range is among them. */
  nearest(range: AddressRange): Enclosing[] {
    return this.#around(range, true);
  }

  #around(range: AddressRange, onlyNearest: boolean): Enclosing[] {
    const { first, last, length: longest } = placeOf(range);
    const found: Enclosing[] = [];
    const { byLength, lengths } = this.#prefixes[range.family];
    const known = typeof first === 'number' ? this.#lengthsIn[first >>> 16]! : -1;
    for (let at = lengths.length - 1; at >= 0; at--) {
      const length = lengths[at]!;
      if (length > longest || (length >= 16 && length <= 32 && (known & (1 << (length - 16))) === 0)) continue;
      const ids = byLength.get(length)!.get(cut(first, length));
      if (ids === undefined) continue;
      const ends = endsOf(first, length);
      for (const id of idsOf(ids)) found.push({ id, first: ends.first, last: ends.last });
      if (onlyNearest) break;
    }
    const others = this.#others[range.family];
    for (const length of others.lengths) {
      if (length > longest) break;
      for (const id of idsOf(others.byLength.get(length)!.get(cut(first, length)))) {
        const ends = this.#ragged.get(id)!;
        if (ends.first <= first && ends.last >= last) found.push({ id, first: ends.first, last: ends.last });
      }
    }
    return found;
  }

  #tablesOf({ family }: AddressRange, { isPrefix }: Place): Tables {
    return isPrefix ? this.#prefixes[family] : this.#others[family];
  }
}

/** The slot of a range: that of the smallest prefix around it, which may be itself. */
type Place = Ends & { length: number; key: Value; isPrefix: boolean };

function placeOf({ family, ...range }: AddressRange): Place {
  const first = family === 'ipv4' ? Number(range.first) : range.first;
  const last = family === 'ipv4' ? Number(range.last) : range.last;
  const length = commonLength(first, last);
  const ends = endsOf(first, length);
  return { first, last, length, key: cut(first, length), isPrefix: ends.first === first && ends.last === last };
}

const none: number[] = [];
const idsOf = (ids: Ids | undefined): number[] => (ids === undefined ? none : typeof ids === 'number' ? [ids] : ids);

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

/** Returns how many leading bits two addresses of a family share. */
function commonLength(first: Value, last: Value): number {
  if (typeof first === 'number') return Math.clz32(first ^ Number(last));
  const different = first ^ (last as bigint);
  return different === 0n ? 128 : 128 - different.toString(2).length;
}
