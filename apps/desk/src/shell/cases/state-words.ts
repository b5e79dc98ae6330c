import type { CaseLine } from '@portal/contract/staff/cases';
import type { DeskRequest } from '@portal/contract/staff/desk';
import type { State } from '@portal/ui';

/** States of a request, as staff read them. */
export const stateWords: Record<DeskRequest['state'], { state: State; words: string }> = {
  submitted: { state: 'pending', words: 'New' },
  'in-review': { state: 'pending', words: 'In review' },
  'needs-info': { state: 'warning', words: 'Awaiting member' },
  approved: { state: 'valid', words: 'Approved' },
  rejected: { state: 'invalid', words: 'Rejected' },
  withdrawn: { state: 'closed', words: 'Withdrawn' },
};

/** States of a ticket, which has the same states under other names. */
const ticketWords: typeof stateWords = {
  ...stateWords,
  'in-review': { state: 'pending', words: 'Open' },
  approved: { state: 'valid', words: 'Solved' },
  rejected: { state: 'closed', words: 'Closed without an answer' },
};

/** Returns the state of a case of any kind, as staff read it. */
export const stateOf = ({ kind, state }: Pick<CaseLine, 'kind' | 'state'>) => (kind === 'tickets' ? ticketWords : stateWords)[state];
