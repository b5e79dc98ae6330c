import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `reverse-dns`. */
export const reverseDnsErrors = {
  TOO_MANY_CHECKS: { status: 429, message: 'You can start {most} checks a minute. Try again in a minute' },
  DNS_CHECK_MISSING: { status: 409, message: 'Check {zones} first. A check counts for {minutes} minutes, for these name servers and keys' },
  DNS_CHECK_FAILED: { status: 409, message: 'The name servers of {zones} aren’t ready: {why}' },
  ALREADY_WAITING: { status: 409, message: '{zone} is already waiting for its name servers. Cancel that first' },
  TOO_MANY_WAITING: { status: 409, message: '{most} delegations are waiting already. Cancel one, or wait until one is done' },
} as const satisfies ErrorRows;
