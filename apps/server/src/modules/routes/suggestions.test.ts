import type { Vrp } from '@portal/number-resources';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateAnnouncements } from '../rpki/index.ts';
import { suggest } from './suggestions.ts';

const roa = (prefix: string, asn: number, maxLength = Number(prefix.split('/')[1])): Vrp => ({ prefix, asn, maxLength });
const found = (roas: Vrp[], announced: [string, number][], kept = new Map<string, { routeId: string }>()) =>
  suggest(
    roas,
    validateAnnouncements(
      announced.map(([prefix, asn]) => ({ prefix, asn, peers: 50 })),
      roas,
    ),
    kept,
  ).map(({ kind, prefix, asn, maxLength }) => `${kind} ${prefix}-${maxLength} ${asn}`);

test('announcements without a ROA, too long or from another AS get an exact one', () => {
  expect(found([], [['10.0.0.0/24', 1]])).toEqual(['add 10.0.0.0/24-24 1']);
  expect(
    found(
      [roa('10.0.0.0/23', 1)],
      [
        ['10.0.0.0/24', 1],
        ['10.0.0.0/23', 1],
      ],
    ),
  ).toEqual(['add 10.0.0.0/24-24 1']);
  expect(
    found(
      [roa('10.0.0.0/23', 1)],
      [
        ['10.0.0.0/24', 2],
        ['10.0.0.0/23', 1],
      ],
    ),
  ).toEqual(['add 10.0.0.0/24-24 2']);
});

test('announcements forbidden by an AS0 ROA are never proposed', () => {
  expect(found([roa('10.0.0.0/23', 0)], [['10.0.0.0/24', 2]])).toEqual([]);
});

test('ROAs that match no announcement, allow too much, or are redundant are reported', () => {
  expect(found([roa('10.0.0.0/24', 1)], [['10.9.0.0/24', 1]])).toEqual(['add 10.9.0.0/24-24 1', 'stale 10.0.0.0/24-24 1']);
  expect(found([roa('10.0.0.0/24', 1)], [['10.0.0.0/24', 2]])).toEqual(['add 10.0.0.0/24-24 2', 'disallowing 10.0.0.0/24-24 1']);
  expect(
    found(
      [roa('10.0.0.0/16', 1, 24)],
      [
        ['10.0.0.0/16', 1],
        ['10.0.0.0/20', 1],
      ],
    ),
  ).toEqual(['too-permissive 10.0.0.0/16-20 1']);
  const both = [roa('10.0.0.0/16', 1, 24), roa('10.0.0.0/24', 1)];
  expect(found(both, [['10.0.0.0/24', 1]])).toEqual(['redundant 10.0.0.0/24-24 1']);
  expect(found([roa('10.0.0.0/24', 1)], []), 'a view that sees nothing says nothing').toEqual([]);
});

test('the order of ROAs and announcements makes no difference', () => {
  const prefixes = ['10.0.0.0/16', '10.0.0.0/20', '10.0.0.0/24', '10.0.1.0/24', '10.1.0.0/24'];
  const roas = fc.uniqueArray(
    fc.record({ prefix: fc.constantFrom(...prefixes), asn: fc.integer({ min: 0, max: 3 }), more: fc.integer({ min: 0, max: 4 }) }),
    { selector: ({ prefix, asn }) => `${prefix} ${asn}`, maxLength: 8 },
  );
  const seen = fc.uniqueArray(fc.tuple(fc.constantFrom(...prefixes), fc.integer({ min: 1, max: 3 })), { selector: String, maxLength: 8 });
  fc.assert(
    fc.property(roas, seen, (given, announced) => {
      const vrps = given.map(({ prefix, asn, more }) => roa(prefix, asn, Number(prefix.split('/')[1]) + more));
      expect(found(vrps.toReversed(), announced.toReversed()).toSorted()).toEqual(found(vrps, announced).toSorted());
    }),
    { numRuns: 200 },
  );
});
