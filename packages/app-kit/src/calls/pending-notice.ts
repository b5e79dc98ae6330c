import type { AnyEndpoint, ServiceFailure } from '@portal/api-client';
import { secondPersonOf } from '@portal/contract';
import { pages } from '@portal/contract/pages';
import type { Notice } from '../kit/kit.ts';

type Approved = Pick<AnyEndpoint, 'access' | 'effect' | 'alone' | 'secondPerson' | 'secondPersonWhen'>;

/** The page of changes that wait for a second person: of the account, or of registry staff. */
const approvalsOf = (endpoint: Approved): string => (secondPersonOf(endpoint) === 'always' ? pages.deskApprovals : pages.approvals).path;

/** Shows that a second person was asked to approve a change. */
export const pendingNotice = (endpoint: Approved, { message }: ServiceFailure): Notice => ({
  kind: 'info',
  text: `${message}.`,
  link: { href: approvalsOf(endpoint), label: 'View pending changes' },
});
