import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockTimeOf, instantOf, problemOfTime } from './official-time.ts';

describe('a time on the clocks of a zone', () => {
  test.each([
    ['2027-02-16T14:00', 'Australia/Brisbane', '2027-02-16T04:00:00.000Z'],
    ['2027-02-16T14:00', 'Australia/Sydney', '2027-02-16T03:00:00.000Z'],
    ['2027-03-02T14:30', 'Asia/Kathmandu', '2027-03-02T08:45:00.000Z'],
    ['2027-07-01T09:30', 'UTC', '2027-07-01T09:30:00.000Z'],
    // Clocks are turned back from three to two: twice half past two, of which the first counts.
    ['2027-04-04T02:30', 'Australia/Sydney', '2027-04-03T15:30:00.000Z'],
  ])('%s in %s is %s', (time, zone, instant) => {
    expect(instantOf(time, zone)).toBe(instant);
    expect(clockTimeOf(instant, zone)).toBe(time);
  });

  test.each([
    // Clocks are turned forward from two to three.
    ['2027-10-03T02:30', 'Australia/Sydney'],
    ['', 'UTC'],
    ['2027-02-16', 'UTC'],
    ['2027-02-30T10:00x', 'UTC'],
  ])('%s in %s is never', (time, zone) => {
    expect(instantOf(time, zone)).toBe(null);
  });

  test('a time that never comes and a text that is no time are refused in words', () => {
    expect(problemOfTime('2027-02-16T14:00', 'Australia/Sydney')).toBe(undefined);
    expect(problemOfTime('2027-10-03T02:30', 'Australia/Sydney')).toBe(
      'Clocks in Australia/Sydney go forward over this time. Choose another',
    );
    for (const text of ['noon', '2027-02-16', '16/2/2027 14:00'])
      expect(problemOfTime(text, 'UTC')).toBe('Enter a date and a time, such as 25 Nov 2026, 14:00');
  });

  test('every instant comes back, or the same time an hour before it where clocks are turned back', () => {
    const zones = fc.constantFrom('Australia/Sydney', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe', 'Europe/Amsterdam', 'UTC');
    const minutes = fc.integer({ min: Date.UTC(2020, 0) / MINUTE_MS, max: Date.UTC(2035, 0) / MINUTE_MS });
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        const instant = new Date(minute * MINUTE_MS).toISOString();
        const back = instantOf(clockTimeOf(instant, zone), zone)!;
        expect(clockTimeOf(back, zone)).toBe(clockTimeOf(instant, zone));
        expect(Date.parse(instant) - Date.parse(back)).toBeGreaterThanOrEqual(0);
        expect(Date.parse(instant) - Date.parse(back)).toBeLessThanOrEqual(HOUR_MS);
      }),
    );
  });
});
