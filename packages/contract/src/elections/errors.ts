import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `elections`. */
export const electionErrors = {
  ELECTION_OVER: { status: 409, message: 'The election is {state}, so this is no longer possible' },
  ELECTION_NOT_READY: { status: 409, message: 'The election can’t be published yet. {why}' },
  ELECTION_BEGUN: { status: 409, message: 'What has started can’t be changed. {why}' },
  NOMINATION_CLOSED: { status: 409, message: 'This isn’t possible: {why}' },
  ALREADY_NOMINATED: { status: 409, message: '{name} is nominated already. One nomination is enough' },
  PROXY_NOT_POSSIBLE: { status: 409, message: 'Unable to submit proxy at this time. {why}' },
  PROXY_APPOINTED: { status: 409, message: '{name} is the proxy of {account} in this election' },
  PROXY_FINAL: { status: 409, message: 'This proxy can’t be withdrawn any more: {why}' },
  BALLOT_CLOSED: { status: 409, message: 'The ballot can’t be opened: {why}' },
  VOTE_REPORT_REFUSED: { status: 403, message: 'The report is refused: {why}' },
  VOTES_CAST: { status: 409, message: 'Votes have already been cast for this account' },
  ATTENDEE_VOTED: { status: 409, message: 'You have voted as an attendee. A vote can’t be changed or withdrawn' },
  CONFERENCE_EXISTS: { status: 409, message: 'A conference {conference} already exists' },
  ATTENDANCE_SHRINKS: {
    status: 409,
    message: '{count} of the list that is there {are} missing in this file: {some}. Say that they are no longer registered, or add them',
  },
} as const satisfies ErrorRows;
