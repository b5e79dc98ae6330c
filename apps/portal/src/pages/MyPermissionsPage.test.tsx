import { aPerson, aSession, anAccount, show } from '@portal/app-kit/testing';
import { PageFrame } from '@portal/app-kit';
import type { MyPermissions } from '@portal/contract/contacts/contacts';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import MyPermissionsPage from './MyPermissionsPage.tsx';

type Row = MyPermissions['groups'][number]['permissions'][number];
const row = (permission: Row['permission'], label: string, given: Partial<Row> = {}): Row => ({
  permission,
  label,
  held: false,
  from: 'contact-type',
  decidedBy: null,
  decidedAt: null,
  needsSecondFactor: false,
  someChangesNeedSecondFactor: false,
  notGrantable: null,
  requestedAt: null,
  ...given,
});
const mine = (given: Partial<MyPermissions> = {}): MyPermissions => ({
  contactTypes: ['technical'],
  groups: [
    {
      group: 'billing',
      permissions: [
        row('member-billing-view', 'View billing'),
        row('member-billing-update', 'Update billing', { requestedAt: new Date().toISOString() }),
        row('advanced-invoice-update', 'Ask for invoices', {
          held: true,
          from: 'decision',
          decidedBy: 'Corin Achterberg',
          decidedAt: '2026-10-02T00:00:00Z',
        }),
      ],
    },
    { group: 'resources', permissions: [row('roas-update', 'Update ROAs', { held: true, needsSecondFactor: true })] },
    {
      group: 'voting',
      permissions: [
        row('nominate-proxy', 'Appoint a proxy', { notGrantable: 'only corporate contacts appoint a proxy' }),
        row('voting-vote', 'Vote'),
      ],
    },
  ],
  maintainers: ['MAINT-EXAMPLE-AU'],
  corporateContacts: [{ name: 'Corin Achterberg', email: 'corin@example-au.example' }],
  mayVote: true,
  ...given,
});
const page = (
  <PageFrame page={pages.myPermissions}>
    <MyPermissionsPage />
  </PageFrame>
);
const answering =
  (data: MyPermissions) =>
  ({ endpoint }: { endpoint: string }) => ({ status: 200, data: endpoint === 'contacts.getMyPermissions' ? data : [] });
const line = async (label: string) => (await screen.findByText(label)).closest('li')!.textContent;

it('shows where each permission comes from', async () => {
  show(page, { answer: answering(mine()) });
  expect(await line('Ask for invoices')).toMatch(/granted by Corin Achterberg on 2 Oct 2026/);
  expect(await line('Update ROAs')).toMatch(/comes with technical/);
  expect(await line('Appoint a proxy')).toMatch(/only corporate contacts appoint a proxy/);
  expect(await line('Update billing')).toMatch(/requested on/);
  expect(screen.getByText('MAINT-EXAMPLE-AU')).toBeTruthy();
  expect(screen.getByText('corin@example-au.example').getAttribute('href')).toBe('mailto:corin@example-au.example');
});

it('a permission that needs a second factor is locked in a session without one', async () => {
  show(page, { answer: answering(mine()), session: aSession({ person: aPerson({ mfa: false, hasSecondFactor: false }) }) });
  expect(await screen.findByLabelText('needs two-factor in this session')).toBeTruthy();
  expect(screen.getByText('1 permission waits for a second factor.')).toBeTruthy();
});

it('several can be requested together, with a reason; what can’t be requested has no checkbox', async () => {
  const { sent } = show(page, {
    answer: ({ endpoint }) =>
      endpoint === 'contacts.askForPermission'
        ? { status: 200, data: { requestId: '3', askedAt: '2026-11-21T00:00:00Z', asked: ['Corin'] } }
        : answering(mine())({ endpoint }),
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Ask for: View billing' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Ask for: Vote' }));
  expect(screen.getAllByRole('checkbox')).toHaveLength(2);
  fireEvent.change(screen.getByLabelText(/^Why do you need it?/), { target: { value: ' I pay now ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Ask for 2 permissions' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      endpoint: 'contacts.askForPermission',
      input: { account: 'EXAMPLE-AU', body: { permissions: ['member-billing-view', 'voting-vote'], message: 'I pay now', page: '' } },
    }),
  );
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Ask for/ })).toBeNull());
});

it('corporate contacts have nothing to request', async () => {
  show(page, {
    answer: answering(mine({ contactTypes: ['corporate'], corporateContacts: [] })),
    session: aSession({ account: anAccount({ contactTypes: ['corporate'] }) }),
  });
  expect(await screen.findByText(/you have every permission/)).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('accounts without votes say so at the voting permissions', async () => {
  show(page, { answer: answering(mine({ mayVote: false })) });
  expect(await screen.findByText('Accounts of this type can’t vote.')).toBeTruthy();
});
