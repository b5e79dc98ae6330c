import { pages } from '@portal/contract/pages';
import type { DeskRequest } from '@portal/contract/staff/desk';

/** The case at the desk. */
export const caseLink = ({ kind, requestId }: Pick<DeskRequest, 'kind' | 'requestId'>): string =>
  `${pages.deskRequests.path}?request=${kind}-${requestId}`;
