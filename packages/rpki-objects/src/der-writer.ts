import { compareBytes, joinBytes } from './bytes.ts';

/** Tags of ASN.1 types, and of the context-specific ones RPKI objects use. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Constructed [n]. */
  context: (number: number): number => 0xa0 | number,
  /** Primitive [n]. */
  contextPrimitive: (number: number): number => 0x80 | number,
} as const;

/** From so many bytes on, copying them in one step is faster than one by one. */
const WORTH_COPYING = 24;

/** One element: tag, length in the shortest form, content (X.690, section 10.1). */
export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  let lengthBytes = 0;
  if (length >= 128) for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) lengthBytes++;
  const written = new Uint8Array(2 + lengthBytes + length);
  written[0] = tag;
  written[1] = lengthBytes === 0 ? length : 0x80 | lengthBytes;
  for (let at = 1 + lengthBytes, rest = length; at > 1; at--, rest = Math.floor(rest / 256)) written[at] = rest % 256;
  let at = 2 + lengthBytes;
  for (const part of parts) {
    if (part.length < WORTH_COPYING) for (let index = 0; index < part.length; index++) written[at + index] = part[index]!;
    else written.set(part, at);
    at += part.length;
  }
  return written;
}

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => element(tags.sequence, ...parts);
/** A SET OF: its elements in ascending order of their encodings (X.690, section 11.6). */
export const setOf = (...parts: readonly Uint8Array[]): Uint8Array => element(tags.set, ...[...parts].sort(compareBytes));
export const octetString = (bytes: Uint8Array): Uint8Array => element(tags.octetString, bytes);
export const nullValue: Uint8Array = Uint8Array.of(tags.null, 0);
export const trueValue: Uint8Array = Uint8Array.of(tags.boolean, 1, 0xff);
export const bitString = (bytes: Uint8Array, unused = 0): Uint8Array => element(tags.bitString, Uint8Array.of(unused), bytes);

/** Text of ASCII characters under a tag of a string type. */
export const text = (tag: number, value: string): Uint8Array => element(tag, asciiBytes(value));

/** @throws {RangeError} for characters outside ASCII. */
function asciiBytes(value: string): Uint8Array {
  const bytes = new Uint8Array(value.length);
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code > 127) throw new RangeError(`${value} has a character outside ASCII`);
    bytes[at] = code;
  }
  return bytes;
}

/** A non-negative INTEGER. */
export function integer(value: bigint | number): Uint8Array {
  const number = BigInt(value);
  if (number < 0n) throw new RangeError('RPKI objects have no negative numbers');
  const hex = number.toString(16);
  const padded = hex.length % 2 === 1 ? `0${hex}` : Number.parseInt(hex[0]!, 16) >= 8 ? `00${hex}` : hex;
  return element(tags.integer, bigEndian(padded));
}

function bigEndian(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index++) bytes[index] = Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16);
  return bytes;
}

/** The first `length` bits of a number of `width` bits as BIT STRING, the unused bits zero (RFC 3779, section 2.1.1). */
export function leadingBits(value: bigint, width: number, length: number): Uint8Array {
  const bytes = Math.ceil(length / 8);
  const unused = bytes * 8 - length;
  const shown = length === 0 ? 0n : (value >> BigInt(width - length)) << BigInt(unused);
  return bitString(bytes === 0 ? new Uint8Array() : bigEndian(shown.toString(16).padStart(bytes * 2, '0')), unused);
}

/** Every object has the same few: their elements are made once. No one changes the bytes of an element. */
const madeOids = new Map<string, Uint8Array>();

export function oid(dotted: string): Uint8Array {
  const made = madeOids.get(dotted) ?? encodeOid(dotted);
  madeOids.set(dotted, made);
  return made;
}

function encodeOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const groups = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return element(tags.oid, Uint8Array.from(bytes));
}

const digits = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;

export const generalizedTime = (date: Date): Uint8Array => text(tags.generalizedTime, digits(date));
/** UTCTime through 2049, GeneralizedTime from 2050 on, always with seconds and Z (RFC 5280, section 4.1.2.5). */
export const time = (date: Date): Uint8Array =>
  date.getUTCFullYear() < 2050 ? text(tags.utcTime, digits(date).slice(2)) : generalizedTime(date);

/** The same element under another tag: of implicitly tagged types. */
export const withTag = (tag: number, whole: Uint8Array): Uint8Array => joinBytes(Uint8Array.of(tag), whole.subarray(1));
