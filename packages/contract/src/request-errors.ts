/** Errors by their code: HTTP status and the words a person reads. The server fills in each `{blank}`. */
export type ErrorRows = Record<string, { status: number; message: string }>;

/** Those that the web apps say on their own too. Apart, because they would carry the whole table with one of its messages. */
export const shownErrors = {
  NOT_SIGNED_IN: { status: 401, message: 'Your login session expired, please login again to continue...' },
  CORPORATE_ONLY: { status: 403, message: 'Sorry, you must be a corporate contact' },
  CORPORATE_OR_TECHNICAL_ONLY: { status: 403, message: 'Sorry, you must be a corporate or technical contact' },
  UNEXPECTED_ERROR: {
    status: 500,
    message: 'An unexpected error has occurred, please try again later. If the problem persists, please contact Support',
  },
} as const satisfies ErrorRows;

/**
 * Refusals that any call can answer: sign-in, membership, permission, input and HTTP itself. Those of one module are in its own `errors.ts`.
 * Texts fixed by the specification (section 8) are verbatim.
 */
export const requestErrors = {
  ...shownErrors,
  INVALID_REQUEST: { status: 400, message: 'The request isn’t valid: {detail}' },
  SESSION_ENDED: { status: 401, message: 'You were signed out. Log in again to continue' },
  MFA_REQUIRED: { status: 401, message: 'This needs a second factor' },
  MFA_TOO_OLD: { status: 401, message: 'This needs a second factor entered within the last {minutes} minutes' },
  SECOND_FACTOR_DEMANDED: {
    status: 401,
    message: 'Account {account} requires two-factor. Log in with it. You can set it up while logging in or under Your login',
  },
  MFA_NOT_ENABLED: { status: 403, message: 'MFA is not enabled!' },
  COOLING_DOWN: { status: 403, message: '{why}. For security, it can’t make changes until {until}' },
  NO_PERMISSION: { status: 403, message: 'You do not have permission to access this feature' },
  NO_STAFF_PERMISSION: { status: 403, message: 'This needs the permission {permission}. {givers} can give it to you' },
  WRONG_ACCOUNT_KIND: { status: 403, message: 'This is only for {accounts}. {account} isn’t one' },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'Account {account} isn’t one of your accounts' },
  NOT_FOUND: { status: 404, message: '{what} wasn’t found' },
  METHOD_NOT_ALLOWED: { status: 405, message: '{method} isn’t allowed here' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  REQUEST_STATE: { status: 409, message: 'This isn’t possible now: {reference} is {state}' },
  STALE: { status: 412, message: 'Someone else changed {what}. Reload it, then repeat your change' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is larger than {limit}' },
  ADDRESS_TOO_LONG: { status: 414, message: 'A part of the address is longer than {limit} characters' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The request body must be JSON (content-type application/json)' },
  RANGE_OUTSIDE: { status: 416, message: 'The file has no such part' },
  EXPECTATION_FAILED: { status: 417, message: 'The Expect header isn’t supported' },
  MISDIRECTED: { status: 421, message: 'This host name isn’t served here' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again in {seconds} seconds' },
  HEADERS_TOO_LARGE: { status: 431, message: 'Address and headers together are larger than {limit}' },
  FEATURE_OFF: { status: 403, message: 'This is switched off for everyone right now: {feature}' },
  FEATURE_NOT_ON: {
    status: 403,
    message: 'This isn’t switched on for {account}: {feature}. The registry turns it on for some accounts first',
  },
  ALREADY_RESOLVED: { status: 409, message: '{what} was already resolved' },
  NOTHING_TO_DO: { status: 409, message: 'No changes to make: {why}' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This idempotency key was used for another request' },
  CHANGE_GIVEN_UP: { status: 409, message: 'This change wasn’t made, as already answered. Send it again as a new change' },
  UNAVAILABLE: { status: 503, message: 'The service isn’t available right now. Try again in a minute' },
  MEMORY_SHORT: { status: 503, message: 'Too much is going on right now for this. Pages work. Try this again in a minute' },
  FILES_UNAVAILABLE: {
    status: 503,
    message: 'Files can’t be stored or opened right now. Everything else works. Try again in a few minutes',
  },
  CHANGES_PAUSED: {
    status: 503,
    message: 'Changes aren’t possible right now. You can still view everything. Try again in a few minutes',
  },
} as const satisfies ErrorRows;
