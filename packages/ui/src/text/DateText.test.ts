import { expect, test } from 'vitest';
import { formatCount } from './Count.tsx';
import { formatDate } from './DateText.tsx';

const brisbane = { timeZone: 'Australia/Brisbane', hourCycle: 'h23' } as const;

test('an instant reads in the time zone of the person, with the offset where it is exact', () => {
  expect(formatDate('2026-11-19T23:31:07Z', brisbane)).toBe('20 Nov 2026, 09:31');
  expect(formatDate('2026-11-19T23:31:07Z', brisbane, 'date')).toBe('20 Nov 2026');
  expect(formatDate('2026-11-19T23:31:07Z', brisbane, 'day')).toBe('Fri 20 Nov 2026');
  expect(formatDate('2026-11-19T23:31:07Z', brisbane, 'day-time')).toBe('Fri 20 Nov 2026, 09:31');
  expect(formatDate('2026-11-19T23:31:07Z', brisbane, 'date', true)).toBe('20 Nov 2026, 09:31:07 +10:00');
  expect(formatDate('2026-11-19T23:31:07Z', { timeZone: 'UTC', hourCycle: 'h23' }, 'time', true)).toBe('19 Nov 2026, 23:31:07 +00:00');
});

test('a calendar day is the same day in every zone, and has no time', () => {
  const honolulu = { timeZone: 'Pacific/Honolulu', hourCycle: 'h23' } as const;
  for (const zone of [brisbane, honolulu]) {
    expect(formatDate('2026-11-20', zone, 'date')).toBe('20 Nov 2026');
    expect(formatDate('2026-11-20', zone, 'day', true)).toBe('Fri 20 Nov 2026');
  }
});

test('a time that operators compare is in UTC for everyone, and says so', () => {
  expect(formatDate('2026-11-19T23:31:07Z', { ...brisbane, hourCycle: 'h12' }, 'utc')).toBe('19 Nov 2026, 23:31 UTC');
});

test('the twelve-hour clock is kept, and months have three letters', () => {
  expect(formatDate('2026-09-01T14:05:00Z', { timeZone: 'UTC', hourCycle: 'h12' })).toMatch(/^1 Sep 2026, 2:05 pm$/i);
  expect(formatDate('2026-09-01', brisbane, 'day-month')).toBe('1 Sep');
  expect(formatDate('2026-08-31T23:00:00Z', brisbane, 'month')).toBe('Sep');
  expect(formatDate('2026-09-01', brisbane, 'month-year')).toBe('Sep 2026');
});

test('an invalid date is shown unchanged', () => {
  expect(formatDate('soon', brisbane)).toBe('soon');
});

test('thousands have a gap that does not break', () => {
  expect([0, 999, 8960, 1204771].map(formatCount)).toEqual(['0', '999', '8\u00a0960', '1\u00a0204\u00a0771']);
  expect(formatCount(1n << 64n)).toBe('18\u00a0446\u00a0744\u00a0073\u00a0709\u00a0551\u00a0616');
});
