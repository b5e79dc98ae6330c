import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortCount } from './short-count.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1250, '1.2K'],
  [99_990, '99.9K'],
  [999_999, '999K'],
  [1_000_000, '1M'],
  [12_849_000, '12.8M'],
  [1e9, '1B'],
  [2n ** 32n, '4.2B'],
  [-1500, '-1.5K'],
])('%s is %s', (count, expected) => {
  expect(shortCount(count)).toBe(expected);
});

test('never exceeds the count, and is at most a tenth below', () => {
  const factors: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9 };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), count => {
      const shown = shortCount(count);
      const value = Number.parseFloat(shown) * (factors[shown.at(-1)!] ?? 1);
      expect(value).toBeLessThanOrEqual(count * (1 + 1e-12));
      expect(value).toBeGreaterThanOrEqual(count * 0.9);
    }),
  );
});
