import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hoursApart, officialInWords, timelineOf, votesInWords } from './voting-words.ts';

describe('the time axis', () => {
  const windows = [
    { opensAt: '2027-01-01T00:00:00Z', closesAt: '2027-01-06T00:00:00Z' },
    { opensAt: '2027-01-06T00:00:00Z', closesAt: '2027-01-11T00:00:00Z' },
  ];
  test('runs from the first opening to the last closing, with the current time', () => {
    const line = timelineOf(windows, '2027-01-03T12:00:00Z');
    expect(line.now).toBe(0.25);
    expect(windows.map(line.of)).toEqual([
      { from: 0, to: 0.5 },
      { from: 0.5, to: 1 },
    ]);
  });
  test('starts now if everything is in the future, and has no current time once everything is over', () => {
    expect(timelineOf(windows, '2026-12-22T00:00:00Z')).toMatchObject({ now: 0 });
    expect(timelineOf(windows, '2026-12-22T00:00:00Z').of(windows[0]!)).toEqual({ from: 0.5, to: 0.75 });
    expect(timelineOf(windows, '2027-01-11T00:00:01Z').now).toBe(null);
  });
  test('every point lies inside', () => {
    const instant = fc.integer({ min: 0, max: 4e12 }).map(at => new Date(at).toISOString());
    const window = fc.tuple(instant, instant).map(([a, b]) => (a < b ? { opensAt: a, closesAt: b } : { opensAt: b, closesAt: a }));
    fc.assert(
      fc.property(fc.array(window, { minLength: 1, maxLength: 5 }), instant, (some, now) => {
        const line = timelineOf(some, now);
        for (const { from, to } of some.map(line.of)) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('votes as text', () => {
  test.each([
    ['ec', 4, 'Your organisation has 4 votes per candidate'],
    ['nro-nc', 1, 'Your organisation has one vote per candidate'],
    ['resolution', 64, 'Your organisation has 64 votes per resolution'],
    ['ec', null, null],
  ] as const)('%s with %s', (kind, votes, words) => {
    expect(votesInWords({ kind, votes })).toBe(words);
  });
});

describe('the official clock', () => {
  const window = { opensAt: '2027-02-16T00:00:00Z', closesAt: '2027-02-17T00:00:00Z' };
  test('is stated with its difference from the reader’s', () => {
    expect(hoursApart([window], 'Australia/Brisbane', 'UTC')).toBe(10);
    expect(officialInWords(10, 'Australia/Brisbane')).toBe('Your time. Official time (Australia/Brisbane) is 10 hours ahead.');
    expect(hoursApart([window], 'UTC', 'Asia/Kolkata')).toBe(-5.5);
    expect(officialInWords(-1, 'UTC')).toBe('Your time. Official time (UTC) is one hour behind.');
  });
  test('has no single difference if that changes between windows', () => {
    const summer = { opensAt: '2027-07-01T00:00:00Z', closesAt: '2027-07-02T00:00:00Z' };
    expect(hoursApart([window, summer], 'Europe/Amsterdam', 'UTC')).toBe(null);
    expect(officialInWords(null, 'Europe/Amsterdam')).toBe('The official time is that of Europe/Amsterdam.');
  });
  test('needs no difference if it shows the same as the reader’s', () => {
    expect(hoursApart([window], 'UTC', 'Etc/UTC')).toBe(0);
    expect(officialInWords(0, 'UTC')).toBe('Times are official (UTC).');
  });
});
