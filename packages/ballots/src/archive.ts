import { encodeText, equalBytes } from './bytes.ts';
import { hexHash } from './hash.ts';
import { parseJson, readCount, readFields, readNumber } from './json.ts';
import { Refusal, refuseUnless } from './refusal.ts';

/** A record of an archive: a message, or an event that refers to messages (section 4.4). */
export type ArchiveRecord = { kind: 'data' | 'event'; hash: string; bytes: Uint8Array<ArrayBuffer> };

const BLOCK = 512;
const HEADER_NAME = 'BELENIOS';
/** 2^33 - 1: eleven octal digits, in which lengths and times are written. */
const MAX_OCTAL = 8 ** 11 - 1;

/** The header of a record in the tar format of before POSIX, as `belenios-tool` writes it: no owner, mode 644, zeros where nothing stands. */
function printRecordHeader(name: string, length: number, timestamp: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK);
  const write = (at: number, text: string) => header.set(encodeText(text), at);
  const octal = (number: number, digits: number) => number.toString(8).padStart(digits, '0');
  write(0, name);
  write(100, '0000644');
  write(108, '0000000');
  write(116, '0000000');
  write(124, octal(length, 11));
  write(136, octal(timestamp, 11));
  // The sum of all bytes, itself taken as spaces.
  write(148, ' '.repeat(8));
  write(156, '0');
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(148, `${octal(sum, 6)}\0 `);
  return header;
}

function printFile(name: string, body: Uint8Array, timestamp: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(BLOCK + Math.ceil(body.length / BLOCK) * BLOCK);
  bytes.set(printRecordHeader(name, body.length, timestamp), 0);
  bytes.set(body, BLOCK);
  return bytes;
}

const headerText = (timestamp: number): string => `{"version":1,"timestamp":"${timestamp}"}`;

/**
 * Returns the beginning of an archive (section 4.4).
 * @param timestamp the beginning of the election, in seconds since 1970. Every record has it: an archive does not say when a ballot was cast
 */
export function printArchiveHeader(timestamp: number): Uint8Array<ArrayBuffer> {
  if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp > MAX_OCTAL)
    throw new RangeError('A time of an archive has whole seconds');
  return printFile(HEADER_NAME, encodeText(headerText(timestamp)), timestamp);
}

/** Returns a record, to be appended to an archive that began at this time (section 4.4). */
export async function printRecord(kind: ArchiveRecord['kind'], text: string, timestamp: number): Promise<Uint8Array<ArrayBuffer>> {
  const body = encodeText(text);
  return printFile(`${await hexHash(body)}.${kind}.json`, body, timestamp);
}

/**
 * Reads the archive of an election, record after record, from chunks of any length; no more than one record is held. Every byte is compared
 * with what the record would be written as, so that one archive has one form, and each record with its hash.
 */
export class ArchiveReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #timestamp: number | null = null;
  #position = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes that have been read as records. */
  get position(): number {
    return this.#position;
  }

  /** Reads the header. @returns the beginning of the election, in seconds since 1970. @throws {Refusal} */
  async header(): Promise<number> {
    const { name, body } = (await this.#file(1_000)) ?? { name: '', body: new Uint8Array(0) };
    refuseUnless(name === HEADER_NAME, 'CHAIN', 'The archive does not begin with the record BELENIOS');
    const text = new TextDecoder().decode(body);
    const fields = readFields(parseJson(text, 'The header', { length: 1_000, depth: 1, values: 10 }), 'The header', [
      'version',
      'timestamp',
    ]);
    refuseUnless(readCount(fields.version, 'The version', 1_000) === 1, 'UNSUPPORTED', 'The archive is of another version than 1');
    const timestamp = Number(readNumber(fields.timestamp, 'The time of the archive'));
    refuseUnless(text === headerText(timestamp) && timestamp === this.#timestamp, 'CHAIN', 'The header has another form, or two times');
    return timestamp;
  }

  /**
   * Reads the next record, or null at the end.
   * @param maxLength of its content, in bytes
   * @throws {Refusal}
   */
  async next(maxLength: number): Promise<ArchiveRecord | null> {
    const file = await this.#file(maxLength);
    if (file === null) return null;
    const { name, body } = file;
    const [hash, kind] = name.split('.') as [string, string?];
    refuseUnless(
      (kind === 'data' || kind === 'event') && name === `${hash}.${kind}.json`,
      'CHAIN',
      `The archive has a record of another kind (byte ${this.#position})`,
    );
    refuseUnless((await hexHash(body)) === hash, 'CHAIN', `A record has another hash than its name says: ${hash.slice(0, 64)}`);
    return { kind, hash, bytes: body };
  }

  async #file(maxLength: number): Promise<{ name: string; body: Uint8Array<ArrayBuffer> } | null> {
    const header = await this.#take(BLOCK);
    if (header.length === 0) return null;
    this.#whole(header, BLOCK);
    const ascii = (from: number, to: number) => String.fromCharCode(...header.subarray(from, to));
    const name = ascii(0, 100).split('\0')[0]!;
    const [length, timestamp] = [ascii(124, 135), ascii(136, 147)].map(text =>
      /^[0-7]{11}$/.test(text) ? Number.parseInt(text, 8) : Number.NaN,
    );
    this.#timestamp ??= timestamp!;
    refuseUnless(
      equalBytes(header, printRecordHeader(name, length!, this.#timestamp)),
      'CHAIN',
      `The header of a record is not written as in an archive (byte ${this.#position})`,
    );
    refuseUnless(
      length! <= maxLength,
      'TOO_LARGE',
      `A record has ${length} bytes, where ${maxLength} are the most (byte ${this.#position})`,
    );
    const size = Math.ceil(length! / BLOCK) * BLOCK;
    const blocks = await this.#take(size);
    this.#whole(blocks, size);
    refuseUnless(
      blocks.subarray(length).every(byte => byte === 0),
      'CHAIN',
      `Something stands behind the end of a record (byte ${this.#position})`,
    );
    this.#position += BLOCK + size;
    return { name, body: blocks.slice(0, length) };
  }

  #whole(bytes: Uint8Array, size: number): void {
    if (bytes.length < size) throw new Refusal('CHAIN', `The archive ends within a record (byte ${this.#position})`);
  }

  /** So many bytes, or fewer at the end. */
  async #take(size: number): Promise<Uint8Array<ArrayBuffer>> {
    const taken = new Uint8Array(size);
    let have = 0;
    while (have < size) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done) break;
        this.#rest = value;
        continue;
      }
      const part = this.#rest.subarray(0, size - have);
      taken.set(part, have);
      have += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return taken.subarray(0, have);
  }
}
