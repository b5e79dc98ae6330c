import { describe, expect, it } from 'vitest';
import { parseRange } from './range.ts';
import { countAddresses, countBlocks, ipv4Size, ipv6Size } from './size.ts';

describe('the size of address space', () => {
  it('counts every address exactly', () => {
    expect(countAddresses(parseRange('192.0.2.0/24'))).toBe(256n);
    expect(countAddresses(parseRange('192.0.2.0 - 192.0.4.255'))).toBe(768n);
    expect(countAddresses(parseRange('::/0'))).toBe(340282366920938463463374607431768211456n);
  });

  it.each([
    ['192.0.2.0 - 192.0.4.255', 3],
    ['192.0.2.0/26', 0.25],
    ['192.0.2.1', 1 / 256],
    ['0.0.0.0/0', 16777216],
  ])('gives %s as %d /24 equivalents', (text, slash24s) => expect(ipv4Size(countAddresses(parseRange(text))).slash24s).toBe(slash24s));

  it('gives IPv6 in /32s, /48s, /56s and /64s', () => {
    expect(ipv6Size(countAddresses(parseRange('2001:db8::/32')))).toEqual({
      addresses: 2n ** 96n,
      slash32s: 1n,
      slash48s: 65536n,
      slash56s: 16777216n,
      slash64s: 4294967296n,
    });
    expect(ipv6Size(countAddresses(parseRange('2001:db8:12::/48')))).toMatchObject({
      slash32s: 0n,
      slash48s: 1n,
      slash56s: 256n,
      slash64s: 65536n,
    });
  });

  it('stays exact where doubles do not', () => expect(ipv6Size(2n ** 128n - 1n).slash64s).toBe(18446744073709551615n));

  it('counts whole blocks only', () => {
    expect(countBlocks(767n, 'ipv4', 24)).toBe(2n);
    expect(countBlocks(768n, 'ipv4', 24)).toBe(3n);
  });
});
