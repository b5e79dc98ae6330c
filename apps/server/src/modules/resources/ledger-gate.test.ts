import { coverRange, type NumberResource, parseResource, prefixAt, specialUsesIn } from '@portal/number-resources';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Profile, readProfile } from '../../profile.ts';
import { gateObstacle, type LedgerMove, type MovingNumbers } from './ledger-gate.ts';

const lab = readProfile('');
const registry: Profile = { ...lab, labNumbers: [] };
const moves: readonly LedgerMove[] = ['delegated', 'received', 'transferred', 'merged', 'returned'];
const numbers = (resource: string | NumberResource, more: Partial<MovingNumbers> = {}): MovingNumbers => ({
  resource: typeof resource === 'string' ? parseResource(resource) : resource,
  type: 'allocated',
  purpose: null,
  whole: true,
  rest: [],
  historical: false,
  ...more,
});
const ruleOf = (move: LedgerMove, moving: MovingNumbers, policy = registry) => gateObstacle(move, moving, policy)?.rule ?? null;

describe('numbers reserved by IANA', () => {
  const special = [
    '10.0.0.0/8',
    '127.0.0.0/8',
    '224.0.0.0/4',
    '240.0.0.0/4',
    '203.0.113.0/24',
    '203.0.112.0/22',
    '198.18.0.0/15',
    '0.0.0.0/0',
    '2001:db8::/32',
    '3fff::/32',
    'fc00::/32',
    'AS0',
    'AS23456',
    'AS64496',
    'AS64512',
    'AS65535 - AS65536',
    'AS4200000000',
    'AS4294967295',
  ];
  test.each(special)('%s can’t enter the ledger or go to another holder, but can be removed', resource => {
    const rules = Object.fromEntries(moves.map(move => [move, ruleOf(move, numbers(resource))]));
    expect(rules).toEqual({ delegated: 'special', received: 'special', transferred: 'special', merged: 'special', returned: null });
  });
  test('a laboratory can delegate those named in its profile, and no others', () => {
    const open = special.filter(resource => ruleOf('delegated', numbers(resource), lab) === null);
    expect(open).toEqual(['203.0.113.0/24', '203.0.112.0/22', '198.18.0.0/15', '2001:db8::/32', '3fff::/32', 'AS64496']);
  });
  test('ordinary numbers pass, and a range passes only if all of it does', () => {
    for (const resource of ['203.0.112.0/24', '2400::/12', 'AS131072', 'AS1'])
      expect(ruleOf('received', numbers(resource)), resource).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 24 - 1 }), fc.integer({ min: 8, max: 24 }), (start, length) => {
        const { family, first, last } = prefixAt('ipv4', BigInt(start) << 8n, length);
        const whole: NumberResource = { family, first, last };
        const halves =
          length === 24
            ? []
            : [first, (first + last + 1n) / 2n].map((from, index) => ({
                family,
                first: from,
                last: index === 0 ? (first + last - 1n) / 2n : last,
              }));
        const refused = ruleOf('delegated', numbers(whole)) !== null;
        expect(refused).toBe(specialUsesIn(whole).length > 0);
        if (halves.length > 0) expect(refused).toBe(halves.some(half => ruleOf('delegated', numbers(half)) !== null));
      }),
    );
  });
});

describe('the smallest blocks', () => {
  test.each<[LedgerMove, string, Partial<MovingNumbers>, string | null]>([
    ['delegated', '198.18.0.0/24', {}, null],
    ['delegated', '198.18.0.0/25', {}, 'size'],
    ['delegated', '198.18.0.0/26', { purpose: 'exchange' }, null],
    ['delegated', '198.18.0.0/27', { purpose: 'exchange' }, 'size'],
    ['delegated', '198.18.0.0/28', { historical: true }, null],
    ['delegated', '3fff::/100', { type: 'assigned' }, 'size'],
    ['delegated', '3fff::/48', { type: 'assigned' }, null],
    ['delegated', '3fff::/48', {}, 'size'],
    ['delegated', '3fff::/32', {}, null],
    ['received', '198.18.0.0/25', {}, 'size'],
    ['transferred', '198.18.0.0/25', {}, 'size'],
    ['transferred', '198.18.0.0/28', { historical: true }, 'size'],
    ['returned', '198.18.0.0/26', { purpose: 'exchange' }, null],
    ['merged', '198.18.0.0/28', { historical: true }, null],
  ])('%s %s %j: %s', (move, resource, more, rule) => expect(ruleOf(move, numbers(resource, more), lab)).toBe(rule));

  test.each<[string, string, 'allocated' | 'assigned', string | null]>([
    ['3fff:100::1/128', '3fff:100::/48', 'assigned', 'size'],
    ['3fff:100::/49', '3fff:100::/48', 'assigned', 'size'],
    ['3fff:100::/48', '3fff:100::/47', 'assigned', null],
    ['2001:db8::/64', '2001:db8::/32', 'allocated', 'size'],
    ['2001:db8::/48', '2001:db8::/32', 'allocated', 'size'],
    ['3fff::/32', '3fff::/29', 'allocated', null],
    ['198.18.1.128 - 198.18.2.127', '198.18.0.0/22', 'allocated', 'size'],
  ])('%s of %s, %s, goes back: %s', (part, whole, type, rule) => {
    const rest = restOf(parseResource(whole), parseResource(part));
    for (const move of ['returned', 'merged'] as const)
      expect(ruleOf(move, numbers(part, { type, whole: false, rest }), lab), move).toBe(rule);
  });

  test('taking out a part of IPv6 never leaves pieces below the smallest block', () => {
    fc.assert(
      fc.property(fc.integer({ min: 33, max: 128 }), fc.bigInt({ min: 0n, max: (1n << 96n) - 1n }), (length, offset) => {
        const whole = parseResource('3fff:0:0::/32');
        const { family, first, last } = prefixAt('ipv6', (0x3fffn << 112n) + offset, length);
        const part: NumberResource = { family, first, last };
        const asAssigned = numbers(part, { type: 'assigned', whole: false, rest: restOf(whole, part) });
        expect(ruleOf('returned', asAssigned, lab)).toBe(length > 48 ? 'size' : null);
        expect(ruleOf('returned', { ...asAssigned, type: 'allocated' }, lab)).toBe('size');
      }),
    );
  });
});

/** Returns the prefixes left of a block without a part. */
function restOf(whole: NumberResource, part: NumberResource): NumberResource[] {
  if (whole.family === 'asn' || part.family === 'asn') return [];
  const { family, first, last } = whole;
  return [
    ...(part.first > first ? coverRange({ family, first, last: part.first - 1n }) : []),
    ...(part.last < last ? coverRange({ family, first: part.last + 1n, last }) : []),
  ];
}
