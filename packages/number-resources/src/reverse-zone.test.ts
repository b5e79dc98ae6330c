import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyAddress, anyPrefix } from '../arbitrary.ts';
import { parseAddress } from './address.ts';
import { parsePrefix, printPrefix } from './prefix.ts';
import { parseRange } from './range.ts';
import {
  listReverseZones,
  listZonePrefixes,
  parseReverseZone,
  listClasslessAliases,
  printClasslessZone,
  printReverseName,
  printReverseZone,
} from './reverse-zone.ts';

describe('the reverse zones of a prefix', () => {
  it.each([
    ['203.0.112.0/22', ['112.0.203.in-addr.arpa', '113.0.203.in-addr.arpa', '114.0.203.in-addr.arpa', '115.0.203.in-addr.arpa']],
    ['202.8.0.0/15', ['8.202.in-addr.arpa', '9.202.in-addr.arpa']],
    ['10.155.16.0/22', ['16.155.10.in-addr.arpa', '17.155.10.in-addr.arpa', '18.155.10.in-addr.arpa', '19.155.10.in-addr.arpa']],
    ['192.0.2.0/24', ['2.0.192.in-addr.arpa']],
    ['10.0.0.0/8', ['10.in-addr.arpa']],
    ['10.0.0.0/7', ['10.in-addr.arpa', '11.in-addr.arpa']],
    ['192.0.2.64/26', []],
    ['2001:db8::/32', ['8.b.d.0.1.0.0.2.ip6.arpa']],
    ['2001:db8::/35', ['0.8.b.d.0.1.0.0.2.ip6.arpa', '1.8.b.d.0.1.0.0.2.ip6.arpa']],
    ['2001:db8:12::/48', ['2.1.0.0.8.b.d.0.1.0.0.2.ip6.arpa']],
    ['2400::/12', ['0.4.2.ip6.arpa']],
    ['192.0.2.0 - 192.0.4.255', ['2.0.192.in-addr.arpa', '3.0.192.in-addr.arpa', '4.0.192.in-addr.arpa']],
    ['192.0.2.0 - 192.0.3.63', ['2.0.192.in-addr.arpa']],
  ])('of %s', (text, zones) => expect(listReverseZones(parseRange(text))).toEqual(zones));

  it('of 2001:db8::/29 are eight', () => {
    expect(listReverseZones(parseRange('2001:db8::/29'))).toEqual(
      ['8', '9', 'a', 'b', 'c', 'd', 'e', 'f'].map(digit => `${digit}.b.d.0.1.0.0.2.ip6.arpa`),
    );
  });

  it('are a /8, /16 or /24 or a 4-bit boundary each, and fill the prefix', () => {
    fc.assert(
      fc.property(anyPrefix, prefix => {
        const zones = listZonePrefixes(prefix);
        if (prefix.family === 'ipv4' && prefix.length > 24) {
          expect(zones).toEqual([]);
          return;
        }
        expect(zones.length).toBeLessThanOrEqual(256);
        for (const zone of zones) expect(prefix.family === 'ipv4' ? [8, 16, 24].includes(zone.length) : zone.length % 4 === 0).toBe(true);
        expect(zones[0]?.first).toBe(prefix.first);
        expect(zones.at(-1)?.last).toBe(prefix.last);
      }),
    );
  });
});

describe('a reverse zone name', () => {
  it('leads back to its prefix', () => {
    fc.assert(
      fc.property(anyPrefix, prefix => {
        for (const zone of listZonePrefixes(prefix)) {
          expect(parseReverseZone(printReverseZone(zone))).toEqual(zone);
          expect(parseReverseZone(`${printReverseZone(zone).toUpperCase()}.`)).toEqual(zone);
        }
      }),
    );
    fc.assert(
      fc.property(anyAddress, address => {
        expect(parseReverseZone(printReverseName(address))).toMatchObject({
          family: address.family,
          first: address.value,
          last: address.value,
        });
      }),
    );
  });

  it.each([
    ['8.b.d.0.1.0.0.2.ip6.arpa', '2001:db8::/32'],
    ['2.0.192.in-addr.arpa', '192.0.2.0/24'],
    ['in-addr.arpa', '0.0.0.0/0'],
    ['ip6.arpa.', '::/0'],
  ])('%s is of %s', (name, text) => expect(printPrefix(parseReverseZone(name))).toBe(text));

  it.each([
    ['example.net', 'example.net is not a reverse zone; its name ends in .in-addr.arpa or .ip6.arpa'],
    ['xin-addr.arpa', 'is not a reverse zone'],
    ['', 'is not a reverse zone'],
    ['256.192.in-addr.arpa', 'has the label "256"; each label is a number from 0 to 255'],
    ['02.0.192.in-addr.arpa', 'has the label "02"'],
    ['64-127.2.0.192.in-addr.arpa', 'has the label "64-127"'],
    ['1.1.2.0.192.in-addr.arpa', 'has 5 labels before in-addr.arpa, at most 4 can be'],
    ['10.b.d.0.1.0.0.2.ip6.arpa', 'has the label "10"; each label is one hexadecimal digit'],
    ['.8.b.d.0.1.0.0.2.ip6.arpa', 'has the label ""'],
    [`${'0.'.repeat(33)}ip6.arpa`, 'has 33 labels before ip6.arpa, at most 32 can be'],
  ])('%j is refused', (name, reason) => {
    expect(() => parseReverseZone(name)).toThrow(
      expect.objectContaining({ code: 'NOT_A_REVERSE_ZONE', message: expect.stringContaining(reason) }),
    );
  });

  it('is not made up for a prefix between two labels', () => {
    expect(() => printReverseZone(parsePrefix('203.0.112.0/22'))).toThrow('203.0.112.0/22 is no single reverse zone');
  });

  it('of a host is the one with its PTR record', () => {
    expect(printReverseName(parseAddress('192.0.2.1'))).toBe('1.2.0.192.in-addr.arpa');
    expect(printReverseName(parseAddress('2001:db8::1'))).toBe(`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`);
  });

  it('inside a /24 is agreed with the holder of the /24', () => {
    expect(printClasslessZone(parsePrefix('192.0.2.64/26'))).toBe('64-127.2.0.192.in-addr.arpa');
    expect(printClasslessZone(parsePrefix('192.0.2.0/24'))).toBeUndefined();
    expect(printClasslessZone(parsePrefix('2001:db8::/126'))).toBeUndefined();
    const aliases = listClasslessAliases(parsePrefix('192.0.2.64/26'));
    expect([aliases.length, aliases[0], aliases.at(-1)]).toEqual([
      64,
      { label: '64', target: '64.64-127.2.0.192.in-addr.arpa' },
      { label: '127', target: '127.64-127.2.0.192.in-addr.arpa' },
    ]);
    expect(listClasslessAliases(parsePrefix('192.0.2.0/24'))).toEqual([]);
  });
});
