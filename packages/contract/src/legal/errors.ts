import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `legal`. */
export const legalErrors = {
  LEGAL_DAY: { status: 422, message: 'The text can’t take effect then. {why}' },
  LEGAL_STATE: { status: 409, message: 'This isn’t possible: {why}' },
  LEGAL_OUTDATED: { status: 409, message: 'The text is now version {version}. Read and accept that one' },
  LEGAL_NOT_ACCEPTED: {
    status: 403,
    message: '{who} to accept “{title}”, version {version}, first. It was due on {day}. Reading and paying work as before',
  },
} as const satisfies ErrorRows;
