import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `privacy`. */
export const privacyErrors = {
  ERASURE_EARLY: { status: 409, message: 'This request waits until {until}, so that its person can take it back' },
  ERASURE_BLOCKED: { status: 409, message: '{what}. {remedy}' },
  ERASURE_OWN: { status: 409, message: 'Ask for your own erasure under Your login, on the page Erasure' },
  ERASURE_UNREACHABLE: {
    status: 409,
    message:
      'No e-mail address of this person works, so no one would learn of the request and could take it back. Correct the address of one of their contacts first',
  },
  ERASURE_UNSEALED: { status: 409, message: 'Something of this person was changed in the last minutes. Try again in five minutes' },
} as const satisfies ErrorRows;
