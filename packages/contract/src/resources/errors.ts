import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `resources`. */
export const resourceErrors = {
  DELEGATION_OVERLAPS: { status: 409, message: '{resource} overlaps an active delegation' },
} as const satisfies ErrorRows;
