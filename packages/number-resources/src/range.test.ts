import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPrefix, anyRange } from '../arbitrary.ts';
import { parseAddress } from './address.ts';
import { parsePrefix, printPrefix } from './prefix.ts';
import {
  type AddressRange,
  containsRange,
  coverRange,
  enclosingPrefix,
  overlapsRange,
  parseRange,
  prefixOfRange,
  printEnds,
  printRange,
  rangeOfCount,
} from './range.ts';

const range = (first: bigint, last: bigint): AddressRange => ({ family: 'ipv4', first, last });

/** The fewest prefixes inside a space of 2^bits addresses, by trying every division. */
function fewestPrefixes(first: number, last: number): number {
  const best = new Map<number, number>([[last + 1, 0]]);
  for (let at = last; at >= first; at--) {
    let fewest = Number.POSITIVE_INFINITY;
    for (let size = 1; at % size === 0 && at + size - 1 <= last && size <= 64; size *= 2)
      fewest = Math.min(fewest, 1 + (best.get(at + size) ?? Number.POSITIVE_INFINITY));
    best.set(at, fewest);
  }
  return best.get(first) ?? 0;
}

describe('an address range', () => {
  it('is read back as what was printed', () => {
    fc.assert(
      fc.property(anyRange, anyOne => {
        expect(parseRange(printRange(anyOne))).toEqual(anyOne);
        expect(parseRange(printEnds(anyOne))).toEqual(anyOne);
        expect(parseRange(printEnds(anyOne).replace(' - ', '-'))).toEqual(anyOne);
      }),
    );
  });

  it.each([
    ['192.0.2.0 - 192.0.2.255', '192.0.2.0/24'],
    ['192.0.2.0-192.0.2.255', '192.0.2.0/24'],
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.1', '192.0.2.1/32'],
    ['192.0.2.0 - 192.0.4.255', '192.0.2.0 - 192.0.4.255'],
    ['2001:DB8:: - 2001:db8::2', '2001:db8:: - 2001:db8::2'],
    ['0.0.0.0 - 255.255.255.255', '0.0.0.0/0'],
  ])('prints %s as %s', (text, printed) => expect(printRange(parseRange(text))).toBe(printed));

  it.each([
    ['192.0.2.9 - 192.0.2.1', 'RANGE_REVERSED', 'ends before it starts; did you mean 192.0.2.1 - 192.0.2.9?'],
    ['192.0.2.255 - 192.0.2.0', 'RANGE_REVERSED', 'did you mean 192.0.2.0/24?'],
    ['192.0.2.0 - 2001:db8::', 'MIXED_FAMILIES', 'both ends must be IPv4, or both IPv6'],
    ['192.0.2.0 -', 'RANGE_INCOMPLETE', 'lacks one end'],
    ['- 192.0.2.0', 'RANGE_INCOMPLETE', 'lacks one end'],
    ['192.0.2.0-255', 'RANGE_INCOMPLETE', '192.0.2.0-255 has a shortened last address; did you mean 192.0.2.0 - 192.0.2.255?'],
    ['192.0.2.0 - 3.255', 'RANGE_INCOMPLETE', 'did you mean 192.0.2.0 - 192.0.3.255?'],
    ['192.0.2.9-3', 'NOT_AN_ADDRESS', '3 has 1 part'],
    ['192.0.2.9-300', 'NOT_AN_ADDRESS', '300 has 1 part'],
    ['192.0.2.0/25 - 192.0.2.128/25', 'NOT_AN_ADDRESS', 'runs from one address to another'],
    ['192.0.2.0 - 192.0.2.9 - 192.0.2.255', 'NOT_AN_ADDRESS', 'is not an address'],
    ['192.0.2.1/24', 'HOST_BITS_SET', 'did you mean 192.0.2.0/24?'],
  ])('refuses %j', (text, code, reason) => {
    expect(() => parseRange(text)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(reason) }));
  });

  it('is a prefix exactly when it prints as one', () => {
    fc.assert(
      fc.property(anyRange, anyOne => {
        expect(printRange(anyOne).includes('/')).toBe(prefixOfRange(anyOne) !== undefined);
      }),
    );
    fc.assert(
      fc.property(anyPrefix, prefix => {
        expect(prefixOfRange(prefix)).toEqual(prefix);
      }),
    );
  });

  it('starts and counts as in the statistics of the registries', () => {
    expect(printRange(rangeOfCount(parseAddress('203.0.112.0'), 1024))).toBe('203.0.112.0/22');
    expect(printRange(rangeOfCount(parseAddress('203.0.112.0'), 768n))).toBe('203.0.112.0 - 203.0.114.255');
    expect(() => rangeOfCount(parseAddress('203.0.112.0'), 0)).toThrow(RangeError);
    expect(() => rangeOfCount(parseAddress('255.255.255.0'), 257)).toThrow('No 257 addresses start at 255.255.255.0');
  });
});

describe('the cover of a range', () => {
  it('has exactly its addresses, in order', () => {
    fc.assert(
      fc.property(anyRange, anyOne => {
        const cover = coverRange(anyOne);
        let next = anyOne.first;
        for (const prefix of cover) {
          expect(prefix.first).toBe(next);
          expect(parsePrefix(printPrefix(prefix))).toEqual(prefix);
          next = prefix.last + 1n;
        }
        expect(next).toBe(anyOne.last + 1n);
      }),
    );
  });

  it('is the smallest there is, for every range of 64 addresses', () => {
    for (let first = 0; first < 64; first++)
      for (let last = first; last < 64; last++)
        expect(coverRange(range(BigInt(first), BigInt(last)))).toHaveLength(fewestPrefixes(first, last));
  });

  it('has no two neighbours that would be one prefix', () => {
    fc.assert(
      fc.property(anyRange, anyOne => {
        const cover = coverRange(anyOne);
        for (const [index, prefix] of cover.slice(1).entries()) {
          const before = cover[index];
          if (before?.length === prefix.length) expect(prefixOfRange({ ...before, last: prefix.last })).toBeUndefined();
        }
      }),
    );
  });

  it('is at its longest 62 prefixes for IPv4 and 254 for IPv6', () => {
    expect(coverRange(range(1n, 2n ** 32n - 2n))).toHaveLength(62);
    expect(coverRange({ family: 'ipv6', first: 1n, last: 2n ** 128n - 2n })).toHaveLength(254);
    expect(coverRange(range(0n, 2n ** 32n - 1n)).map(printPrefix)).toEqual(['0.0.0.0/0']);
  });

  it('splits the /23 beside a /24', () => {
    expect(coverRange(parseRange('192.0.2.0 - 192.0.4.255')).map(printPrefix)).toEqual(['192.0.2.0/23', '192.0.4.0/24']);
  });
});

describe('two ranges', () => {
  const small = fc.tuple(fc.nat(15), fc.nat(15)).map(([a, b]) => range(BigInt(Math.min(a, b)), BigInt(Math.max(a, b))));
  const addresses = ({ first, last }: AddressRange) => Array.from({ length: Number(last - first) + 1 }, (_, i) => first + BigInt(i));

  it('contain and overlap each other as their addresses do', () => {
    fc.assert(
      fc.property(small, small, (a, b) => {
        const inA = new Set(addresses(a));
        expect(containsRange(a, b)).toBe(addresses(b).every(address => inA.has(address)));
        expect(overlapsRange(a, b)).toBe(addresses(b).some(address => inA.has(address)));
      }),
    );
  });

  it('have nothing in common across families', () => {
    const all4 = parseRange('0.0.0.0/0');
    const all6 = parseRange('::/0');
    expect(containsRange(all6, all4)).toBe(false);
    expect(overlapsRange(all6, all4)).toBe(false);
  });

  it('have one most specific prefix around them', () => {
    fc.assert(
      fc.property(anyRange, anyOne => {
        const around = enclosingPrefix(anyOne);
        expect(containsRange(around, anyOne)).toBe(true);
        if (anyOne.first !== anyOne.last) {
          const half = around.first + (around.last - around.first) / 2n;
          expect(anyOne.first <= half && anyOne.last > half).toBe(true);
        }
      }),
    );
  });
});
