import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `organisations`. */
export const organisationErrors = {
  DOCUMENT_MISSING: { status: 422, message: 'This needs a supporting document: {papers}. Add at least one file' },
} as const satisfies ErrorRows;
