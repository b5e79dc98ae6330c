import { DAY_MS, HOUR_MS, instantAfter, MINUTE_MS } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { placesOn, timeLeft } from './life.ts';

const at = (time: string): number => Date.parse(`2026-11-${time}Z`);

test('the present and the renewal are placed within a lifetime', () => {
  const life = { from: '2026-11-01T00:00:00Z', to: '2026-11-11T00:00:00Z', renewMs: 2 * DAY_MS };
  expect(placesOn(life, at('06T00:00:00'))).toEqual({ now: 0.5, renewal: 0.8 });
  expect(placesOn(life, at('21T00:00:00')).now).toBe(1);
  expect(placesOn({ ...life, renewMs: 60 * DAY_MS }, at('01T00:00:00'))).toEqual({ now: 0, renewal: 0 });
});

test('remaining time is given in the largest unit of which at least two remain', () => {
  const now = at('01T00:00:00');
  const after = (ms: number): string => instantAfter(new Date(now), ms);
  expect(timeLeft(after(550 * DAY_MS), now)).toBe('18 months');
  expect(timeLeft(after(45 * DAY_MS), now)).toBe('45 days');
  expect(timeLeft(after(26 * HOUR_MS), now)).toBe('26 hours');
  expect(timeLeft(after(90 * MINUTE_MS), now)).toBe('90 minutes');
  expect(timeLeft(after(MINUTE_MS / 2), now)).toBe('1 minute');
  expect(timeLeft(after(-1), now)).toBeNull();
});
