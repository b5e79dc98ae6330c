import { PageFrame } from '@portal/app-kit';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { AccountBilling } from '@portal/contract/billing/billing';
import type { PersonWithAccess } from '@portal/contract/contacts/people-with-access';
import { pages } from '@portal/contract/pages';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import ClosedAccountPage from './ClosedAccountPage.tsx';

const gone = anAccount({
  accountName: 'GONE-VU',
  orgName: 'Gone Networks',
  accountStatus: 'closed',
  permissions: ['member-billing-view', 'member-billing-update'],
});
const possible = {
  state: 'possible',
  closedOn: '2026-10-12',
  until: '2027-01-12',
  fee: '1000.00',
  owed: '2189.74',
  staffOnly: null,
} as const;

const person = (given: Partial<PersonWithAccess>): PersonWithAccess => ({
  contactId: 'c-1',
  version: 4,
  fullName: 'Max Moreau',
  email: 'max@gone.example',
  contactTypes: ['corporate'],
  status: 'active',
  isMe: false,
  mayRead: true,
  mayPay: true,
  isLastPayer: false,
  removalAskedAt: null,
  ...given,
});
const me = person({ isMe: true });
const bill = person({ contactId: 'c-2', version: 7, fullName: 'Bill Okonkwo', email: 'bill@gone.example', contactTypes: ['billing'] });

/** Opens the page as a contact of an open and a closed account, and returns what it asks the server. */
function open(
  given: Partial<AccountBilling>,
  { account = gone, query = '?account=GONE-VU', people = [me], ended = { removed: true, words: '' } } = {},
): [string, unknown][] {
  const sent: [string, unknown][] = [];
  const data: AccountBilling = {
    today: '2026-11-17',
    ahead: [],
    lost: [],
    reactivation: possible,
    reactivationMonths: 3,
    rpkiSuspensionDays: 0,
    details: {
      version: 0,
      orgName: 'Gone Networks',
      registrationNumber: '',
      billingAddress: [],
      billingEmail: '',
      poNumber: '',
      taxResidency: 'VU',
      tax: { name: 'GST', rate: null },
      taxDocument: null,
      eInvoicesLack: null,
    },
    invoices: [],
    currency: 'AUD',
    credit: '0.00',
    refunds: [],
    accountStatus: 'closed',
    expiryDate: '2026-08-14',
    feesMissing: null,
    calendar: { invoiceDays: 1, dueDays: 30 },
    renews: false,
    payOnline: null,
    paymentInstructions: ['By bank transfer'],
    payCodes: [],
    eInvoices: [],
    ...given,
  };
  const selected = anAccount({ accountName: 'LATE-FJ' });
  show(
    <PageFrame page={pages.closedAccount}>
      <ClosedAccountPage />
    </PageFrame>,
    {
      router: aRouter(`/member-account-settings/closed-account${query}`),
      session: aSession({ account: selected, accounts: [selected], closedAccounts: [account] }),
      answer: ({ endpoint, input }) => {
        const { account: about, contactId, body } = input as { account?: unknown; contactId?: string; body?: unknown };
        sent.push(contactId === undefined ? [endpoint, about] : [endpoint, { about, contactId, body }]);
        if (endpoint === 'contacts.peopleWithAccess.listPeopleWithAccess') return { status: 200, data: people };
        if (endpoint.startsWith('contacts.')) return { status: 200, data: ended };
        return endpoint === 'accounts.listAccounts' ? { status: 200, data: [] } : { status: 200, data };
      },
    },
  );
  return sent;
}

it('a closed account that owes is reactivated after a question that names the price, and never the selected account', async () => {
  const sent = open({});
  expect(await screen.findByRole('heading', { level: 1, name: 'GONE-VU is closed' })).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: 'Reactivate' }));
  const asked = await screen.findByRole('dialog', { name: 'Reactivate GONE-VU?' });
  expect(asked.textContent).toMatch(/a fee of AUD.1.000.00 before tax and AUD.2.189.74 of unpaid invoices/);
  await userEvent.click(screen.getAllByRole('button', { name: 'Reactivate' }).at(-1)!);
  expect(sent).toContainEqual(['billing.reactivations.reactivateAccount', 'GONE-VU']);
  expect(sent.filter(([, account]) => account !== 'GONE-VU')).toEqual([]);
});

it('what closed for another reason is for registry staff to decide', async () => {
  open({ reactivation: { ...possible, staffOnly: 'INV-2026-000001, which it was closed for, was written off' } });
  expect(await screen.findByText(/Registry staff decide, because INV-2026-000001, which it was closed for, was written off/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Reactivate' })).toBeNull();
});

it('after its time it says so', async () => {
  open({ reactivation: { ...possible, state: 'too-late' } });
  expect(await screen.findByText(/can no longer be opened again/)).toBeTruthy();
});

it('a contact without the permission sees that a corporate contact has the invoices', async () => {
  const sent = open({}, { account: { ...gone, permissions: [] } });
  expect(await screen.findByText('Its invoices aren’t shown to you')).toBeTruthy();
  // Names and the way out are for everyone.
  expect(await screen.findByText('Max Moreau')).toBeTruthy();
  expect(sent).toEqual([['contacts.peopleWithAccess.listPeopleWithAccess', 'GONE-VU']]);
});

it('without an account in the address, and for one that is not closed, it offers those that are', async () => {
  open({}, { query: '' });
  expect(await screen.findByText('No account is chosen')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'GONE-VU' }).getAttribute('href')).toBe(
    '/member-account-settings/closed-account?account=GONE-VU',
  );
});

const manages = { ...gone, contactTypes: ['corporate' as const], permissions: [...gone.permissions, 'contacts-details-update' as const] };

it('a corporate contact withdraws the access of another person after a question that says what it means', async () => {
  const sent = open({}, { account: manages, people: [me, bill] });
  const row = (await screen.findByText('Bill Okonkwo')).closest('li')!;
  expect(row.textContent).toContain('Reads invoices, pays and can ask for the reopening');
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw the access of Bill Okonkwo' }));
  const asked = await screen.findByRole('alertdialog', { name: 'Withdraw the access of Bill Okonkwo?' });
  expect(asked.textContent).toContain('the registry decides first');
  await userEvent.type(screen.getByLabelText(/Reason/), 'Left');
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw access' }));
  expect(sent).toContainEqual(['contacts.removeContact', { about: 'GONE-VU', contactId: 'c-2', body: { version: 7, reason: 'Left' } }]);
});

it('a person leaves the closed account, and never the selected one', async () => {
  const sent = open({}, { people: [{ ...bill, isMe: true }, person({})] });
  await userEvent.click(await screen.findByRole('button', { name: 'Leave GONE-VU' }));
  // Without the permission, and about a corporate contact, nothing is offered.
  expect(screen.queryByRole('button', { name: /Withdraw the access of Max/ })).toBeNull();
  await screen.findByRole('alertdialog', { name: 'Leave GONE-VU?' });
  await userEvent.click(screen.getByRole('button', { name: 'Leave the account' }));
  expect(sent).toContainEqual(['contacts.leaveAccount', 'GONE-VU']);
});

it('the last person who can pay is offered no way out, and reads where to ask; a removal that waits is shown', async () => {
  const removalAskedAt = '2026-11-16T09:00:00.000Z';
  open({}, { account: manages, people: [person({ isMe: true, isLastPayer: true }), { ...bill, removalAskedAt }] });
  expect(await screen.findByText('The only person who can pay')).toBeTruthy();
  expect(screen.getByText(/write to the registry/)).toBeTruthy();
  expect(screen.getByText(/Removal sent to the registry on/)).toBeTruthy();
  for (const name of [/^Leave/, /^Withdraw/]) expect(screen.queryByRole('button', { name })).toBeNull();
});
