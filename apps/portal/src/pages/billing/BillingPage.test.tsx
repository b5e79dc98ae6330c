import { PageFrame } from '@portal/app-kit';
import type { AccountBilling, Invoice } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
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
  expect(screen.getByText('Overdue (1 day)')).toBeTruthy();
  expect(screen.getByText('AUD 11,070.08 for INV-2026-000007')).toBeTruthy();
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
  expect(screen.getByRole('row', { name: 'Membership fee 12,070.08' })).toBeTruthy();
  expect(screen.getByRole('row', { name: 'To pay 11,070.08' })).toBeTruthy();
});

it('an address with an invoice of another account says that there is none', async () => {
  open({ invoices: [invoice({})] }, '?invoice=INV-1999-000001');
  expect(await screen.findByText('There is no invoice INV-1999-000001 in EXAMPLE-AU.')).toBeTruthy();
});
