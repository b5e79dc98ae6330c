import { dayIn } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { periodOf } from './period.ts';

const zone = 'Australia/Brisbane';
const now = new Date('2026-11-21T20:00:00Z');

describe('the period of the activity log', () => {
  test('is the last 30 days of the registry, whose day begins before that of UTC', () => {
    expect(dayIn(zone, now)).toBe('2026-11-22');
    const { from, to, days } = periodOf({}, now, zone);
    expect([from, to, days.length]).toEqual(['2026-10-24', '2026-11-22', 30]);
  });

  test.each([
    [{ from: '2026-01-01' }, '2026-01-01', '2026-01-30'],
    [{ to: '2026-03-01' }, '2026-01-31', '2026-03-01'],
    [{ from: '2026-02-28', to: '2026-02-28' }, '2026-02-28', '2026-02-28'],
    [{ from: '2025-11-22', to: '2026-11-22' }, '2025-11-22', '2026-11-22'],
    [{ from: '2024-02-29', to: '2025-03-01' }, '2024-02-29', '2025-03-01'],
  ])('%j is %s to %s', (asked, from, to) => {
    const period = periodOf(asked, now, zone);
    expect([period.from, period.to]).toEqual([from, to]);
    expect([period.days[0], period.days.at(-1)]).toEqual([from, to]);
    expect(new Set(period.days).size).toBe(period.days.length);
  });

  test.each([
    [{ from: '2026-02-02', to: '2026-02-01' }, /2026-02-01 is before 2026-02-02/],
    [{ from: '2025-11-21', to: '2026-11-22' }, /more than 12 months/],
    [{ to: '0001-01-01' }, /from 1970-01-01 to 2999-12-31/],
    [{ from: '9999-12-31' }, /from 1970-01-01 to 2999-12-31/],
  ])('%j is refused', (asked, words) => {
    expect(() => periodOf(asked, now, zone)).toThrow(words);
  });
});
