import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `proposals`. */
export const proposalErrors = {
  SECOND_PERSON: { status: 409, message: 'This needs a second approval. {who} can approve it until {until}' },
  NO_SECOND_PERSON: { status: 409, message: 'A second person with two-factor is needed first: {who}' },
  SAME_ROLE: {
    status: 409,
    message: 'You hold {held}, as {proposer} does. Someone of another role, with {needed}, approves it',
  },
  PROPOSAL_OUTDATED: { status: 409, message: 'What this changes is no longer as it was shown. Reject it, and have it proposed again' },
  ROLE_TOO_NEW: { status: 409, message: '{givenBy} lately gave you or {proposer} the role for this. You can approve it from {from}' },
} as const satisfies ErrorRows;
