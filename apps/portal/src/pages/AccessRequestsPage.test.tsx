import { aRouter, aSession, anAccount, type Answer, type SentCall, show } from '@portal/app-kit/testing';
import { PageFrame } from '@portal/app-kit';
import { permissionKeys } from '@portal/contract';
import type { AccessRequest } from '@portal/contract/contacts/access-requests';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import AccessRequestsPage from './AccessRequestsPage.tsx';
import './requests/ResolveDialog.tsx';

const request = (requestId: string, given: Partial<AccessRequest> = {}): AccessRequest => ({
  requestId,
  kind: 'permission',
  status: 'pending',
  outcome: null,
  requester: { name: 'Tess Lindqvist', email: 'tess@example-au.example', emailVerified: true, contactTypes: ['technical'] },
  subject: { contactId: '1', name: 'Tess Lindqvist', email: 'tess@example-au.example', contactTypes: ['technical'] },
  person: null,
  contactTypes: [],
  permissions: ['member-billing-view', 'member-billing-update'],
  reason: 'I pay now',
  requestedAt: '2026-11-20T00:00:00Z',
  expiresAt: '2026-12-20T00:00:00Z',
  isMine: false,
  resolvedBy: null,
  resolvedAt: null,
  note: null,
  grantedContactTypes: null,
  grantedPermissions: null,
  ...given,
});
const link = request('2', {
  kind: 'link',
  permissions: [],
  subject: null,
  requester: { name: 'Nadia Haddad', email: 'nadia@newcomer.example', emailVerified: false, contactTypes: [] },
});
const mine = request('3', {
  kind: 'add-contact',
  isMine: true,
  permissions: [],
  contactTypes: ['billing'],
  person: { fullName: 'Ravi', email: 'r@example.net' },
});

function open(
  search: string,
  { answer, rows = [request('1'), link, mine] }: { answer?: (sent: SentCall) => Answer | undefined; rows?: AccessRequest[] } = {},
) {
  const router = aRouter(`/member-account-settings/access-requests${search}`);
  const notices: string[] = [];
  const view = show(
    <PageFrame page={pages.accessRequests}>
      <AccessRequestsPage />
    </PageFrame>,
    {
      router,
      session: aSession({ account: anAccount({ contactTypes: ['corporate'], permissions: [...permissionKeys] }) }),
      kit: { notify: ({ text }) => notices.push(text) },
      answer: sent =>
        answer?.(sent) ?? { status: 200, data: sent.endpoint.endsWith('listResolvedRequests') ? { rows: [], total: 0 } : rows },
    },
  );
  const decisions = () =>
    view.sent
      .filter(({ endpoint }) => endpoint === 'contacts.accessRequests.resolveAccessRequest')
      .map(({ input }) => (input as { body: unknown }).body);
  return { ...view, router, notices, decisions };
}
const dialogOf = (name: string | RegExp) => screen.findByRole('dialog', { name });

it('open requests are described; the caller’s own has to be resolved by another contact', async () => {
  open('');
  expect(await screen.findByText('Tess Lindqvist asks for “View billing” and “Update billing details and pay”')).toBeTruthy();
  expect(screen.getByText('e-mail address not verified')).toBeTruthy();
  expect(screen.getByText('your own request: another contact resolves it')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Review/ })).toHaveLength(2);
});

it('can be approved with less than was requested', async () => {
  const { decisions, notices, router } = open('', {
    answer: ({ endpoint }) =>
      endpoint === 'contacts.accessRequests.resolveAccessRequest'
        ? { status: 200, data: request('1', { status: 'approved', grantedContactTypes: [] }) }
        : undefined,
  });
  fireEvent.click(await screen.findByRole('button', { name: /^Review: Tess Lindqvist asks for/ }));
  expect(router.place().search).toBe('?request=1');
  const dialog = await dialogOf(/^Tess Lindqvist asks for/);
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Update billing details and pay' }));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(notices).toEqual(['Approved. Tess Lindqvist gets an e-mail.']));
  expect(decisions()).toEqual([{ requestId: '1', decision: 'approved', permissions: ['member-billing-view'], note: '' }]);
  expect(router.place().search).toBe('');
});

it('can’t be rejected without a reason', async () => {
  const { decisions } = open('?request=1', {
    answer: ({ endpoint }) =>
      endpoint.endsWith('resolveAccessRequest') ? { status: 200, data: request('1', { status: 'rejected' }) } : undefined,
  });
  const dialog = await dialogOf(/^Tess/);
  fireEvent.click(within(dialog).getByLabelText('Reject'));
  fireEvent.click(within(dialog).getByRole('button', { name: 'Reject' }));
  expect(within(dialog).getByText('Enter a reason for rejecting it')).toBeTruthy();
  expect(document.activeElement).toBe(within(dialog).getByLabelText('Reason'));
  expect(decisions()).toEqual([]);
  fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Bill pays' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Reject' }));
  await waitFor(() => expect(decisions()).toEqual([{ requestId: '1', decision: 'rejected', note: 'Bill pays' }]));
});

it('409: the second of two people sees how the first resolved it', async () => {
  const resolved = request('1', { status: 'rejected', resolvedBy: 'Paula Corp', resolvedAt: '2026-11-21T01:00:00Z', note: 'Bill pays' });
  open('?request=1', {
    answer: ({ endpoint }) =>
      endpoint.endsWith('resolveAccessRequest')
        ? ({
            status: 409,
            errors: [{ code: 'ALREADY_RESOLVED', message: 'resolved already', traceId: 'f00d' }],
            current: resolved,
          } as Answer)
        : undefined,
  });
  fireEvent.click(within(await dialogOf(/^Tess/)).getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText(/Someone else already resolved it/)).toBeTruthy();
  expect(screen.getByText(/by Paula Corp/)).toBeTruthy();
  expect(screen.getByText('Bill pays')).toBeTruthy();
});

it('a person who asks to be linked gets the approver’s choice; corporate goes to the registry', async () => {
  const { decisions } = open('?request=2');
  const dialog = await dialogOf('Nadia Haddad asks to become a contact of EXAMPLE-AU');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Approve' }));
  expect(within(dialog).getByText('Choose at least one contact type')).toBeTruthy();
  expect(decisions()).toEqual([]);
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Corporate' }));
  expect(within(dialog).getByText('The registry decides.')).toBeTruthy();
});

it('history is asked for with its filters and page', async () => {
  const { sent } = open('?view=history&outcome=rejected&kind=link&page=3');
  expect(await screen.findByText('No matches')).toBeTruthy();
  expect(sent).toContainEqual({
    endpoint: 'contacts.accessRequests.listResolvedRequests',
    input: { account: 'EXAMPLE-AU', query: { status: 'rejected', kind: 'link', offset: 40, limit: 20 } },
  });
});

it('an empty list explains what will appear', async () => {
  open('', { rows: [] });
  expect(await screen.findByText('No open requests')).toBeTruthy();
});
