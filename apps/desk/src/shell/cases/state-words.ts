import type { CaseLine } from '@portal/contract/staff/cases';
import type { DeskRequest } from '@portal/contract/staff/desk';
import type { TicketState } from '@portal/contract/tickets/queues';
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

/** The states of tickets among those of all cases. */
const asCase: Readonly<Record<TicketState, DeskRequest['state']>> = {
  new: 'submitted',
  open: 'in-review',
  stalled: 'needs-info',
  resolved: 'approved',
  rejected: 'rejected',
};
/** Returns the state of a ticket as that of any other case. */
export const ticketStateOf = (state: TicketState): { state: State; words: string } => stateOf({ kind: 'tickets', state: asCase[state] });
