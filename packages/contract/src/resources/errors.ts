import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `resources`. */
export const resourceErrors = {
  RELEASE_STATE: { status: 409, message: 'This isn’t possible now for the lock on {resource}: {state}' },
  RANGE_STATE: { status: 409, message: '{resource} isn’t {wanted}: {found}' },
  DELEGATION_OVERLAPS: { status: 409, message: '{resource} overlaps an active delegation' },
} as const satisfies ErrorRows;
