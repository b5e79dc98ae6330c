import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `api-keys`, and of calls made with an API key. */
export const apiKeyErrors = {
  API_KEY_MISSING: {
    status: 401,
    message: 'This call takes an API key. Send the header “Authorization: Bearer” with it. Keys are created under API keys',
  },
  API_KEY_REFUSED: { status: 401, message: 'This API key can’t be used: {why}' },
  API_KEY_ADDRESS: {
    status: 403,
    message: 'This API key can’t be used from {address}. Its allowed addresses are set where the key is created',
  },
  API_KEY_SCOPE: { status: 403, message: 'This API key doesn’t have the scope {scope}' },
  PRECONDITION_FAILED: {
    status: 412,
    message: 'The content has changed: If-Match has {given}, and it is {present} now. Read it again, then repeat the change',
  },
  TOO_MANY_API_KEYS: { status: 409, message: 'An account can have {most} active API keys. Revoke one first' },
  API_KEY_LABEL_TAKEN: { status: 409, message: 'An active API key is already called {label}. Choose another label' },
} as const satisfies ErrorRows;
