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
