import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asRangeOfCount,
  asTrans,
  is4ByteAsNumber,
  maxAsNumber,
  parseAsNumber,
  parseAsRange,
  printAsdot,
  printAsNumber,
  printAsRange,
} from './as-number.ts';

const anyAsNumber = fc.oneof(fc.nat(131072), fc.integer({ min: 0, max: maxAsNumber }));

describe('an AS number', () => {
  it('is read back from every form it is printed in', () => {
    fc.assert(
      fc.property(anyAsNumber, asNumber => {
        for (const text of [printAsNumber(asNumber), printAsdot(asNumber), String(asNumber), printAsdot(asNumber).slice(2)]) {
          expect(parseAsNumber(text)).toBe(asNumber);
          expect(parseAsNumber(text.toLowerCase())).toBe(asNumber);
        }
      }),
    );
  });

  // RFC 5396 section 2
  it.each([
    [65526, 'AS65526', 'AS65526'],
    [65546, 'AS65546', 'AS1.10'],
    [65536, 'AS65536', 'AS1.0'],
    [4294967295, 'AS4294967295', 'AS65535.65535'],
  ])('prints %d as %s and %s', (asNumber, asplain, asdot) => {
    expect(printAsNumber(asNumber)).toBe(asplain);
    expect(printAsdot(asNumber)).toBe(asdot);
  });

  it('fits two bytes up to 65535', () => {
    expect(is4ByteAsNumber(65535)).toBe(false);
    expect(is4ByteAsNumber(65536)).toBe(true);
    expect(asTrans).toBe(parseAsNumber('AS23456'));
  });

  it('reads the 2-byte form with a zero before the dot', () => expect(parseAsNumber('0.64500')).toBe(64500));

  it.each([
    ['', 'EMPTY', 'An AS number is missing, such as AS64500'],
    ['AS', 'NOT_AN_AS_NUMBER', 'AS is not an AS number. Enter one such as AS64500'],
    ['ASX', 'NOT_AN_AS_NUMBER', 'Enter one such as AS64500'],
    ['AS 64500', 'NOT_AN_AS_NUMBER', 'Enter one such as AS64500'],
    ['AS-64500', 'NOT_AN_AS_NUMBER', 'Enter one such as AS64500'],
    ['AS4294967296', 'NOT_AN_AS_NUMBER', 'AS4294967296 is above 4294967295, the largest AS number'],
    ['1.65536', 'NOT_AN_AS_NUMBER', '1.65536 has a part above 65535'],
    ['65536.0', 'NOT_AN_AS_NUMBER', 'has a part above 65535'],
    ['1.2.3', 'NOT_AN_AS_NUMBER', 'is not an AS number'],
    ['AS064500', 'LEADING_ZERO', 'AS064500 has a leading zero; did you mean AS64500?'],
    ['1.010', 'LEADING_ZERO', 'did you mean AS65546?'],
    ['1e5', 'NOT_AN_AS_NUMBER', 'is not an AS number'],
  ])('refuses %j', (text, code, reason) => {
    expect(() => parseAsNumber(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(reason) }));
  });
});

describe('a range of AS numbers', () => {
  it('is read back as what was printed', () => {
    fc.assert(
      fc.property(anyAsNumber, anyAsNumber, (a, b) => {
        const range = { family: 'asn', first: Math.min(a, b), last: Math.max(a, b) } as const;
        expect(parseAsRange(printAsRange(range))).toEqual(range);
      }),
    );
  });

  it.each(['AS64496 - AS64511', 'AS64496-AS64511', 'as64496-64511', '64496 - 64511'])('reads %s', text =>
    expect(printAsRange(parseAsRange(text))).toBe('AS64496 - AS64511'),
  );

  it('prints one number alone', () => expect(printAsRange(parseAsRange('64500'))).toBe('AS64500'));

  it.each([
    ['AS64511 - AS64496', 'RANGE_REVERSED', 'did you mean AS64496 - AS64511?'],
    ['AS64496 -', 'RANGE_INCOMPLETE', 'lacks one end'],
    ['AS64496 - x', 'NOT_AN_AS_NUMBER', 'x is not an AS number'],
  ])('refuses %j', (text, code, reason) => {
    expect(() => parseAsRange(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(reason) }));
  });

  it('starts and counts as in the statistics of the registries', () => {
    expect(printAsRange(asRangeOfCount(64496, 16))).toBe('AS64496 - AS64511');
    expect(() => asRangeOfCount(64496, 0)).toThrow(RangeError);
    expect(() => asRangeOfCount(maxAsNumber, 2)).toThrow('No 2 AS numbers start at 4294967295');
  });
});
