import { MINUTE_MS } from '@portal/contract/days';
import { expect, it } from 'vitest';
import { countdown, isIdle, secondsLeft, sessionEnd } from './expiry.ts';

const at = (secondsBefore: number) => (1000 - secondsBefore) * 1000;
const calm = { expiresAt: 1000, lastRenewalFailed: false, idle: false };

it('there is no warning for a session that will be renewed', () => {
  expect(countdown(calm, at(30))).toBeNull();
});

it.each([
  ['the last renewal failed', { ...calm, lastRenewalFailed: true }],
  ['nobody is there', { ...calm, idle: true }],
])('the last minute is counted down when %s', (_, session) => {
  expect(countdown(session, at(61))).toBeNull();
  expect(countdown(session, at(60))).toBe(60);
  expect(countdown(session, at(0.4))).toBe(1);
  expect(countdown(session, at(0))).toBeNull();
});

it('seconds are whole and never negative', () => {
  expect(secondsLeft(1000, at(12.2))).toBe(13);
  expect(secondsLeft(1000, at(-5))).toBe(0);
});

it('an unattended session ends a minute after half an hour, with its countdown, even where the token is good for longer', () => {
  const lastInputMs = 1_000_000;
  const idleAt = lastInputMs + 30 * MINUTE_MS;
  const expiresAt = idleAt / 1000 + 840;
  expect(sessionEnd(expiresAt, { idle: false, lastInputMs })).toBe(expiresAt);
  const end = sessionEnd(expiresAt, { idle: true, lastInputMs });
  expect(countdown({ expiresAt: end, lastRenewalFailed: false, idle: true }, idleAt)).toBe(60);
  expect(secondsLeft(end, idleAt + MINUTE_MS)).toBe(0);
  expect(sessionEnd(idleAt / 1000 + 20, { idle: true, lastInputMs }), 'a token that ends sooner').toBe(idleAt / 1000 + 20);
});

it('half an hour without input is idle', () => {
  expect(isIdle(0, 30 * MINUTE_MS - 1)).toBe(false);
  expect(isIdle(0, 30 * MINUTE_MS)).toBe(true);
});
