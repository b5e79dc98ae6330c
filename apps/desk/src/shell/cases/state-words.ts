import type { CaseLine } from '@portal/contract/staff/cases';
import type { DeskRequest } from '@portal/contract/staff/desk';
import type { State } from '@portal/ui';
import { caseStateOf } from '@portal/contract/staff/case-words';

const marks: Readonly<Record<DeskRequest['state'], State>> = {
  submitted: 'pending',
  'in-review': 'pending',
  'needs-info': 'warning',
  approved: 'valid',
  rejected: 'invalid',
  withdrawn: 'closed',
};

/** Returns the state of a case of any kind, as a mark with its words. */
export const stateOf = ({ kind, state }: Pick<CaseLine, 'kind' | 'state'>): { state: State; words: string } => ({
  state: kind === 'tickets' && state === 'rejected' ? 'closed' : marks[state],
  words: caseStateOf({ kind, state }).label,
});
