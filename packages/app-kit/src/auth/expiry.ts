import { MINUTE_MS } from '@portal/contract/days';
import { constants } from '@portal/contract/constants';

export type SessionState = {
  /** Seconds since 1970 at which the session ends: `sessionEnd`. */
  expiresAt: number;
  lastRenewalFailed: boolean;
  idle: boolean;
};

/** After this long without input the session is no longer renewed. */
const idleAfterMs = 30 * MINUTE_MS;

/** Whole seconds left; 0 when the session is over. */
export const secondsLeft = (expiresAt: number, nowMs: number): number => Math.max(0, Math.ceil(expiresAt - nowMs / 1000));

/**
 * Returns the seconds that the warning counts down; null without a warning. The end is near only if the session will not be renewed:
 * the last renewal failed, or the person is idle.
 */
export function countdown({ expiresAt, lastRenewalFailed, idle }: SessionState, nowMs: number): number | null {
  const left = secondsLeft(expiresAt, nowMs);
  if (left === 0 || left > constants.accessTokenExpiringNotificationSeconds) return null;
  return lastRenewalFailed || idle ? left : null;
}

/** Seconds since 1970 at which the session of this tab ends: with its token, or a minute of countdown after half an hour without input, however long the token is good. */
export const sessionEnd = (expiresAt: number, { idle, lastInputMs }: { idle: boolean; lastInputMs: number }): number =>
  idle ? Math.min(expiresAt, (lastInputMs + idleAfterMs) / 1000 + constants.accessTokenExpiringNotificationSeconds) : expiresAt;

export const isIdle = (lastInputMs: number, nowMs: number): boolean => nowMs - lastInputMs >= idleAfterMs;
