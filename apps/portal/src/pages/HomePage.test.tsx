import { aRouter, anAccount, aPerson, aSession, show } from '@portal/app-kit/testing';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { invitations } from '@portal/contract/contacts/invitations';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import HomePage from './HomePage.tsx';
import { PageFrame } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';

const attention = (attentionId: string, forWhom: 'me' | 'account', urgency = 'soon') => ({
  attentionId,
  due: null,
  forWhom,
  urgency,
  title: `About ${attentionId}`,
  detail: '',
  action: null,
});
const home = {
  attention: [attention('factor', 'me'), attention('suspended', 'account', 'urgent')],
  resources: [{ kind: 'ipv4', delegations: 3, size: '9216', used: '6620', registrations: 16, lastDelegatedOn: null }],
  recent: {
    since: '2026-11-20T08:00:00Z',
    byContacts: 0,
    byStaff: 0,
    byTheRegistry: 1,
    lines: [{ activityId: 48213, at: '2026-11-21T08:28:00Z', by: 'Registry', summary: 'Delegated 6 resources', isNew: true }],
  },
  contacts: [{ name: 'Tess', contactTypes: ['technical'] }],
};
const page = (
  <PageFrame page={pages.home}>
    <HomePage />
  </PageFrame>
);
const answering = (data: object) => () => ({ status: 200, data });

it('shows what needs attention, what is held and what changed', async () => {
  show(page, { answer: answering(home) });
  expect(await screen.findByText('1 urgent')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('EXAMPLE-AU');
  expect(screen.getByText(/Regular member since 2021, open. You’re its technical contact./)).toBeTruthy();
  expect(screen.getByText('addresses, 36 × /24')).toBeTruthy();
  expect(screen.getByText('Delegated 6 resources')).toBeTruthy();
});

it('"For me" leaves out what any contact can do, and is part of the address', async () => {
  const router = aRouter('/');
  show(page, { answer: answering(home), router });
  fireEvent.click(await screen.findByLabelText('For me'));
  expect(router.place().search).toBe('?attention=me');
  expect(screen.getByText('About factor')).toBeTruthy();
  expect(screen.queryByText('About suspended')).toBeNull();
});

it('counts the days of the calendar until something lapses', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-27T22:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const due = (attentionId: string, on: string) => ({ ...attention(attentionId, 'account'), due: on });
  const items = [
    due('a', '2026-11-27'),
    due('b', '2026-11-28T01:00:00Z'),
    due('c', '2026-11-29T03:00:00Z'),
    due('d', '2026-12-12'),
    due('e', '2026-11-26'),
  ];
  show(page, { answer: answering({ ...home, attention: items }) });
  await screen.findByText('About a');
  const words = ['27 Nov, today', '28 Nov, tomorrow', '29 Nov, in 2 days', '12 Dec, in 15 days', 'since 26 Nov'];
  for (const each of words) expect(screen.getByText(each)).toBeTruthy();
});

it('a part the person may not see is left out; one that failed shows an error', async () => {
  show(page, { answer: answering({ attention: null, resources: null, recent: null, contacts: null }) });
  expect(await screen.findByText('The list of what needs attention couldn’t be loaded.')).toBeTruthy();
  expect(screen.queryByText('Ledger')).toBeNull();
});

it('a suspended account explains what that means', async () => {
  show(page, { answer: answering(home), session: aSession({ account: anAccount({ accountStatus: 'suspended' }) }) });
  expect(await screen.findByText('EXAMPLE-AU is suspended.')).toBeTruthy();
});

it('a login without an account sees what it can do, and its earlier requests', async () => {
  const requests = [{ accountName: 'EXAMPLE-AU', askedAt: '2026-11-20T09:00:00Z', remindFrom: '2026-11-21T09:00:00Z' }];
  show(page, {
    session: aSession({ account: null, person: aPerson({ name: 'Nadia' }) }),
    answer: ({ endpoint }) => ({ status: 200, data: endpoint === accessRequests.listLinkRequests.id ? requests : [] }),
  });
  expect(await screen.findByText('Welcome, Nadia')).toBeTruthy();
  expect(screen.getByText('Link an existing membership').getAttribute('href')).toBe('/link-existing-membership');
  expect(screen.getByText('See what it costs').getAttribute('href')).toBe(pages.annualFeeCalculator.path);
  expect(await screen.findByText('EXAMPLE-AU')).toBeTruthy();
});

it('a login without an account accepts an open invitation, or looks for one', async () => {
  const invitation = {
    invitationId: 'i1',
    accountName: 'OTHER-SG',
    orgName: 'Other Cloud',
    contactTypes: ['technical'],
    invitedBy: 'Olive',
    expiresAt: '2026-12-05T09:00:00Z',
  };
  let open: object[] = [];
  const { sent } = show(page, {
    session: aSession({ account: null, person: aPerson({ name: 'Nadia' }) }),
    answer: ({ endpoint }) => ({ status: 200, data: endpoint === invitations.listOwnInvitations.id ? open : [] }),
  });
  const look = await screen.findByRole('button', { name: 'Check for invitations' });
  await waitFor(() => expect(look.getAttribute('aria-busy')).toBeNull());
  open = [invitation];
  fireEvent.click(look);
  const accept = await screen.findByRole('button', { name: 'Accept the invitation to OTHER-SG' });
  // The card that waits for one has nothing left to say.
  expect(screen.queryByText('You have been invited')).toBeNull();
  fireEvent.click(accept);
  await waitFor(() => expect(sent.map(({ endpoint }) => endpoint)).toContain(invitations.acceptOwnInvitation.id));
});

it('registry staff see the number of open requests without a step-up', async () => {
  const staff = (mfa: boolean) => aSession({ account: null, person: aPerson({ staff: true, mfa }) });
  show(page, { session: staff(true), answer: () => ({ status: 200, data: { rows: [], total: 2 } }) });
  expect(await screen.findByText(/2 open requests/)).toBeTruthy();
  cleanup();
  const { sent } = show(page, { session: staff(false) });
  expect(await screen.findByText(/and you decide/)).toBeTruthy();
  expect(sent).toEqual([]);
});

it('the home of one account says which others of the person are suspended, and leads to them', async () => {
  const [selected, suspended] = [anAccount(), anAccount({ accountName: 'LAGOON-FJ', accountStatus: 'suspended' })];
  show(page, { answer: answering(home), session: aSession({ account: selected, accounts: [selected, suspended] }) });
  expect(await screen.findByText('LAGOON-FJ is suspended.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open LAGOON-FJ' }).getAttribute('href')).toBe('/LAGOON-FJ/index.html');
});
