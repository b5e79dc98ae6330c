import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `proposals`. */
export const proposalErrors = {
  SECOND_PERSON: { status: 409, message: 'This waits for a second person. {who} can approve it until {until}; then it is done' },
  NO_SECOND_PERSON: { status: 409, message: 'There has to be a second person with a second factor first: {who}' },
} as const satisfies ErrorRows;
