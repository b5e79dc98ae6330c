import { pages } from '@portal/contract/pages';
import type { CaseLine } from '@portal/contract/staff/cases';
import { type DeskRequest, deskKinds } from '@portal/contract/staff/desk';

/** The case at the desk. */
export const caseLink = ({ kind, requestId }: Pick<DeskRequest, 'kind' | 'requestId'>): string =>
  `${pages.deskRequests.path}/${kind}-${requestId}`;

/** A case at the desk, or a ticket. */
export const lineLink = ({ kind, caseId }: Pick<CaseLine, 'kind' | 'caseId'>): string =>
  kind === 'tickets' ? `${pages.deskTickets.path}?ticket=${caseId}` : caseLink({ kind, requestId: caseId });

/** The name of a case: its reference, or its kind where none was given. */
export const caseNameOf = ({ kind, reference }: Pick<CaseLine, 'kind' | 'reference'>): string =>
  reference ?? (kind === 'tickets' ? 'Ticket' : deskKinds[kind]);
