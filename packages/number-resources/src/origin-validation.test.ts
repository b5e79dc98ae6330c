import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coveringVrps, decidingVrps, indexVrps, isCovered, validityAmong, validateOrigin, type Vrp } from './origin-validation.ts';
import { type Prefix, parsePrefix, prefixAt, printPrefix } from './prefix.ts';
import { containsRange } from './range.ts';

const stateOf = (vrps: Vrp[], prefix: string, asn: number) => validateOrigin(indexVrps(vrps), parsePrefix(prefix), asn);
const roa = (prefix: string, asn: number, maxLength = Number(prefix.split('/')[1])): Vrp => ({ prefix, asn, maxLength });

test.each([
  [[roa('203.0.112.0/22', 64500, 24)], '203.0.113.0/24', 64500, 'valid'],
  [[roa('203.0.112.0/22', 64500, 24)], '203.0.113.0/25', 64500, 'invalid-length'],
  [[roa('203.0.112.0/22', 64500, 24)], '203.0.113.0/24', 64501, 'invalid-asn'],
  [[roa('203.0.112.0/22', 0)], '203.0.112.0/22', 64500, 'invalid-asn'],
  [[roa('203.0.112.0/22', 0)], '203.0.112.0/22', 0, 'invalid-asn'],
  [[], '203.0.112.0/22', 64500, 'not-found'],
  [[roa('203.0.113.0/24', 64500)], '203.0.112.0/22', 64500, 'not-found'],
  [[roa('2001:db8::/32', 64500, 36)], '2001:db8:1000::/36', 64500, 'valid'],
  [[roa('2001:db8::/32', 64500, 36)], '2001:db8:1000::/64', 64500, 'invalid-length'],
  [[roa('0.0.0.0/0', 64500, 32)], '255.255.255.255/32', 64500, 'valid'],
] as const)('judges an announcement among ROAs as routers do (%#)', (vrps, prefix, asn, state) => {
  expect(stateOf([...vrps], prefix, asn)).toBe(state);
});

test('one ROA that fits is enough, wherever it stands in the list', () => {
  const list = [roa('203.0.112.0/22', 0), roa('203.0.112.0/22', 64501), roa('203.0.112.0/23', 64500, 24), roa('203.0.112.0/22', 64500)];
  expect(stateOf(list, '203.0.112.0/24', 64500)).toBe('valid');
  expect(stateOf(list.toReversed(), '203.0.112.0/24', 64500)).toBe('valid');
  expect(stateOf(list, '203.0.112.0/25', 64500)).toBe('invalid-length');
  expect(stateOf(list.toReversed(), '203.0.112.0/25', 64500)).toBe('invalid-length');
});

/** Few bits, so that prefixes meet. */
const prefix = fc
  .record({
    family: fc.constantFrom('ipv4' as const, 'ipv6' as const),
    top: fc.nat(255),
    length: fc.integer({ min: 0, max: 12 }),
    far: fc.boolean(),
  })
  .map(({ family, top, length, far }): Prefix => {
    const bits = family === 'ipv4' ? 32 : 128;
    // Some IPv6 prefixes longer than the 48 bits that a number holds.
    return far && family === 'ipv6'
      ? prefixAt(family, (0x2001_0db8n << 96n) | (BigInt(top) << 64n), 52 + length)
      : prefixAt(family, BigInt(top) << BigInt(bits - 8), length);
  });
const asn = fc.integer({ min: 0, max: 3 });
const vrp = fc
  .record({ prefix, asn, more: fc.nat(6) })
  .map(({ prefix: p, asn: a, more }): Vrp => ({ prefix: printPrefix(p), asn: a, maxLength: p.length + more }));

test('agrees with the words of RFC 6811 for any ROAs and any announcement', () => {
  fc.assert(
    fc.property(fc.array(vrp, { maxLength: 20 }), prefix, asn, (vrps, announced, origin) => {
      const covering = vrps.filter(
        each => containsRange(parsePrefix(each.prefix), announced) && parsePrefix(each.prefix).length <= announced.length,
      );
      const matched = covering.filter(each => each.asn !== 0 && each.asn === origin && announced.length <= each.maxLength);
      const state = validateOrigin(indexVrps(vrps), announced, origin);
      expect(state === 'valid').toBe(matched.length > 0);
      expect(state === 'not-found').toBe(covering.length === 0);
      expect(validityAmong(covering, announced.length, origin)).toBe(state);
      expect(new Set(coveringVrps(indexVrps(vrps), announced))).toEqual(new Set(covering));
      expect(isCovered(indexVrps(vrps), announced)).toBe(covering.length > 0);
    }),
  );
});

/** Many ROAs of few prefixes, as of a member who names hundreds of AS numbers for one. */
const crowd = fc.array(
  fc
    .record({ prefix: fc.constantFrom('10.0.0.0/8', '10.0.0.0/16', '2001:db8::/32'), asn, more: fc.nat(6) })
    .map(({ prefix: p, asn: a, more }): Vrp => ({ prefix: p, asn: a, maxLength: Number(p.split('/')[1]) + more })),
  { minLength: 5, maxLength: 60 },
);
const inCrowd = fc
  .constantFrom('10.0.0.0/8', '10.0.0.0/16', '10.0.0.0/18', '10.0.128.0/22', '2001:db8::/34', '2001:db8::/40')
  .map(parsePrefix);

test('prefixes with many ROAs are judged as those with few, and the ROAs of the origin come first', () => {
  fc.assert(
    fc.property(crowd, inCrowd, asn, fc.nat(10), (vrps, announced, origin, most) => {
      const index = indexVrps(vrps);
      const covering = vrps.filter(each => containsRange(parsePrefix(each.prefix), announced));
      expect(validateOrigin(index, announced, origin)).toBe(validityAmong(covering, announced.length, origin));
      const { vrps: shown, count } = decidingVrps(index, announced, origin, most);
      expect(count).toBe(covering.length);
      expect(shown).toHaveLength(Math.min(most, covering.length));
      expect(shown.every(each => covering.includes(each))).toBe(true);
      const own = covering.filter(each => each.asn === origin).length;
      expect(shown.filter(each => each.asn === origin)).toHaveLength(Math.min(most, own));
      expect(shown.slice(0, own).every(each => each.asn === origin)).toBe(true);
    }),
  );
});

test('one ROA that fits is found among twenty thousand of a prefix, for twenty thousand announcements', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => roa('10.0.0.0/8', n + 1, 24));
  const index = indexVrps(many);
  const began = performance.now();
  for (let n = 0; n < 20_000; n++)
    expect(validateOrigin(index, prefixAt('ipv4', BigInt(10 * 2 ** 24 + n * 256), 24), n + 1) === 'valid').toBe(true);
  // 20,000 times 20,000 are 400 million comparisons.
  expect(performance.now() - began).toBeLessThan(2_000);
});
