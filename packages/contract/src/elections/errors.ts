import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `elections`. */
export const electionErrors = {
  ELECTION_OVER: { status: 409, message: 'The election is {state}, so this is not possible any more' },
  ELECTION_NOT_READY: { status: 409, message: 'The election cannot be published like this. {why}' },
  ELECTION_BEGUN: { status: 409, message: 'What has begun stays as it was announced. {why}' },
  CONFERENCE_EXISTS: { status: 409, message: 'There is a conference {conference} already' },
  ATTENDANCE_SHRINKS: {
    status: 409,
    message: '{count} of the list that is there {are} missing in this file: {some}. Say that they are no longer registered, or add them',
  },
} as const satisfies ErrorRows;
