import { quoteInput, ResourceSyntaxError } from './syntax-error.ts';

/** Adjacent AS numbers, both ends inclusive; a single AS number is a range of one. */
export interface AsRange {
  readonly family: 'asn';
  readonly first: number;
  readonly last: number;
}

/** The largest AS number, 2^32 - 1 (RFC 6793). */
export const maxAsNumber = 4294967295;

/** Represents 4-byte AS numbers in sessions with 2-byte speakers: AS_TRANS (RFC 6793 section 9, first RFC 4893). */
export const asTrans = 23456;

/**
 * Reads an AS number in asplain or asdot (RFC 5396), with or without `AS` in front: `AS64500`, `64500`, `1.10`.
 * @throws {ResourceSyntaxError} for anything else.
 */
export function parseAsNumber(text: string): number {
  const parts = /^(?:as)?(\d+)(?:\.(\d+))?$/i.exec(text);
  const high = parts?.[1];
  if (high === undefined) {
    if (text.trim() === '') throw new ResourceSyntaxError('EMPTY', 'An AS number is missing, such as AS64500');
    throw new ResourceSyntaxError('NOT_AN_AS_NUMBER', `${quoteInput(text)} is not an AS number. Enter one such as AS64500`);
  }
  const low = parts?.[2];
  if (low !== undefined && (Number(high) > 65535 || Number(low) > 65535))
    throw new ResourceSyntaxError('NOT_AN_AS_NUMBER', `${quoteInput(text)} has a part above 65535, the largest on either side of the dot`);
  const value = low === undefined ? Number(high) : Number(high) * 65536 + Number(low);
  if (value > maxAsNumber)
    throw new ResourceSyntaxError('NOT_AN_AS_NUMBER', `${quoteInput(text)} is above ${maxAsNumber}, the largest AS number`);
  if (/^0\d/.test(high) || (low !== undefined && /^0\d/.test(low)))
    throw new ResourceSyntaxError('LEADING_ZERO', `${quoteInput(text)} has a leading zero`, printAsNumber(value));
  return value;
}

/** Prints in asplain with `AS` in front, the form members read and RPSL uses: `AS65546`. */
export function printAsNumber(asNumber: number): string {
  return `AS${asNumber}`;
}

/** Prints in asdot (RFC 5396): 4-byte numbers as `AS1.10`, 2-byte numbers as in asplain. */
export function printAsdot(asNumber: number): string {
  return is4ByteAsNumber(asNumber) ? `AS${Math.floor(asNumber / 65536)}.${asNumber % 65536}` : printAsNumber(asNumber);
}

/** True for AS numbers that do not fit the original two bytes (RFC 6793). */
export function is4ByteAsNumber(asNumber: number): boolean {
  return asNumber > 65535;
}

/**
 * Reads `AS64496 - AS64511`, blanks and `AS` optional, or a single AS number.
 * @throws {ResourceSyntaxError} also when the range ends before it starts.
 */
export function parseAsRange(text: string): AsRange {
  const dash = text.indexOf('-');
  if (dash < 0) {
    const only = parseAsNumber(text);
    return { family: 'asn', first: only, last: only };
  }
  const firstText = text.slice(0, dash).trim();
  const lastText = text.slice(dash + 1).trim();
  if (firstText === '' || lastText === '')
    throw new ResourceSyntaxError('RANGE_INCOMPLETE', `${quoteInput(text)} lacks one end; a range is written AS64496 - AS64511`);
  const first = parseAsNumber(firstText);
  const last = parseAsNumber(lastText);
  if (first > last)
    throw new ResourceSyntaxError(
      'RANGE_REVERSED',
      `${quoteInput(text)} ends before it starts`,
      printAsRange({ family: 'asn', first: last, last: first }),
    );
  return { family: 'asn', first, last };
}

/** Prints `AS64500`, or `AS64496 - AS64511`. */
export function printAsRange(range: AsRange): string {
  return range.first === range.last ? printAsNumber(range.first) : `${printAsNumber(range.first)} - ${printAsNumber(range.last)}`;
}

/**
 * The range of `count` AS numbers from `first`, as the registries' statistics files write them.
 * @throws {RangeError} when count is below 1, or the range would go past the largest AS number.
 */
export function asRangeOfCount(first: number, count: number): AsRange {
  const last = first + count - 1;
  if (!Number.isInteger(first) || !Number.isInteger(count) || first < 0 || count < 1 || last > maxAsNumber)
    throw new RangeError(`No ${count} AS numbers start at ${first}`);
  return { family: 'asn', first, last };
}
