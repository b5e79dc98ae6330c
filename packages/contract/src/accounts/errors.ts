import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `accounts`. */
export const accountErrors = {
  ACCOUNT_SUSPENDED: { status: 403, message: 'Account {account} is suspended: this is not possible until its renewal is paid' },
  ACCOUNT_CLOSED: { status: 409, message: 'Account {account} is closed' },
} as const satisfies ErrorRows;
