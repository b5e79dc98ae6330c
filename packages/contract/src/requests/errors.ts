import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `requests`. */
export const requestFormErrors = {
  REQUEST_OPEN: { status: 409, message: '{reference} is open already. Continue it or withdraw it' },
  REQUEST_NOT_ALLOWED: { status: 422, message: 'This can’t be sent yet: {why}' },
  RETURN_DUE: {
    status: 409,
    message: '{resource} was delegated for an event until {day}, so its return can’t be withdrawn. Write to us if the event goes on',
  },
  NOTICE_RUNS: { status: 409, message: '{reference} can be carried out on {day} at the earliest. Until then {account} can object' },
  NOT_BEFORE: {
    status: 409,
    message: '{reference} can be carried out on {day} at the earliest: that is the day from which it counts for {account}',
  },
  RECOVERY: { status: 409, message: '{reference} was opened by the registry, so it can’t be withdrawn. To object, write on its page' },
  POOL_EXHAUSTED: { status: 409, message: 'No block of this size is free. The request stays first in line until space comes back' },
  NOT_ELIGIBLE: { status: 409, message: 'IPv6 in one click isn’t available: {why}' },
  RESOURCE_LOCKED: { status: 409, message: '{resource} is locked by {reference}' },
  NOT_HOLDER: { status: 409, message: '{resource} isn’t inside a delegation of {account}' },
  ON_HOLD_UNTIL: { status: 409, message: '{resource} can’t be transferred until {day}' },
  RECIPIENT_UNKNOWN: {
    status: 422,
    message: '{account} can’t receive resources at the moment, or there’s no such account. Check the name with the recipient',
  },
  FEE_UNPAID: { status: 409, message: 'The transfer fee of {amount} isn’t paid yet' },
  PREAPPROVAL_INSUFFICIENT: { status: 422, message: 'The pre-approval covers {remaining} /24 blocks; this needs {needed}' },
  LISTING_EXISTS: { status: 409, message: '{resource} is listed already' },
  LISTING_ENDED: { status: 409, message: 'This listing is no longer open' },
  OWN_LISTING: { status: 409, message: 'This is a listing of your own account' },
  TOO_MANY_LISTINGS: { status: 409, message: 'The account has {count} open listings already. Withdraw one first' },
  TOO_MANY_MESSAGES: {
    status: 429,
    message: 'The limit of messages about listings is reached: one about each listing and {count} in all a day. Write again tomorrow',
  },
} as const satisfies ErrorRows;
