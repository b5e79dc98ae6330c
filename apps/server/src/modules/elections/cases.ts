import type { StaffElection } from '@portal/contract/elections/elections';
import { refuse } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import { lockElection } from './election-row.ts';

/** Elections, moved by registry staff. */
export const electionCases: CasesOf<StaffElection> = {
  stateOf: ({ state }) => state,
  lock: ({ change, params: { electionId } }) => lockElection(change, electionId!, new Date(change.now)),
  refusal: async ({ state }) => refuse('ELECTION_OVER', { state: state === 'closed' ? 'over' : state }),
};
