import { expect, test } from 'vitest';
import { sinceInWords, spanOf } from './ticket-words.ts';

test('a span is given in the largest unit that fits', () => {
  expect([0, 59, 60, 47 * 60, 72 * 60].map(spanOf)).toEqual(['1 min', '59 min', '1 h', '47 h', '3 days']);
});
test('a time ago is counted from now', () => {
  expect(sinceInWords('2026-11-22T10:00:00Z', Date.parse('2026-11-22T13:00:00Z'))).toBe('3 h');
});
