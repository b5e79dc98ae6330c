import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, instantAfter, instantBefore } from '../days.ts';
import { windowInWords, windowStateAt } from './election-windows.ts';

const window = { opensAt: '2027-02-16T04:00:00.000Z', closesAt: '2027-03-02T06:30:00.000Z' };
const at = (instant: string) => new Date(instant);

describe('a window of an election', () => {
  test.each([
    ['a millisecond before it opens', '2027-02-16T03:59:59.999Z', 'not-yet-open', 'Opens in less than a minute'],
    ['at the instant it opens', '2027-02-16T04:00:00.000Z', 'open', 'Closes in 14 days'],
    ['a millisecond before it closes', '2027-03-02T06:29:59.999Z', 'open', 'Closes in less than a minute'],
    ['at the instant it closes', '2027-03-02T06:30:00.000Z', 'closed', 'Closed less than a minute ago'],
    ['a day and a half before', '2027-02-14T16:00:00.000Z', 'not-yet-open', 'Opens in 1 day'],
    ['two hours before it closes', '2027-03-02T04:30:00.000Z', 'open', 'Closes in 2 hours'],
    ['a minute after', '2027-03-02T06:31:00.000Z', 'closed', 'Closed 1 minute ago'],
  ])('%s', (_when, instant, state, words) => {
    expect(windowStateAt(window, at(instant))).toBe(state);
    expect(windowInWords(window, at(instant))).toBe(words);
  });

  test('acceptance scenario 16: proxy appointment that closes 48 hours before the meeting is closed exactly then', () => {
    const meeting = Date.parse('2027-03-02T01:30:00Z');
    const appointment = { opensAt: '2027-02-16T04:00:00Z', closesAt: instantBefore(meeting, 48 * HOUR_MS) };
    expect(windowStateAt(appointment, new Date(meeting - 48 * HOUR_MS - 1))).toBe('open');
    expect(windowStateAt(appointment, new Date(meeting - 48 * HOUR_MS))).toBe('closed');
  });

  test('is in exactly one state at any instant, and never goes back', () => {
    const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const order = ['not-yet-open', 'open', 'closed'];
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 1e10 }), instant, fc.nat(1e10), (opens, length, now, later) => {
        const some = { opensAt: new Date(opens).toISOString(), closesAt: instantAfter(opens, length) };
        const first = order.indexOf(windowStateAt(some, new Date(now)));
        expect(first).toBeGreaterThanOrEqual(0);
        expect(order.indexOf(windowStateAt(some, new Date(now + later)))).toBeGreaterThanOrEqual(first);
      }),
    );
  });
});
