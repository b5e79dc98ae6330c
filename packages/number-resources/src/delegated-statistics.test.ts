import { describe, expect, it } from 'vitest';
import { parseStatisticsResource } from './delegated-statistics.ts';
import { printResource } from './resource.ts';

describe('a line of the statistics files', () => {
  it.each([
    ['ipv4', '203.0.112.0', '1024', '203.0.112.0/22'],
    ['ipv4', '203.0.112.0', '768', '203.0.112.0 - 203.0.114.255'],
    ['ipv6', '2001:db8::', '32', '2001:db8::/32'],
    ['asn', '64496', '16', 'AS64496 - AS64511'],
    ['asn', '1.10', '1', 'AS65546'],
  ] as const)('%s|%s|%s is %s', (type, start, value, printed) =>
    expect(printResource(parseStatisticsResource(type, start, value))).toBe(printed),
  );

  it.each([
    ['ipv4', '203.0.112.0', '0', 'No 0 addresses start at 203.0.112.0'],
    ['ipv4', '255.255.255.0', '512', 'No 512 addresses'],
    ['ipv4', '2001:db8::', '256', '2001:db8:: is not an IPv4 address'],
    ['ipv6', '192.0.2.0', '24', '192.0.2.0 is not an IPv6 address'],
    ['ipv6', '2001:db8::1', '32', 'has host bits set; did you mean 2001:db8::/32?'],
    ['ipv6', '2001:db8::', '129', 'IPv6 has no prefix length 129'],
    ['asn', '64496', 'x', 'x is not a count or prefix length'],
    ['asn', '4294967295', '2', 'No 2 AS numbers start at 4294967295'],
  ] as const)('%s|%s|%s is refused', (type, start, value, reason) =>
    expect(() => parseStatisticsResource(type, start, value)).toThrow(reason),
  );
});
