import type { NominationState } from '@portal/contract/elections/life';
import type { State } from '@portal/ui';

/** The states of a nomination as its nominator and nominee read them. */
export const nominationMarks: Record<NominationState, { state: State; words: string }> = {
  'awaiting-authorisation': { state: 'pending', words: 'Awaiting authorisation' },
  'awaiting-nominee': { state: 'pending', words: 'Awaiting the nominee' },
  confirmed: { state: 'info', words: 'Agreed, being checked' },
  eligible: { state: 'valid', words: 'Candidate' },
  ineligible: { state: 'invalid', words: 'Can’t stand' },
  declined: { state: 'closed', words: 'Declined' },
  withdrawn: { state: 'closed', words: 'Withdrawn' },
};
