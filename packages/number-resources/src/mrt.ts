import type { AsNeighbours, SeenPath } from './as-neighbours.ts';
import { type Prefix, prefixAt, printPrefix } from './prefix.ts';

/** One announcement of a routing table: how many peers have it. `asn` is null for an AS set or an empty path, which has no single origin (RFC 6811). */
export type TableEntry = { prefix: string; asn: number | null; peers: number };

/** A table that breaks its format. `at` is the byte of the record. */
export class MrtError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(`${message}, at byte ${at}`);
    this.name = 'MrtError';
    this.at = at;
  }
}

const tableDumpV2 = 13;
/** Subtypes that hold prefixes; those with add-path have a path identifier more in each entry (RFC 8050). */
const ribs: Readonly<Record<number, { family: 'ipv4' | 'ipv6'; addPath: boolean }>> = {
  2: { family: 'ipv4', addPath: false },
  4: { family: 'ipv6', addPath: false },
  8: { family: 'ipv4', addPath: true },
  10: { family: 'ipv6', addPath: true },
};
const headBytes = 12;

/**
 * Reads an MRT file of TABLE_DUMP_V2 records (RFC 6396 section 4.3, RFC 8050), such as collectors write: unicast prefixes, their origins, and how many peers have each. Records of other
 * types are left out. `collectedAt` is the time of the first record, in seconds since 1970. Never reads beyond a record, whatever lengths it states.
 * @param neighbours counts who stands beside whom in the paths, by family
 * @throws {MrtError} when a record is cut off or breaks the format
 */
export function* readMrtTable(
  bytes: Uint8Array,
  neighbours?: Readonly<Record<4 | 6, AsNeighbours>>,
): Generator<TableEntry & { collectedAt: number }, void, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    if (at + headBytes > bytes.length) throw new MrtError('The file ends within the head of a record', at);
    const [time, type, subtype, length] = [view.getUint32(at), view.getUint16(at + 4), view.getUint16(at + 6), view.getUint32(at + 8)];
    const end = at + headBytes + length;
    if (end > bytes.length) throw new MrtError(`A record states ${length} bytes, and the file ends before that`, at);
    const rib = type === tableDumpV2 ? ribs[subtype] : undefined;
    if (rib)
      for (const entry of readRib(new Reader(view, at + headBytes, end, at), rib, neighbours?.[rib.family === 'ipv4' ? 4 : 6]))
        yield { ...entry, collectedAt: time };
    at = end;
  }
}

/** Reads inside one record. */
class Reader {
  readonly #view: DataView;
  #at: number;
  readonly #end: number;
  readonly #record: number;
  constructor(view: DataView, at: number, end: number, record: number) {
    this.#view = view;
    this.#at = at;
    this.#end = end;
    this.#record = record;
  }
  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }
  fail(message: string): MrtError {
    return new MrtError(message, this.#record);
  }
  #take(count: number): number {
    const from = this.#at;
    if (from + count > this.#end) throw this.fail('A length reaches beyond its record');
    this.#at += count;
    return from;
  }
  u8 = (): number => this.#view.getUint8(this.#take(1));
  u16 = (): number => this.#view.getUint16(this.#take(2));
  u32 = (): number => this.#view.getUint32(this.#take(4));
  skip(count: number): void {
    this.#take(count);
  }
  /** The next bytes as a reader of their own. */
  part(count: number): Reader {
    const from = this.#take(count);
    return new Reader(this.#view, from, from + count, this.#record);
  }
  prefix(family: 'ipv4' | 'ipv6'): Prefix {
    const bits = family === 'ipv4' ? 32 : 128;
    const length = this.u8();
    if (length > bits) throw this.fail(`A prefix has the length ${length}`);
    const count = Math.ceil(length / 8);
    let value = 0n;
    for (let index = 0; index < count; index++) value = (value << 8n) | BigInt(this.u8());
    // Bits right of the length may be anything (RFC 4271 section 4.3).
    return prefixAt(family, value << BigInt(bits - count * 8), length);
  }
}

function readRib(
  reader: Reader,
  { family, addPath }: { family: 'ipv4' | 'ipv6'; addPath: boolean },
  neighbours: AsNeighbours | undefined,
): TableEntry[] {
  reader.u32();
  const prefix = printPrefix(reader.prefix(family));
  const peersOf = new Map<number | null, Set<number>>();
  const paths: SeenPath[] = [];
  const count = reader.u16();
  for (let index = 0; index < count; index++) {
    const peer = reader.u16();
    reader.u32();
    if (addPath) reader.u32();
    const path = pathOf(reader.part(reader.u16()));
    paths.push({ peer, path });
    const origin = path.at(-1) ?? null;
    const peers = peersOf.get(origin);
    if (peers) peers.add(peer);
    else peersOf.set(origin, new Set([peer]));
  }
  neighbours?.note(paths);
  return [...peersOf].map(([asn, peers]) => ({ prefix, asn, peers: peers.size }));
}

const asPath = 2;
const asSequence = 2;
const confederations = new Set([3, 4]);

/**
 * The AS numbers of the path from the collector's peer to the last one, which announced the prefix; null for a set. Confederations are inside of one AS.
 * AS numbers have four bytes here (RFC 6396 section 4.3.4).
 */
function pathOf(attributes: Reader): (number | null)[] {
  while (!attributes.isAtEnd) {
    const flags = attributes.u8();
    const type = attributes.u8();
    const value = attributes.part(flags & 0x10 ? attributes.u16() : attributes.u8());
    if (type !== asPath) continue;
    const path: (number | null)[] = [];
    while (!value.isAtEnd) {
      const kind = value.u8();
      const count = value.u8();
      const numbers: number[] = [];
      for (let index = 0; index < count; index++) numbers.push(value.u32());
      if (kind === asSequence && numbers.length > 0) path.push(...numbers);
      else if (!confederations.has(kind)) path.push(null);
    }
    return path;
  }
  return [];
}
