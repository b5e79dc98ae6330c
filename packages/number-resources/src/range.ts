import { type Address, addressSpaceSize, parseAddress, printAddress } from './address.ts';
import { type AddressFamily, addressBits } from './family.ts';
import { bitLength, type Prefix, parsePrefix, prefixAt, prefixLengthOf, printPrefix } from './prefix.ts';
import { quoteInput, ResourceSyntaxError } from './syntax-error.ts';

/** Adjacent addresses, both ends inclusive; need not be one prefix (an `inetnum` may be a /23 and a /24 side by side). Every Prefix is one. */
export interface AddressRange {
  readonly family: AddressFamily;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Reads `first - last` (blanks optional, as in RPSL), a prefix, or a single address.
 * @throws {ResourceSyntaxError} also when the ends are of two families, or the range ends before it starts.
 */
export function parseRange(text: string): AddressRange {
  const dash = text.indexOf('-');
  if (dash < 0) {
    if (text.includes('/')) {
      const { family, first, last } = parsePrefix(text);
      return { family, first, last };
    }
    const { family, value } = parseAddress(text);
    return { family, first: value, last: value };
  }
  const firstText = text.slice(0, dash).trim();
  const lastText = text.slice(dash + 1).trim();
  if (firstText === '' || lastText === '')
    throw new ResourceSyntaxError('RANGE_INCOMPLETE', `${quoteInput(text)} lacks one end; a range is written 192.0.2.0 - 192.0.2.255`);
  if (firstText.includes('/') || lastText.includes('/'))
    throw new ResourceSyntaxError(
      'NOT_AN_ADDRESS',
      `${quoteInput(text)} is both a prefix and a range; a range runs from one address to another`,
    );
  const first = parseAddress(firstText);
  const last = parseLastAddress(text, firstText, lastText, first);
  if (first.family !== last.family)
    throw new ResourceSyntaxError(
      'MIXED_FAMILIES',
      `${quoteInput(text)} runs from one address family to the other; both ends must be IPv4, or both IPv6`,
    );
  if (first.value > last.value)
    throw new ResourceSyntaxError(
      'RANGE_REVERSED',
      `${quoteInput(text)} ends before it starts`,
      printRange({ family: first.family, first: last.value, last: first.value }),
    );
  return { family: first.family, first: first.value, last: last.value };
}

/** Prints a range as the prefix it is, or else as `first - last`, the form of an `inetnum` (RFC 2622 section 4 style, one blank each side). */
export function printRange(range: AddressRange): string {
  const length = prefixLengthOf(range.family, range.first, range.last);
  return length === undefined ? printEnds(range) : printPrefix({ ...range, length });
}

/** Prints a range as `first - last` even when it is a prefix, as whois wants an `inetnum`. */
export function printEnds(range: AddressRange): string {
  const { family } = range;
  return `${printAddress({ family, value: range.first })} - ${printAddress({ family, value: range.last })}`;
}

/**
 * The range of `count` addresses from `first`, as the registries' statistics files write IPv4.
 * @throws {RangeError} when count is below 1, or the range would leave the address space.
 */
export function rangeOfCount(first: Address, count: bigint | number): AddressRange {
  const last = first.value + BigInt(count) - 1n;
  if (last < first.value || last >= addressSpaceSize(first.family))
    throw new RangeError(`No ${count} addresses start at ${printAddress(first)}`);
  return { family: first.family, first: first.value, last };
}

/** The range as a prefix; undefined when it is none. */
export function prefixOfRange(range: AddressRange): Prefix | undefined {
  const length = prefixLengthOf(range.family, range.first, range.last);
  return length === undefined ? undefined : { family: range.family, first: range.first, last: range.last, length };
}

/** The fewest prefixes that hold exactly the addresses of the range, in address order (at most 62 for IPv4, 254 for IPv6). */
export function coverRange(range: AddressRange): Prefix[] {
  const { family, last } = range;
  const bits = addressBits(family);
  const prefixes: Prefix[] = [];
  for (let first = range.first; first <= last; ) {
    const aligned = first === 0n ? bits : bitLength(first & -first) - 1;
    const fitting = bitLength(last - first + 1n) - 1;
    const prefix = prefixAt(family, first, bits - Math.min(aligned, fitting));
    prefixes.push(prefix);
    first = prefix.last + 1n;
  }
  return prefixes;
}

/** The most specific prefix that contains the whole range; it may hold more. */
export function enclosingPrefix(range: AddressRange): Prefix {
  return prefixAt(range.family, range.first, addressBits(range.family) - bitLength(range.first ^ range.last));
}

/** True if every address of `inner` is in `outer`; equal ranges contain each other. */
export function containsRange(outer: AddressRange, inner: AddressRange): boolean {
  return outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last;
}

/** True if the ranges have an address in common. */
export function overlapsRange(a: AddressRange, b: AddressRange): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

function parseLastAddress(text: string, firstText: string, lastText: string, first: Address): Address {
  try {
    return parseAddress(lastText);
  } catch (error) {
    if (first.family !== 'ipv4' || !/^\d{1,3}(\.\d{1,3}){0,2}$/.test(lastText) || !(error instanceof ResourceSyntaxError)) throw error;
    const lastParts = lastText.split('.');
    const whole = [...firstText.split('.').slice(0, 4 - lastParts.length), ...lastParts].join('.');
    let meant: Address;
    try {
      meant = parseAddress(whole);
    } catch {
      throw error;
    }
    if (meant.value < first.value) throw error;
    throw new ResourceSyntaxError(
      'RANGE_INCOMPLETE',
      `${quoteInput(text)} has a shortened last address`,
      printEnds({ family: 'ipv4', first: first.value, last: meant.value }),
    );
  }
}
