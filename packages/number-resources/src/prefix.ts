import { padIpv4, parseAddress, printAddress } from './address.ts';
import { type AddressFamily, addressBits, familyName } from './family.ts';
import { quoteInput, ResourceSyntaxError } from './syntax-error.ts';

/** An address prefix (RFC 4632, RFC 4291 section 2.3). It is an address range too: `first` and `last` are its ends, both inclusive. */
export interface Prefix {
  readonly family: AddressFamily;
  readonly first: bigint;
  readonly last: bigint;
  /** Number of leading bits that are fixed, 0 to 32 or 0 to 128. */
  readonly length: number;
}

/**
 * Reads `address/length`, strictly.
 * @throws {ResourceSyntaxError} also when bits right of the length are set; the suggestion is the prefix that contains the address.
 */
export function parsePrefix(text: string): Prefix {
  const slash = text.indexOf('/');
  if (slash < 0) {
    const address = parseAddress(text);
    const whole = `${printAddress(address)}/${addressBits(address.family)}`;
    throw new ResourceSyntaxError('PREFIX_LENGTH', `${quoteInput(text)} has no prefix length`, whole);
  }
  const lengthText = text.slice(slash + 1);
  const { family, value } = parsePrefixAddress(text.slice(0, slash), lengthText);
  const length = readLength(family, lengthText);
  if (length === undefined) throw explainLength(text, family, value, lengthText);
  const prefix = prefixAt(family, value, length);
  if (prefix.first !== value) throw new ResourceSyntaxError('HOST_BITS_SET', `${quoteInput(text)} has host bits set`, printPrefix(prefix));
  return prefix;
}

/** Prints `address/length` with the address in canonical form. */
export function printPrefix(prefix: Prefix): string {
  return `${printAddress({ family: prefix.family, value: prefix.first })}/${prefix.length}`;
}

/**
 * The prefix of this length that contains the address value.
 * @throws {RangeError} when the family has no such length.
 */
export function prefixAt(family: AddressFamily, value: bigint, length: number): Prefix {
  const bits = addressBits(family);
  if (!Number.isInteger(length) || length < 0 || length > bits)
    throw new RangeError(`${familyName(family)} has no prefix length ${length}`);
  const hostMask = (1n << BigInt(bits - length)) - 1n;
  const last = value | hostMask;
  return { family, first: last ^ hostMask, last, length };
}

/**
 * The less specific prefix of this length around the prefix; one bit shorter if no length is given.
 * @throws {RangeError} when the length is longer than the prefix's own, or below 0.
 */
export function parentPrefix(prefix: Prefix, length = prefix.length - 1): Prefix {
  if (length > prefix.length) throw new RangeError(`A parent of a /${prefix.length} is no /${length}`);
  return prefixAt(prefix.family, prefix.first, length);
}

/** Returns how many prefixes of this length the prefix has: 2^(length - own length), 0 if the length is shorter than its own. */
export function countChildren(prefix: Prefix, length: number): bigint {
  return length < prefix.length ? 0n : 1n << BigInt(length - prefix.length);
}

/**
 * The child number `index` (from 0, in address order) of this length, so that a page of 2^32 children costs what it shows.
 * @throws {RangeError} when there is no such child.
 */
export function childPrefix(prefix: Prefix, length: number, index: bigint): Prefix {
  if (index < 0n || index >= countChildren(prefix, length))
    throw new RangeError(`${printPrefix(prefix)} has no /${length} number ${index}`);
  return prefixAt(prefix.family, prefix.first + (index << BigInt(addressBits(prefix.family) - length)), length);
}

/** All children of this length in address order, made as they are asked for: there may be more than memory holds. */
export function* childPrefixes(prefix: Prefix, length: number): Generator<Prefix, void, undefined> {
  const count = countChildren(prefix, length);
  for (let index = 0n; index < count; index++) yield childPrefix(prefix, length, index);
}

/** The prefix of the same length `steps` further on (or back, if negative); undefined beyond either end of the address space. */
export function neighbourPrefix(prefix: Prefix, steps: bigint): Prefix | undefined {
  const first = prefix.first + steps * (prefix.last - prefix.first + 1n);
  const bits = addressBits(prefix.family);
  return first < 0n || first >> BigInt(bits) > 0n ? undefined : prefixAt(prefix.family, first, prefix.length);
}

/** The prefix length of exactly these addresses; undefined when they are not one prefix. */
export function prefixLengthOf(family: AddressFamily, first: bigint, last: bigint): number | undefined {
  const hostMask = last - first;
  if ((hostMask & (hostMask + 1n)) !== 0n || (first & hostMask) !== 0n) return undefined;
  return addressBits(family) - bitLength(hostMask);
}

/** Number of binary digits of a non-negative integer; 0 for 0. */
export function bitLength(value: bigint): number {
  if (value === 0n) return 0;
  const hex = value.toString(16);
  return hex.length * 4 + 28 - Math.clz32(Number.parseInt(hex.charAt(0), 16));
}

function parsePrefixAddress(addressText: string, lengthText: string): ReturnType<typeof parseAddress> {
  try {
    return parseAddress(addressText);
  } catch (error) {
    const length = readLength('ipv4', lengthText);
    if (
      length === undefined ||
      !/^\d{1,3}(\.\d{1,3}){0,2}$/.test(addressText) ||
      !(error instanceof ResourceSyntaxError) ||
      !error.suggestion
    )
      throw error;
    const padded = prefixAt('ipv4', parseAddress(padIpv4(addressText)).value, length);
    throw new ResourceSyntaxError(
      error.code,
      `${quoteInput(`${addressText}/${lengthText}`)} has a shortened IPv4 address`,
      printPrefix(padded),
    );
  }
}

function readLength(family: AddressFamily, text: string): number | undefined {
  if (!/^(0|[1-9]\d{0,2})$/.test(text)) return undefined;
  const length = Number(text);
  return length <= addressBits(family) ? length : undefined;
}

function explainLength(text: string, family: AddressFamily, value: bigint, lengthText: string): ResourceSyntaxError {
  const trimmed = lengthText.replace(/^0+(?=\d)/, '');
  const meant = readLength(family, trimmed) ?? (family === 'ipv4' ? netmaskLength(lengthText) : undefined);
  return new ResourceSyntaxError(
    'PREFIX_LENGTH',
    `${quoteInput(text)} needs a prefix length from 0 to ${addressBits(family)} after the slash`,
    meant === undefined ? undefined : printPrefix(prefixAt(family, value, meant)),
  );
}

/** The prefix length of a dotted IPv4 mask such as 255.255.255.0; undefined when the text is none. */
export function netmaskLength(text: string): number | undefined {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(text)) return undefined;
  try {
    const hostMask = parseAddress(text).value ^ 0xffffffffn;
    return (hostMask & (hostMask + 1n)) === 0n ? 32 - bitLength(hostMask) : undefined;
  } catch {
    return undefined;
  }
}
