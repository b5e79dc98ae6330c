import { expect, test } from 'vitest';
import { percentOf, shareOf } from './fee-words.ts';

test.each([
  ['50 %', '0.5'],
  ['50', '0.5'],
  ['0%', '0'],
  ['100 %', '1'],
  ['33.33', '0.3333'],
  ['0.5', '0.005'],
  ['101', null],
  ['half', null],
  ['', null],
])('%j is read as the share %s', (typed, share) => {
  expect(shareOf(typed)).toBe(share);
});

test('a share is shown in percent, and read back it is the same', () => {
  for (const share of ['0.5', '0.3333', '1', '0', '0.005']) expect(shareOf(percentOf(share))).toBe(share);
});
