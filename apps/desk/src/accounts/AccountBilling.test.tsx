import { PageFrame } from '@portal/app-kit';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import type { ErrorItem } from '@portal/contract';
import type { StaffAccountBilling, StaffInvoice } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AccountBilling } from './AccountBilling.tsx';

const invoice = (given: Partial<StaffInvoice>): StaffInvoice => ({
  number: 'INV-2026-000007',
  orgName: 'Example Networks Pty Ltd',
  accountName: 'EXAMPLE-AU',
  issuedOn: '2026-10-18',
  dueOn: '2026-11-16',
  kind: 'renewal',
  periodFrom: '2026-10-18',
  periodTo: '2027-10-17',
  lines: [],
  currency: 'AUD',
  subtotal: '2137.32',
  tax: '0.00',
  total: '2137.32',
  paid: '0.00',
  balance: '2137.32',
  state: 'overdue',
  overdueDays: 5,
  paidOn: null,
  extendedUntil: null,
  poNumber: '',
  paymentReference: 'RF29INV2026000007',
  credited: '0.00',
  payments: [],
  creditNotes: [],
  cancelReason: null,
  ...given,
});
const answer = (given: Partial<StaffAccountBilling>): StaffAccountBilling => ({
  again: null,
  reactivation: null,
  reactivationMonths: 3,
  rpkiSuspensionDays: 0,
  payOnline: null,
  ahead: [],
  lost: [],
  details: {
    version: 0,
    orgName: 'Example Networks Pty Ltd',
    registrationNumber: '',
    billingAddress: [],
    billingEmail: '',
    poNumber: '',
    taxResidency: 'AU',
    tax: { name: 'GST', rate: '0.10' },
    taxDocument: null,
    eInvoicesLack: null,
  },
  invoices: [invoice({})],
  currency: 'AUD',
  credit: '0.00',
  refunds: [],
  accountStatus: 'open',
  expiryDate: '2026-10-17',
  renews: true,
  feesMissing: null,
  calendar: { invoiceDays: 1, dueDays: 30 },
  paymentInstructions: [],
  payCodes: [],
  eInvoices: [],
  today: '2026-11-21',
  next: { step: 'suspension', day: '2026-12-01' },
  ...given,
});

function open({
  status = 'open',
  own = false,
  given = {},
  recorded = { status: 200, data: invoice({ state: 'paid', balance: '0.00' }) },
}: {
  status?: string;
  own?: boolean;
  given?: Partial<StaffAccountBilling>;
  recorded?: { status: number; data?: StaffInvoice; errors?: ErrorItem[] };
} = {}) {
  const sheet = { account: { accountName: 'EXAMPLE-AU', accountStatus: status }, own } as AccountSheet;
  const shown = show(
    <PageFrame page={pages.deskAccount}>
      <AccountBilling sheet={sheet} />
    </PageFrame>,
    {
      router: aRouter('/desk/accounts/EXAMPLE-AU'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) }),
      answer: ({ endpoint }) => (endpoint === 'billing.getStaffBilling' ? { status: 200, data: answer(given) } : recorded),
    },
  );
  const sent = (endpoint: string) => shown.sent.filter(sent => sent.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, sent };
}

it('a transfer is recorded with the amount that is missing, the day and the reference of the bank', async () => {
  const { sent } = open();
  expect(await screen.findByText('Overdue (5 days)')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Record a payment for INV-2026-000007'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByText('Record the payment'));
  expect(dialog.getByText(/Each reference can be recorded once/)).toBeTruthy();
  expect(sent('billing.recordPayment')).toEqual([]);
  fireEvent.change(dialog.getByLabelText('Bank reference'), { target: { value: ' TR-881 ' } });
  fireEvent.change(dialog.getByLabelText('Amount, AUD'), { target: { value: '2,137.32' } });
  fireEvent.click(dialog.getByText('Record the payment'));
  expect(dialog.getByText('Enter an amount, such as 2137.32, without currency or commas')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Amount, AUD'), { target: { value: '2137.32' } });
  fireEvent.click(dialog.getByText('Record the payment'));
  await waitFor(() =>
    expect(sent('billing.recordPayment')).toEqual([
      { invoiceNumber: 'INV-2026-000007', body: { amount: '2137.32', receivedOn: '2026-11-21', reference: 'TR-881' } },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
});

it('a transfer that looks like a recorded one is confirmed, and confirmed anew for another reference', async () => {
  const alike = { code: 'PAYMENT_ALIKE', message: 'A transfer that looks the same was recorded', traceId: 't', field: 'reference' };
  const { sent } = open({ recorded: { status: 409, errors: [alike] } });
  fireEvent.click(await screen.findByLabelText('Record a payment for INV-2026-000007'));
  const dialog = within(screen.getByRole('dialog'));
  const type = (value: string) => fireEvent.change(dialog.getByLabelText('Bank reference'), { target: { value } });
  const bodies = () => sent('billing.recordPayment').map(input => (input as { body: object }).body);
  type('TR-O881');
  expect(dialog.queryByRole('checkbox')).toBeNull();
  fireEvent.click(dialog.getByText('Record the payment'));
  fireEvent.click(await dialog.findByLabelText(/^This is another transfer/));
  fireEvent.click(dialog.getByText('Record the payment'));
  await waitFor(() => expect(bodies()).toMatchObject([{ reference: 'TR-O881' }, { reference: 'TR-O881', isAnother: true }]));
  type('TR-O882');
  expect(dialog.queryByRole('checkbox')).toBeNull();
  fireEvent.click(dialog.getByText('Record the payment'));
  await waitFor(() => expect(bodies()).toHaveLength(3));
  expect(bodies()[2]).not.toHaveProperty('isAnother');
});

it('a paid invoice takes neither payments nor extensions; one of a closed account takes payments', async () => {
  open({
    status: 'closed',
    given: { invoices: [invoice({}), invoice({ number: 'INV-2025-000003', state: 'paid', balance: '0.00' })], next: null },
  });
  expect(await screen.findByLabelText('Open INV-2025-000003')).toBeTruthy();
  expect(screen.queryByLabelText('Record a payment for INV-2025-000003')).toBe(null);
  expect(screen.getByLabelText('Record a payment for INV-2026-000007').getAttribute('aria-disabled')).toBeNull();
  expect(screen.getByLabelText('Give more time for INV-2026-000007').getAttribute('aria-disabled')).toBe('true');
});

it('a credit note needs an amount and a reason, and a paid invoice can still get one', async () => {
  const { sent } = open({
    given: { invoices: [invoice({ state: 'paid', balance: '0.00', paid: '2137.32' })] },
    recorded: {
      status: 200,
      data: invoice({ creditNotes: [{ number: 'CN-2026-000001', issuedOn: '2026-11-21', total: '10.00', reason: 'Too much' }] }),
    },
  });
  fireEvent.click(await screen.findByLabelText('Issue a credit note for INV-2026-000007'));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByText('Issue the credit note'));
  expect(dialog.getAllByText('Enter the amount to credit')).not.toHaveLength(0);
  expect(sent('billing.corrections.issueCreditNote')).toEqual([]);
  fireEvent.change(dialog.getByLabelText('Amount with tax, AUD'), { target: { value: '10' } });
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Too much' } });
  fireEvent.click(dialog.getByText('Issue the credit note'));
  await waitFor(() =>
    expect(sent('billing.corrections.issueCreditNote')).toEqual([
      { invoiceNumber: 'INV-2026-000007', body: { amount: '10', reason: 'Too much' } },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
});

it('credit is refunded with the reference of the bank, and the debt of a closed account is written off', async () => {
  const { sent } = open({
    status: 'closed',
    given: { credit: '50.00' },
    recorded: { status: 200, data: invoice({ state: 'written-off' }) },
  });
  fireEvent.click(await screen.findByText('Refund'));
  const refund = within(await screen.findByRole('dialog'));
  fireEvent.click(refund.getByText('Record the refund'));
  expect(refund.getAllByText(/Each reference can be recorded once/)).not.toHaveLength(0);
  fireEvent.click(refund.getByText('Cancel'));
  fireEvent.click(await screen.findByLabelText('Write off INV-2026-000007'));
  const writeOff = within(await screen.findByRole('alertdialog'));
  fireEvent.change(writeOff.getByLabelText('Reason'), { target: { value: 'Insolvent' } });
  fireEvent.click(writeOff.getByText('Write off'));
  await waitFor(() =>
    expect(sent('billing.corrections.writeOffInvoice')).toEqual([{ invoiceNumber: 'INV-2026-000007', body: { reason: 'Insolvent' } }]),
  );
});

it('older invoices are folded away, but none that is still owed', async () => {
  const paid = (year: number) => invoice({ number: `INV-${year}-000001`, state: 'paid', balance: '0.00' });
  open({ given: { invoices: [paid(2025), paid(2024), paid(2023), paid(2022), invoice({ number: 'INV-2021-000001' })], next: null } });
  const list = within(await screen.findByRole('list', { name: 'Invoices of EXAMPLE-AU' }));
  expect(list.getAllByRole('listitem').map(({ id }) => id)).toEqual([
    'invoice-INV-2025-000001',
    'invoice-INV-2024-000001',
    'invoice-INV-2023-000001',
    'invoice-INV-2021-000001',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 5 invoices' }));
  expect(list.getAllByRole('listitem')).toHaveLength(5);
});
