import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `nir`. */
export const nirErrors = {
  SUBACCOUNT_EXISTS: { status: 409, message: 'A sub-account {name} already exists. Choose another name' },
  SUBACCOUNT_CLOSED: { status: 409, message: 'The sub-account {name} is closed. Reopen it first' },
  SUBACCOUNT_IN_USE: { status: 409, message: '{name} can’t be closed: it has {what}' },
  REOPEN_TOO_LATE: { status: 409, message: '{name} was closed on {day}, more than 12 months ago. Open a new sub-account' },
  ENTITY_IN_USE: { status: 409, message: '{name} can’t be deleted: it has {count} sub-accounts' },
  ENTITY_MERGED: { status: 409, message: '{name} was merged into {into}. Change that one' },
  UNMERGE_TOO_LATE: { status: 409, message: 'The merge of {name} was more than 30 days ago and can’t be undone' },
} as const satisfies ErrorRows;
