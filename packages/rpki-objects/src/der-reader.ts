import { printHex } from './bytes.ts';
import { tags } from './der-writer.ts';
import { ProfileError } from './profile-error.ts';

/** One parsed element: `whole` is the encoding, `content` its contents. */
export type Element = { tag: number; content: Uint8Array; whole: Uint8Array };

/**
 * Reads elements one after the other, in DER alone: definite lengths in their shortest form, single-byte tags, nothing cut off.
 * Every function throws a ProfileError that names `what` was expected.
 */
export class DerReader {
  readonly #bytes: Uint8Array;
  readonly #what: string;
  #at = 0;

  constructor(bytes: Uint8Array, what: string) {
    this.#bytes = bytes;
    this.#what = what;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The tag of the next element; undefined at the end. */
  get nextTag(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** The next element, whatever its tag. */
  any(what: string): Element {
    const start = this.#at;
    const tag = this.#bytes[start];
    const first = this.#bytes[start + 1];
    if (tag === undefined || first === undefined) throw new ProfileError(`${this.#what} ends before ${what}`);
    if ((tag & 0x1f) === 0x1f) throw new ProfileError(`${what} has a tag of several bytes`);
    let length = first;
    let at = start + 2;
    if (first > 127) {
      const count = first & 0x7f;
      if (count === 0) throw new ProfileError(`${what} has an indefinite length, which is not DER`);
      if (count > 4) throw new ProfileError(`${what} is too long`);
      length = 0;
      for (let index = 0; index < count; index++) length = length * 256 + (this.#bytes[at + index] ?? 0);
      if (length < 128 || this.#bytes[at] === 0) throw new ProfileError(`${what} has a length that is not in its shortest form`);
      at += count;
    }
    if (at + length > this.#bytes.length) throw new ProfileError(`${what} is cut off`);
    this.#at = at + length;
    return { tag, content: this.#bytes.subarray(at, at + length), whole: this.#bytes.subarray(start, at + length) };
  }

  /** The next element, which must have this tag. */
  one(tag: number, what: string): Element {
    if (this.nextTag !== tag) throw new ProfileError(`${this.#what} has no ${what} where it belongs`);
    return this.any(what);
  }

  /** The next element if it has this tag. */
  maybe(tag: number, what: string): Element | undefined {
    return this.nextTag === tag ? this.any(what) : undefined;
  }

  sequence(what: string): DerReader {
    return new DerReader(this.one(tags.sequence, what).content, what);
  }

  /** Returns the contents of the next element, which must have this tag, as elements. */
  inside(tag: number, what: string): DerReader {
    return new DerReader(this.one(tag, what).content, what);
  }

  integer(what: string): bigint {
    return integerOf(this.one(tags.integer, what), what);
  }

  oid(what: string): string {
    return oidOf(this.one(tags.oid, what), what);
  }

  octets(what: string): Uint8Array {
    return this.one(tags.octetString, what).content;
  }

  bits(what: string): { bytes: Uint8Array; unused: number } {
    return bitsOf(this.one(tags.bitString, what), what);
  }

  /** A BIT STRING of whole bytes. */
  wholeBits(what: string): Uint8Array {
    const { bytes, unused } = this.bits(what);
    if (unused !== 0) throw new ProfileError(`${what} is not a number of whole bytes`);
    return bytes;
  }

  time(what: string): Date {
    return timeOf(this.any(what), what);
  }

  /** A time in either form, whatever its year: one that is too long is no ground to refuse what others signed. */
  timeInAnyForm(what: string): Date {
    return this.nextTag === tags.generalizedTime ? this.generalizedTime(what) : this.time(what);
  }

  generalizedTime(what: string): Date {
    return generalizedTimeOf(this.one(tags.generalizedTime, what).content, what);
  }

  text(tag: number, what: string): string {
    return asciiOf(this.one(tag, what).content, what);
  }

  /** Refuses anything that follows. */
  end(): void {
    if (!this.atEnd) throw new ProfileError(`${this.#what} has more in it than its profile allows`);
  }
}

export function asciiOf(bytes: Uint8Array, what: string): string {
  let text = '';
  for (const byte of bytes) {
    if (byte > 126 || byte < 32) throw new ProfileError(`${what} has a character that is not printable ASCII`);
    text += String.fromCharCode(byte);
  }
  return text;
}

export function integerOf({ content }: Element, what: string): bigint {
  const [first, second] = content;
  if (first === undefined) throw new ProfileError(`${what} has no digits`);
  if (first > 127) throw new ProfileError(`${what} is negative`);
  if (first === 0 && second !== undefined && second < 128) throw new ProfileError(`${what} is not in its shortest form`);
  if (content.length > 21) throw new ProfileError(`${what} has more than 20 octets`);
  // Digits as text: a shift for each byte makes a number each time, which counts where a CRL has tens of thousands.
  return BigInt(`0x${printHex(content)}`);
}

function oidOf({ content }: Element, what: string): string {
  const arcs: number[] = [];
  let arc = 0;
  let isOpen = false;
  for (const byte of content) {
    if (!isOpen && byte === 0x80) throw new ProfileError(`${what} is not in its shortest form`);
    arc = arc * 128 + (byte & 0x7f);
    isOpen = byte > 127;
    if (isOpen) continue;
    if (arcs.length === 0) {
      const first = Math.min(2, Math.floor(arc / 40));
      arcs.push(first, arc - 40 * first);
    } else arcs.push(arc);
    arc = 0;
  }
  if (isOpen || arcs.length === 0) throw new ProfileError(`${what} is cut off`);
  return arcs.join('.');
}

export function bitsOf({ content }: Element, what: string): { bytes: Uint8Array; unused: number } {
  const [unused] = content;
  const bytes = content.subarray(1);
  if (unused === undefined || unused > 7 || (bytes.length === 0 && unused > 0))
    throw new ProfileError(`${what} has a wrong number of unused bits`);
  if ((bytes.at(-1) ?? 0) & ((1 << unused) - 1)) throw new ProfileError(`${what} has unused bits that are not zero`);
  return { bytes, unused };
}

function timeOf({ tag, content }: Element, what: string): Date {
  if (tag === tags.generalizedTime) {
    const date = generalizedTimeOf(content, what);
    if (date.getUTCFullYear() < 2050) throw new ProfileError(`${what} must be a UTCTime before 2050`);
    return date;
  }
  if (tag !== tags.utcTime) throw new ProfileError(`${what} is not a time`);
  const digits = asciiOf(content, what);
  return dateOf(Number(digits.slice(0, 2)) < 50 ? `20${digits}` : `19${digits}`, what);
}

const generalizedTimeOf = (content: Uint8Array, what: string): Date => dateOf(asciiOf(content, what), what);

function dateOf(digits: string, what: string): Date {
  const iso = /^\d{14}Z$/.test(digits) ? isoOf(digits) : null;
  const date = iso === null ? null : new Date(iso);
  // A day that its month doesn't have would be one of the next.
  if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== iso!.slice(0, 19))
    throw new ProfileError(`${what} is not a time with seconds, in UTC`);
  return date;
}

const isoOf = (digits: string): string =>
  `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}T${digits.slice(8, 10)}:${digits.slice(10, 12)}:${digits.slice(12, 14)}Z`;
