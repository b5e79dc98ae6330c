import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `customers`. */
export const customerErrors = {
  ASSIGNMENT_OUTSIDE: { status: 409, message: '{resource} isn’t inside an allocation of this account' },
  ASSIGNMENT_OVERLAPS: { status: 409, message: '{resource} overlaps the assignment {other}' },
  CUSTOMER_EXISTS: { status: 409, message: 'A customer {name} already exists. Choose another name' },
  ASSIGNMENT_RESTS: { status: 409, message: '{resource} was returned by {customer} on {when} and rests until {until}' },
} as const satisfies ErrorRows;
