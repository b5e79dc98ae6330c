import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `restraints`. */
export const restraintErrors = {
  ACCOUNT_RESTRAINED: {
    status: 403,
    message: 'Account {account} can’t do this now: {stopped} stopped since {since}, {until}. Write to {writeTo}',
  },
  RESTRAINED_ALREADY: { status: 409, message: '{account} is already under {restraint}. Lift it first' },
} as const satisfies ErrorRows;
