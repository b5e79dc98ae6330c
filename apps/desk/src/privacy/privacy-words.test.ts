import type { EndingKind } from '@portal/contract/privacy/privacy';
import { formatCount } from '@portal/ui';
import { expect, test } from 'vitest';
import { countedInWords, figuresOf, monthsInWords } from './privacy-words.ts';

const kind = (more: Partial<EndingKind>): EndingKind => ({
  kind: 'tickets',
  data: 'Tickets',
  purpose: 'To answer',
  months: 84,
  from: 'after the answer',
  shorter: null,
  waitsSince: null,
  over: 0,
  held: 0,
  nextOn: null,
  ended: 0,
  ...more,
});

test('numbers and periods are words', () => {
  expect([0, 12, 1_000].map(countedInWords)).toEqual(['None', '12', `${formatCount(1_000)} or more`]);
  expect([1, 12, 18, 84].map(monthsInWords)).toEqual(['1 month', '1 year', '18 months', '7 years']);
});

test('what waits for two people isn’t counted as what the next run deletes', () => {
  const figures = figuresOf([
    kind({ over: 3, held: 2, ended: 500 }),
    kind({ over: 1_000, waitsSince: '2026-03-01T00:00:00.000Z' }),
    kind({ over: 4, ended: 1 }),
  ]);
  expect(figures.map(({ value }) => value)).toEqual(['7', '2', '501']);
  expect(figures[0]!.note).toBe(`and ${formatCount(1_000)} or more for which two people have to agree`);
});

test('a sum says that a kind wasn’t counted to its end', () => {
  expect(figuresOf([kind({ over: 1_000 }), kind({ over: 4 })])[0]!.value).toBe(`${formatCount(1_004)} or more`);
  expect(figuresOf([])[0]).toEqual({ words: 'Rows that the next run deletes', value: '0' });
});
