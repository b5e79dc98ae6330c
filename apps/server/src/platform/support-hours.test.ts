import { expect, test } from 'vitest';
import { readHours, staffedAt } from './support-hours.ts';

const at = (text: string, zone: string, instant: string) => staffedAt(readHours(text)!, zone, new Date(instant));

test('support is staffed from the opening instant until the closing one', () => {
  const hours = 'Mon-Fri 09:00-17:00';
  // Brisbane is 10 hours ahead of UTC.
  expect(at(hours, 'Australia/Brisbane', '2026-11-22T22:59:59.999Z')).toEqual({ staffed: false, until: '2026-11-22T23:00:00.000Z' });
  expect(at(hours, 'Australia/Brisbane', '2026-11-22T23:00:00.000Z')).toEqual({ staffed: true, until: '2026-11-23T07:00:00.000Z' });
  expect(at(hours, 'Australia/Brisbane', '2026-11-23T07:00:00.000Z')).toEqual({ staffed: false, until: '2026-11-23T23:00:00.000Z' });
});

test('after the last day of the week comes the first', () => {
  expect(at('Mon-Fri 09:00-17:00', 'UTC', '2026-11-27T17:00:00.000Z').until).toBe('2026-11-30T09:00:00.000Z');
  expect(at('Sun-Thu 08:00-16:30', 'Asia/Dhaka', '2026-11-26T10:30:00.000Z').until).toBe('2026-11-29T02:00:00.000Z');
  expect(at('Mon-Mon 09:00-10:00', 'UTC', '2026-11-23T10:00:00.000Z').until).toBe('2026-11-30T09:00:00.000Z');
});

test('hours follow the clocks of the zone when these change', () => {
  // In Wellington the clocks go forward on 27 September 2026 at 02:00.
  const until = (instant: string): string => at('Mon-Sun 09:00-17:00', 'Pacific/Auckland', instant).until;
  expect(until('2026-09-25T05:00:00.000Z')).toBe('2026-09-25T21:00:00.000Z');
  expect(until('2026-09-26T05:00:00.000Z')).toBe('2026-09-26T20:00:00.000Z');
});

test.each(['', 'Mon-Fri', 'mon-fri 09:00-17:00', 'Mon-Fri 17:00-09:00', 'Mon-Fri 09:00-24:30', 'Mon-Fri 25:00-26:00'])(
  '%j is refused',
  text => {
    expect(readHours(text)).toBeNull();
  },
);
