import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `staff`. */
export const staffErrors = {
  VISIT_NEEDED: {
    status: 403,
    message: 'Registry staff reads {account} during a visit only. Begin one on the account’s page of the desk; it lasts half an hour',
  },
  VISIT_READS_ONLY: { status: 403, message: 'You look at {account} as registry staff: you can read here and change nothing' },
} as const satisfies ErrorRows;
