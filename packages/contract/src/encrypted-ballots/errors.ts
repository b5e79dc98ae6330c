import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `encrypted-ballots`. */
export const encryptedBallotErrors = {
  BALLOT_REFUSED: { status: 409, message: 'The ballot is refused: {why}' },
  OBJECTION_NOT_POSSIBLE: { status: 409, message: 'This objection isn’t possible: {why}' },
  TRUSTEE_MESSAGE_REFUSED: { status: 409, message: 'The message is refused: {why}' },
  BALLOT_NOT_READY: { status: 409, message: 'This isn’t possible yet: {why}' },
  BALLOT_SET_UP: { status: 409, message: 'The ballot is set up, so its keys and credentials can’t be changed any more' },
} as const satisfies ErrorRows;
