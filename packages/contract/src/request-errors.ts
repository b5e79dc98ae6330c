/** Errors by their code: HTTP status and the words a person reads. The server fills in each `{blank}`. */
export type ErrorRows = Record<string, { status: number; message: string }>;

/**
 * Refusals that any call can get: sign-in, membership, permission, input and HTTP itself. Those of one module are in its own `errors.ts`.
 * Texts fixed by the specification (section 8) are verbatim.
 */
export const requestErrors = {
  INVALID_REQUEST: { status: 400, message: 'The request is not valid: {detail}' },
  NOT_SIGNED_IN: { status: 401, message: 'Your login session expired, please login again to continue...' },
  SESSION_ENDED: { status: 401, message: 'This session was signed out. Log in again to continue' },
  MFA_REQUIRED: { status: 401, message: 'This needs a sign-in with a second factor' },
  MFA_TOO_OLD: { status: 401, message: 'This needs a second factor given within the last {minutes} minutes' },
  SECOND_FACTOR_DEMANDED: {
    status: 401,
    message:
      'Account {account} asks everybody for a second factor. Log in with one; whoever has none yet adds it on the way, or under Your login',
  },
  MFA_NOT_ENABLED: { status: 403, message: 'MFA is not enabled!' },
  COOLING_DOWN: { status: 403, message: '{why}. For safety it changes nothing in the registry until {until}' },
  NO_PERMISSION: { status: 403, message: 'You do not have permission to access this feature' },
  CORPORATE_ONLY: { status: 403, message: 'Sorry, you must be a corporate contact' },
  ACCOUNT_NOT_FOUND: { status: 404, message: 'Account {account} was not found among your accounts' },
  NOT_FOUND: { status: 404, message: '{what} was not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: '{method} is not possible here' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
  STALE: { status: 412, message: '{what} was changed by somebody else in the meantime. Load it again, then repeat your change' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is larger than {limit}' },
  ADDRESS_TOO_LONG: { status: 414, message: 'A part of the address is longer than {limit} characters' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The request body must be JSON (content-type application/json)' },
  RANGE_OUTSIDE: { status: 416, message: 'The file has no such part' },
  EXPECTATION_FAILED: { status: 417, message: 'What the header Expect asks for is not possible here' },
  MISDIRECTED: { status: 421, message: 'This host name is not served here' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again in {seconds} seconds' },
  HEADERS_TOO_LARGE: { status: 431, message: 'Address and headers together are larger than {limit}' },
  FEATURE_OFF: { status: 403, message: 'At the moment {feature} is switched off' },
  ALREADY_RESOLVED: { status: 409, message: '{what} was resolved already' },
  NOTHING_TO_DO: { status: 409, message: 'There is nothing to do: {why}' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This idempotency key was used for another request' },
  CHANGE_GIVEN_UP: { status: 409, message: 'This change was not made, as its sender was told before. Send it again as a new one' },
  UNEXPECTED_ERROR: {
    status: 500,
    message: 'An unexpected error has occurred, please try again later. If the problem persists, please contact Support',
  },
  UNAVAILABLE: { status: 503, message: 'The service is not available at the moment, please try again in a minute' },
  CHANGES_PAUSED: {
    status: 503,
    message: 'At the moment nothing can be changed, and what is there can still be read. Please try again in a few minutes',
  },
} as const satisfies ErrorRows;
