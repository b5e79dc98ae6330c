import { pages } from '../pages.ts';
import type { CaseKind, CaseLine } from './cases.ts';
import { type DeskRequest, deskKinds } from './desk.ts';

type StateWords = {
  /** On a mark: `In review`. */
  label: string;
  /** In a sentence after the name of the case: `REQ-7 is in review`. */
  said: string;
};

/** States of a request, as registry staff read them. */
export const caseStates: Readonly<Record<DeskRequest['state'], StateWords>> = {
  submitted: { label: 'New', said: 'is new' },
  'in-review': { label: 'In review', said: 'is in review' },
  'needs-info': { label: 'Awaiting member', said: 'is waiting for the member' },
  approved: { label: 'Approved', said: 'was approved' },
  rejected: { label: 'Rejected', said: 'was rejected' },
  withdrawn: { label: 'Withdrawn', said: 'was withdrawn' },
};

/** States of a ticket, which has the same states under other names. */
const ticketStates: typeof caseStates = {
  ...caseStates,
  'in-review': { label: 'Open', said: 'is open' },
  approved: { label: 'Solved', said: 'was solved' },
  rejected: { label: 'Closed without an answer', said: 'was closed without an answer' },
};

/** Returns the state of a case of any kind in words. */
export const caseStateOf = ({ kind, state }: Pick<CaseLine, 'kind' | 'state'>): StateWords =>
  (kind === 'tickets' ? ticketStates : caseStates)[state];

/** The page of a case at the desk. */
export const casePath = ({ kind, caseId }: { kind: CaseKind; caseId: string | number }): string =>
  kind === 'tickets' ? `${pages.deskTickets.path}?ticket=${caseId}` : `${pages.deskRequests.path}/${kind}-${caseId}`;

/** The name of a case: its reference, or what it asks for. */
export const caseNameOf = ({ kind, reference, asked }: Pick<CaseLine, 'kind' | 'reference' | 'asked'>): string =>
  reference ?? (asked || (kind === 'tickets' ? 'A ticket' : deskKinds[kind]));
