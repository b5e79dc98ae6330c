import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { theLast, watchClock } from './clock-watch.ts';

function watched() {
  let [wall, passed] = [Date.parse('2026-11-24T12:00:00Z'), 0];
  const watch = watchClock(
    () => new Date(wall),
    () => passed,
  );
  return {
    watch,
    pass: (ms: number, by = 0): void => {
      wall += ms + by;
      passed += ms;
    },
  };
}

test('a clock that goes right is trusted, however rarely it is looked at', () => {
  const { watch, pass } = watched();
  pass(48 * HOUR_MS, 2_000);
  expect(watch.look()).toBeNull();
});

test('a clock that jumped is distrusted for fifteen minutes', () => {
  const { watch, pass } = watched();
  pass(MINUTE_MS, 24 * HOUR_MS);
  expect(watch.look()).toEqual({ by: 24 * HOUR_MS, at: new Date('2026-11-25T12:01:00Z') });
  pass(14 * MINUTE_MS);
  expect(watch.look()).not.toBeNull();
  pass(2 * MINUTE_MS);
  expect(watch.look()).toBeNull();
});

test('a clock that is set right again is trusted immediately', () => {
  const { watch, pass } = watched();
  pass(MINUTE_MS, 365 * 24 * HOUR_MS);
  expect(watch.look()).not.toBeNull();
  pass(MINUTE_MS, -365 * 24 * HOUR_MS);
  expect(watch.look()).toBeNull();
});

test('what a limit counts ends five minutes from now: what a wrong clock dated counts for nothing', () => {
  expect(theLast(HOUR_MS, '2026-11-27T10:00:00.000Z')).toEqual({ since: '2026-11-27T09:00:00.000Z', until: '2026-11-27T10:05:00.000Z' });
});
