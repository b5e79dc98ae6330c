import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `accounts`. */
export const accountErrors = {
  ACCOUNT_SUSPENDED: { status: 403, message: 'Account {account} is suspended. Pay its renewal first' },
  ACCOUNT_CLOSED: { status: 409, message: 'Account {account} is closed' },
} as const satisfies ErrorRows;
