import type { NominationState } from '@portal/contract/elections/nominations';
import type { State } from '@portal/ui';

/** The states of a nomination as its nominator and nominee read them. */
export const nominationMarks: Record<NominationState, { state: State; words: string }> = {
  AWAITING_AUTHORISATION: { state: 'pending', words: 'Awaiting authorisation' },
  AWAITING_NOMINEE: { state: 'pending', words: 'Awaiting the nominee' },
  CONFIRMED: { state: 'info', words: 'Agreed, being checked' },
  ELIGIBLE: { state: 'valid', words: 'Candidate' },
  INELIGIBLE: { state: 'invalid', words: 'Can’t stand' },
  DECLINED: { state: 'closed', words: 'Declined' },
  WITHDRAWN: { state: 'closed', words: 'Withdrawn' },
};
