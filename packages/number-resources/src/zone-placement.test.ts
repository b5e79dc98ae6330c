import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Prefix, parsePrefix, prefixAt, printPrefix } from './prefix.ts';
import { containsRange, overlapsRange } from './range.ts';
import { listZonePrefixes } from './reverse-zone.ts';
import { finerZones, placeZones, zonesNear } from './zone-placement.ts';

const states = (prefix: string, ...delegated: string[]) =>
  placeZones(parsePrefix(prefix), delegated.map(parsePrefix)).map(({ zone, state }) => `${printPrefix(zone)} ${state}`);

test('a /22 needs four zones, and each says whether it is delegated', () => {
  expect(states('203.0.112.0/22', '203.0.113.0/24', '198.51.100.0/24')).toEqual([
    '203.0.112.0/24 missing',
    '203.0.113.0/24 exact',
    '203.0.114.0/24 missing',
    '203.0.115.0/24 missing',
  ]);
});

test('a zone around covers, zones inside make it partly delegated', () => {
  expect(states('198.18.4.0/23', '198.18.0.0/16')).toEqual(['198.18.4.0/24 covered', '198.18.5.0/24 covered']);
  expect(states('198.18.0.0/16', '198.18.4.0/24')).toEqual(['198.18.0.0/16 partly']);
  expect(states('2001:db8::/35', '2001:db8:1000::/36')).toEqual(['2001:db8::/36 missing', '2001:db8:1000::/36 exact']);
});

test('finer zones of a /16 are its 256 /24, and a /24 has none', () => {
  expect(finerZones(parsePrefix('198.18.0.0/16'))).toHaveLength(256);
  expect(finerZones(parsePrefix('2001:db8::/32')).map(printPrefix)).toContain('2001:db8:f000::/36');
  expect(finerZones(parsePrefix('192.0.2.0/24'))).toEqual([]);
});

const aPrefix = fc
  .record({ address: fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), length: fc.integer({ min: 6, max: 24 }) })
  .map(({ address, length }): Prefix => prefixAt('ipv4', address, length));

test('every needed zone is placed once, and its state says what is delegated', () => {
  fc.assert(
    fc.property(aPrefix, fc.array(aPrefix, { maxLength: 12 }), (prefix, others) => {
      const zones = others.flatMap(each => listZonePrefixes(each).slice(0, 3));
      const placed = placeZones(prefix, zones);
      expect(placed.map(({ zone }) => printPrefix(zone))).toEqual(listZonePrefixes(prefix).map(printPrefix));
      for (const { zone, state, by, inner } of placed) {
        const same = zones.some(each => printPrefix(each) === printPrefix(zone));
        const inside = zones.filter(each => each.length > zone.length && containsRange(zone, each));
        if (same) expect(state).toBe('exact');
        else if (state === 'covered') expect(containsRange(by!, zone)).toBe(true);
        else expect([state, inner.length]).toEqual(inside.length > 0 ? ['partly', inside.length] : ['missing', 0]);
      }
    }),
  );
});

test('the zones near a prefix are those that overlap it', () => {
  const six = aPrefix.map(({ first, length }): Prefix => prefixAt('ipv6', first << 96n, length));
  const prefixes = fc.array(fc.oneof(aPrefix, six), { maxLength: 40 });
  fc.assert(
    fc.property(prefixes, prefixes, (asked, delegated) => {
      const once = [...new Map(delegated.map(each => [printPrefix(each), each])).values()];
      const near = zonesNear(once);
      for (const prefix of [...asked, ...once]) {
        const overlapping = once.filter(each => each.family === prefix.family && overlapsRange(each, prefix));
        expect(near(prefix).map(printPrefix).toSorted()).toEqual(overlapping.map(printPrefix).toSorted());
      }
    }),
  );
});
