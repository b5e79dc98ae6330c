import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `customers`. */
export const customerErrors = {
  ASSIGNMENT_OUTSIDE: { status: 409, message: '{resource} is not inside an allocation of this account' },
  ASSIGNMENT_OVERLAPS: { status: 409, message: '{resource} overlaps the assignment {other}' },
  CUSTOMER_EXISTS: { status: 409, message: 'There is a customer {name} already. Give this one another name' },
  ASSIGNMENT_RESTS: { status: 409, message: '{resource} was given back by {customer} on {when} and rests until {until}' },
} as const satisfies ErrorRows;
