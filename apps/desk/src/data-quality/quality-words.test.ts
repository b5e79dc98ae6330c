import { expect, test } from 'vitest';
import { countInWords, shareOf, trendOf } from './quality-words.ts';

test('a share is never rounded to none or all', () => {
  expect([shareOf(0, 100), shareOf(1, 12_849), shareOf(1, 3), shareOf(12_848, 12_849), shareOf(5, 5), shareOf(0, 0)]).toEqual([
    '0%',
    'under 1%',
    '33%',
    'over 99%',
    '100%',
    '0%',
  ]);
});

test('a trend says by how many the number changed and since when, and nothing where no day is known', () => {
  const before = { rows: 5, on: '2026-11-21' };
  expect(trendOf({ rows: 8, before })).toEqual({ words: '3 more than on', way: 'more', on: before.on });
  expect(trendOf({ rows: 4, before })).toEqual({ words: '1 fewer than on', way: 'fewer', on: before.on });
  expect(trendOf({ rows: 5, before })?.way).toBe('same');
  expect([trendOf({ rows: null, before }), trendOf({ rows: 5, before: null })]).toEqual([null, null]);
});

test('one of a thing is named as one', () => {
  expect([countInWords('abuse-mailboxes', 1), countInWords('abuse-mailboxes', 2)]).toEqual(['1 mailbox', '2 mailboxes']);
});
