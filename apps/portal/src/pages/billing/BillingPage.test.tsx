import { PageFrame } from '@portal/app-kit';
import type { AccountBilling, Invoice } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { chargedPerYear } from './ChargedPerYear.tsx';
import BillingPage from './BillingPage.tsx';

const invoice = (given: Partial<Invoice>): Invoice => ({
  number: 'INV-2026-000007',
  orgName: 'Example Networks Pty Ltd',
  issuedOn: '2026-10-18',
  dueOn: '2026-11-16',
  periodFrom: '2026-10-18',
  periodTo: '2027-10-17',
  lines: [],
  currency: 'AUD',
  subtotal: '12070.08',
  tax: '0.00',
  total: '12070.08',
  paid: '1000.00',
  balance: '11070.08',
  state: 'overdue',
  overdueDays: 1,
  paidOn: null,
  extendedUntil: null,
  poNumber: '',
  ...given,
});

function open(given: Partial<AccountBilling>, query = '') {
  const data: AccountBilling = {
    today: '2026-11-17',
    ahead: [],
    lost: [],
    details: null,
    invoices: [],
    currency: 'AUD',
    credit: '0.00',
    accountStatus: 'open',
    expiryDate: '2026-10-17',
    renews: true,
    paymentInstructions: ['By bank transfer'],
    ...given,
  };
  show(
    <PageFrame page={pages.billing}>
      <BillingPage />
    </PageFrame>,
    {
      router: aRouter(`/member-account-settings/billing${query}`),
      session: aSession({ account: anAccount({ permissions: ['member-billing-view'] }) }),
      answer: () => ({ status: 200, data }),
    },
  );
}

it('a suspended account sees the unpaid amount, how to pay, and what happens then', async () => {
  open({ accountStatus: 'suspended', invoices: [invoice({})] });
  expect(await screen.findByText('EXAMPLE-AU is suspended.')).toBeTruthy();
  expect(screen.getAllByText('Overdue (1 day)')).toHaveLength(2);
  expect(screen.getByText('AUD 11 070.08 for INV-2026-000007')).toBeTruthy();
  expect(screen.getByText('INV-2026-000007 EXAMPLE-AU')).toBeTruthy();
  expect(screen.getByText(/renews for one year when INV-2026-000007 is paid/)).toBeTruthy();
});

it('an account that has paid sees when the next invoice comes and what credit it uses, and nothing about paying', async () => {
  open({ expiryDate: '2027-10-17', credit: '50.00', invoices: [invoice({ state: 'paid', balance: '0.00', overdueDays: 0 })] });
  expect(await screen.findByText(/the renewal invoice is issued the day after/)).toBeTruthy();
  expect(screen.getByText(/a credit of AUD 50.00/)).toBeTruthy();
  expect(screen.queryByText('How to pay')).toBe(null);
});

it('an account that is billed nothing is promised no invoice', async () => {
  open({ renews: false });
  expect(await screen.findByText('This account isn’t billed.')).toBeTruthy();
  expect(screen.queryByText(/issued the day after/)).toBe(null);
});

it('an address with an invoice opens it, with its lines and sums', async () => {
  const lines = [{ description: 'Membership fee', quantity: 1, unitPrice: '12070.08', amount: '12070.08' }];
  open({ invoices: [invoice({ lines })] }, '?invoice=INV-2026-000007');
  expect(await screen.findByRole('dialog', { name: 'INV-2026-000007' })).toBeTruthy();
  expect(screen.getByRole('row', { name: 'Membership fee 12\u00a0070.08' })).toBeTruthy();
  expect(screen.getByRole('row', { name: 'To pay 11\u00a0070.08' })).toBeTruthy();
});

it('an address with an invoice of another account says that there is none', async () => {
  open({ invoices: [invoice({})] }, '?invoice=INV-1999-000001');
  expect(await screen.findByText('There is no invoice INV-1999-000001 in EXAMPLE-AU.')).toBeTruthy();
});

it('says on which day what ends if nothing is paid, and offers to ask for more time', async () => {
  open({
    expiryDate: '2026-10-17',
    invoices: [invoice({})],
    ahead: [
      { step: 'suspension', day: '2026-11-20' },
      { step: 'closing', day: '2026-12-20' },
    ],
    lost: ['3 delegations of number resources', '4 ROAs'],
  });
  expect(await screen.findByText(/it loses 3 delegations of number resources and 4 ROAs/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ask for more time' }).getAttribute('href')).toContain('about=INV-2026-000007');
  const picture = screen.getByRole('img', { name: /Today is 17 Nov 2026/ });
  expect(picture.getAttribute('aria-label')).toContain(
    '16 Nov 2026: Due AUD\u00a011\u00a0070.08. 20 Nov 2026: Suspended. 20 Dec 2026: Closes',
  );
});

it('draws what each year charged, without cancelled invoices, once there are two years', () => {
  const of = (issuedOn: string, total: string, state: Invoice['state'] = 'paid') => invoice({ issuedOn, total, state, number: issuedOn });
  expect(
    chargedPerYear([
      of('2026-10-18', '100.00'),
      of('2025-10-18', '80.10'),
      of('2025-11-18', '0.20'),
      of('2026-01-01', '5.00', 'cancelled'),
    ]),
  ).toEqual([
    { year: '2025', charged: 80.3, currency: 'AUD' },
    { year: '2026', charged: 100, currency: 'AUD' },
  ]);
});
