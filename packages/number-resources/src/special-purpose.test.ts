import { describe, expect, it } from 'vitest';
import { parseRange } from './range.ts';
import { findSpecialAs, findSpecialBlock, listSpecialBlocks } from './special-purpose.ts';

describe('addresses set aside', () => {
  it.each([
    ['192.0.2.0/24', 'documentation', 'RFC 5737'],
    ['198.51.100.7', 'documentation', 'RFC 5737'],
    ['203.0.113.0/25', 'documentation', 'RFC 5737'],
    ['2001:db8:1::/48', 'documentation', 'RFC 3849'],
    ['3fff::/20', 'documentation', 'RFC 9637'],
    ['10.1.0.0/16', 'private', 'RFC 1918'],
    ['172.31.255.255', 'private', 'RFC 1918'],
    ['192.168.0.0/16', 'private', 'RFC 1918'],
    ['fd00::/8', 'private', 'RFC 4193'],
    ['100.64.0.0/10', 'shared', 'RFC 6598'],
    ['198.19.0.0/16', 'benchmarking', 'RFC 2544'],
    ['169.254.1.1', 'link-local', 'RFC 3927'],
    ['fe80::1', 'link-local', 'RFC 4291'],
    ['224.0.0.1', 'multicast', 'RFC 5771'],
    ['233.252.0.1', 'documentation', 'RFC 6676'],
    ['ff02::1', 'multicast', 'RFC 4291'],
    ['255.255.255.255', 'reserved', 'RFC 919'],
    ['250.0.0.0/8', 'reserved', 'RFC 1112'],
    ['::1', 'loopback', 'RFC 4291'],
    ['::ffff:192.0.2.1', 'transition', 'RFC 4291'],
    ['2001::/32', 'transition', 'RFC 4380'],
    ['4000::/16', 'reserved', 'RFC 4291'],
  ])('%s is for %s (%s)', (text, use, source) => expect(findSpecialBlock(parseRange(text))).toMatchObject({ use, source }));

  it.each([
    '172.32.0.0/16',
    '100.128.0.0/9',
    '203.0.112.0/24',
    '203.0.112.0/23',
    '2400::/12',
    '2001:db9::/32',
    '3fff:1000::/20',
    '192.0.0.0/16',
  ])('%s is in none of them', text => expect(findSpecialBlock(parseRange(text))).toBeUndefined());

  it('are found for a range that contains only a part of them', () => {
    const inTheWay = (text: string) => listSpecialBlocks(parseRange(text)).map(block => block.name);
    expect(inTheWay('203.0.112.0/22')).toEqual(['TEST-NET-3']);
    expect(inTheWay('192.0.2.128 - 192.31.196.0')).toEqual(['TEST-NET-1', 'AS112']);
    expect(inTheWay('10.0.0.0/24')).toEqual(['Private use']);
    expect(inTheWay('2400::/12')).toEqual([]);
  });
});

describe('special-purpose AS numbers', () => {
  it.each([
    [0, 'reserved', 'RFC 7607'],
    [112, 'anycast', 'RFC 7534'],
    [23456, 'transition', 'RFC 6793'],
    [64496, 'documentation', 'RFC 5398'],
    [64511, 'documentation', 'RFC 5398'],
    [64512, 'private', 'RFC 6996'],
    [65534, 'private', 'RFC 6996'],
    [65535, 'reserved', 'RFC 7300'],
    [65536, 'documentation', 'RFC 5398'],
    [65551, 'documentation', 'RFC 5398'],
    [65552, 'reserved', 'IANA'],
    [131071, 'reserved', 'IANA'],
    [4200000000, 'private', 'RFC 6996'],
    [4294967294, 'private', 'RFC 6996'],
    [4294967295, 'reserved', 'RFC 7300'],
  ])('AS%d is for %s use (%s)', (asNumber, use, source) => expect(findSpecialAs(asNumber)).toMatchObject({ use, source }));

  it.each([1, 23455, 23457, 64495, 131072, 4199999999])('AS%d is an ordinary one', asNumber =>
    expect(findSpecialAs(asNumber)).toBeUndefined(),
  );
});
