import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePrefix, printPrefix } from './prefix.ts';
import { planSparse, sparseIndex, sparseMethods } from './sparse-order.ts';

const order = (method: (typeof sparseMethods)[number], bits: number) =>
  Array.from({ length: 2 ** bits }, (_, place) => Number(sparseIndex(method, bits, BigInt(place))));

test('leftmost is bit-reversed counting, rightmost counts, as RFC 3531 has them', () => {
  expect(order('leftmost', 4)).toEqual([0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]);
  expect(order('rightmost', 2)).toEqual([0, 1, 2, 3]);
  expect(order('centermost', 4).slice(0, 8)).toEqual([0, 4, 2, 6, 8, 12, 10, 14]);
});

test('2001:db8::/32 into /36 begins with the halves, then the quarters', () => {
  const steps = planSparse(parsePrefix('2001:db8::/32'), 36, 5, 'leftmost');
  expect(steps.map(({ prefix }) => printPrefix(prefix))).toEqual([
    '2001:db8::/36',
    '2001:db8:8000::/36',
    '2001:db8:4000::/36',
    '2001:db8:c000::/36',
    '2001:db8:2000::/36',
  ]);
  expect(steps.map(({ room }) => room.length)).toEqual([32, 33, 34, 34, 35]);
});

test('every method names each part exactly once, and the room of a part holds no earlier one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...sparseMethods), fc.integer({ min: 0, max: 8 }), (method, bits) => {
      expect(new Set(order(method, bits)).size).toBe(2 ** bits);
      const steps = planSparse(parsePrefix('2001:db8::/32'), 32 + bits, 300, method);
      for (const [at, { room }] of steps.entries())
        for (const earlier of steps.slice(0, at))
          expect(earlier.prefix.first >= room.first && earlier.prefix.last <= room.last).toBe(false);
    }),
  );
});
