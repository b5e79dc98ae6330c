import { PageFrame } from '@portal/app-kit';
import type { AccountBilling, Invoice } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { render, cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { anAccount, aRouter, aSession, show } from '@portal/app-kit/testing';
import { sumsPerTerm, TermSums } from './TermSums.tsx';
import BillingPage from './BillingPage.tsx';

const invoice = (given: Partial<Invoice>): Invoice => ({
  number: 'INV-2026-000007',
  orgName: 'Example Networks Pty Ltd',
  issuedOn: '2026-10-18',
  dueOn: '2026-11-16',
  kind: 'renewal',
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
  paymentReference: 'RF29INV2026000007',
  credited: '0.00',
  payments: [],
  creditNotes: [],
  ...given,
});

/** Opens the page, and returns what it asks the server: the endpoint and the query of each call. */
function open(given: Partial<AccountBilling>, query = ''): [string, unknown][] {
  const sent: [string, unknown][] = [];
  const data: AccountBilling = {
    today: '2026-11-17',
    ahead: [],
    lost: [],
    reactivation: null,
    reactivationMonths: 3,
    rpkiSuspensionDays: 0,
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
    invoices: [],
    currency: 'AUD',
    credit: '0.00',
    refunds: [],
    accountStatus: 'open',
    expiryDate: '2026-10-17',
    feesMissing: null,
    calendar: { invoiceDays: 1, dueDays: 30 },
    renews: true,
    payOnline: null,
    paymentInstructions: ['By bank transfer'],
    payCodes: [],
    eInvoices: [],
    ...given,
  };
  show(
    <PageFrame page={pages.billing}>
      <BillingPage />
    </PageFrame>,
    {
      router: aRouter(`/member-account-settings/billing${query}`),
      session: aSession({ account: anAccount({ permissions: ['member-billing-view'], features: [] }) }),
      answer: ({ endpoint, input }) => {
        sent.push([endpoint, (input as { query?: unknown }).query]);
        // A refusal: nothing is saved in a test.
        return endpoint.endsWith('downloadInvoices') ? { status: 404, errors: [] } : { status: 200, data };
      },
    },
  );
  return sent;
}

it('a suspended account sees the unpaid amount, how to pay, and what happens then', async () => {
  open({ accountStatus: 'suspended', invoices: [invoice({})] });
  expect(await screen.findByText('EXAMPLE-AU is suspended.')).toBeTruthy();
  expect(screen.getAllByText('Overdue (1 day)')).toHaveLength(2);
  expect(screen.getByText('AUD 11 070.08 for INV-2026-000007')).toBeTruthy();
  expect(screen.getByText('RF29INV2026000007')).toBeTruthy();
  expect(screen.getByText(/renews for one year when INV-2026-000007 is paid/)).toBeTruthy();
});

it.each(['Pacific/Apia', 'Pacific/Pago_Pago', 'America/St_Johns', 'Europe/Berlin'])(
  'days are those of the registry for a reader in %s, also where clocks change that night',
  async zone => {
    const before = process.env['TZ'];
    process.env['TZ'] = zone;
    try {
      // Clocks go back in St John’s on 1 November 2026, and forward in Berlin on 29 March 2026.
      open({
        expiryDate: '2026-03-28',
        invoices: [invoice({ issuedOn: '2026-03-29', dueOn: '2026-11-01', periodFrom: '2026-03-29', periodTo: '2027-03-28' })],
      });
      expect((await screen.findAllByText('1 Nov 2026')).length).toBeGreaterThan(0);
      expect(screen.getAllByText('29 Mar 2026').length).toBeGreaterThan(0);
      expect(screen.getAllByText('28 Mar 2027').length).toBeGreaterThan(0);
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  },
);

it('an account that has paid sees when the next invoice comes and what credit it uses, and nothing about paying', async () => {
  open({ expiryDate: '2027-10-17', credit: '50.00', invoices: [invoice({ state: 'paid', balance: '0.00', overdueDays: 0 })] });
  expect(await screen.findByText(/the renewal invoice is issued the day after/)).toBeTruthy();
  expect(screen.getByText(/a credit of AUD 50.00/)).toBeTruthy();
  expect(screen.queryByText('How to pay')).toBe(null);
});

it('an account that isn’t billed reads of no coming invoice', async () => {
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

it('a long list of invoices is filtered by words, status and year, and says when nothing matches', async () => {
  const paid = { state: 'paid', balance: '0.00', overdueDays: 0 } as const;
  const past = ['2025', '2024', '2023'].map(year => invoice({ ...paid, number: `INV-${year}-000001`, issuedOn: `${year}-10-18` }));
  open({ invoices: [invoice({}), ...past] }, '?year=2024');
  expect(await screen.findByRole('link', { name: 'INV-2024-000001' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'INV-2025-000001' })).toBe(null);
  fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'overdue' } });
  expect(await screen.findByText('No invoice of EXAMPLE-AU matches these filters.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Clear the filters' }));
  expect(await screen.findByRole('link', { name: 'INV-2023-000001' })).toBeTruthy();
});

it('an address with an invoice of another account says that there is none', async () => {
  open({ invoices: [invoice({})] }, '?invoice=INV-1999-000001');
  expect(await screen.findByText('There is no invoice INV-1999-000001 in EXAMPLE-AU.')).toBeTruthy();
});

it('shows what ends on which day if nothing is paid, with a way to ask for more time', async () => {
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
  expect(screen.getByText(/votes stop, and its ROAs are no longer published/)).toBeTruthy();
  expect(screen.getByText('INV-2026-000007 is due. Afterwards the account can’t vote in elections until it’s paid.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy the reference RF29INV2026000007' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ask for more time' }).getAttribute('href')).toContain('about=INV-2026-000007');
  const picture = screen.getByRole('img', { name: /Today is 17 Nov 2026/ });
  expect(picture.getAttribute('aria-label')).toContain(
    '16 Nov 2026: Due AUD\u00a011\u00a0070.08. 20 Nov 2026: Suspended. 20 Dec 2026: Closes',
  );
});

it('sums charges per term without cancelled invoices, and what is still to pay of them', () => {
  const of = (periodTo: string, total: string, more: Partial<Invoice> = {}) =>
    invoice({ periodTo, total, balance: '0.00', credited: '0.00', state: 'paid', number: periodTo, payments: [], ...more });
  expect(
    sumsPerTerm([
      of('2027-10-17', '100.00', { issuedOn: '2026-10-18', state: 'partly-paid', balance: '30.00' }),
      of('2026-10-17', '80.10', { issuedOn: '2025-10-18' }),
      of('2026-10-17', '0.20', { credited: '0.10', kind: 'transfer', issuedOn: '2026-02-01' }),
      of('2026-10-17', '5.00', { state: 'cancelled' }),
    ]),
  ).toEqual([
    { term: '2026', from: '2026', charged: 80.2, open: 0, currency: 'AUD' },
    { term: '2027', from: '2026', charged: 100, open: 30, currency: 'AUD' },
  ]);
});

it('the chart names a term by the years it lasts, with whole amounts as the page writes them', () => {
  const terms = sumsPerTerm([invoice({ state: 'paid', balance: '0.00', total: '5820.78' })]);
  render(<TermSums terms={terms} next={{ term: '2028', from: '2027', total: 6204.4 }} />);
  expect(screen.getByRole('img', { name: /^Term 2026\/27: AUD\s5\s820\.78, paid\.$/ })).toBeTruthy();
  for (const words of ['2026/27', '2027/28', '5\u00a0821', '6\u00a0204'])
    expect(screen.getByText(words, { normalizer: text => text })).toBeTruthy();
});

it('the page begins with the next amount: of the open invoice, else the estimate of the renewal', async () => {
  open({ invoices: [invoice({})] });
  expect(await screen.findByRole('region', { name: 'Next payment' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Next amount' })).toBeNull();
});

it('ticked invoices are downloaded as one file; a single invoice has no checkbox', async () => {
  const past = ['2025', '2024'].map(year => invoice({ state: 'paid', number: `INV-${year}-000001`, issuedOn: `${year}-10-18` }));
  const sent = open({ invoices: [invoice({}), ...past] });
  await userEvent.click(await screen.findByRole('checkbox', { name: /INV-2025-000001/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Download PDFs (ZIP)' }));
  expect(sent).toContainEqual(['billing.invoiceDocuments.downloadInvoices', { numbers: 'INV-2025-000001' }]);
  await userEvent.click(screen.getByRole('checkbox', { name: /INV-2024-000001/ }));
  await userEvent.click(screen.getByRole('checkbox', { name: /INV-2026-000007/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Download PDFs (ZIP)' }));
  expect(sent.at(-1)).toEqual(['billing.invoiceDocuments.downloadInvoices', {}]);
  cleanup();
  open({ invoices: [invoice({})] });
  expect(await screen.findByRole('link', { name: 'INV-2026-000007' })).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBe(null);
});

it('an invoice shows what was received and credited, each with its document, and a refund of credit', async () => {
  open(
    {
      refunds: [{ refundedOn: '2026-11-02', currency: 'AUD', amount: '20.00', reference: 'BACK-1', reason: 'Paid twice' }],
      invoices: [
        invoice({
          credited: '110.00',
          payments: [
            {
              receipt: 'REC-2026-000007-1',
              method: 'bank transfer',
              amount: '1000.00',
              receivedOn: '2026-10-20',
              reference: 'TR-881',
              reversed: null,
            },
          ],
          creditNotes: [{ number: 'CN-2026-000001', issuedOn: '2026-10-21', total: '110.00', reason: 'One AS number too many' }],
        }),
      ],
    },
    '?invoice=INV-2026-000007',
  );
  const drawer = within(await screen.findByRole('dialog'));
  expect(drawer.getByText('Credited')).toBeTruthy();
  expect(drawer.getByText('One AS number too many')).toBeTruthy();
  expect(drawer.getByLabelText('PDF of receipt REC-2026-000007-1')).toBeTruthy();
  expect(drawer.getByLabelText('PDF of credit note CN-2026-000001')).toBeTruthy();
  expect(screen.getByText(/of credit was paid back on/)).toBeTruthy();
});

it('billing details show the tax residence, the tax charged, and whether a certificate is on file', async () => {
  const details = {
    version: 1,
    orgName: 'Example Networks Pty Ltd',
    registrationNumber: 'ABN 12',
    billingAddress: [],
    billingEmail: '',
    poNumber: '',
    taxResidency: 'AU',
    tax: { name: 'GST', rate: '0.1000' },
    taxDocument: { addedOn: '2026-03-03', validUntil: '2027-03-03' },
    eInvoicesLack: 'an ABN of 11 digits',
  };
  open({ details });
  expect(await screen.findByText(/10 % GST is charged/)).toBeTruthy();
  expect(screen.getByText('None: the registration number isn’t an ABN of 11 digits')).toBeTruthy();
  expect(screen.getByText('3 Mar 2027')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'On file' }).getAttribute('href')).toContain('/documents');
});

it('without a certificate the billing details lead to the documents', async () => {
  const details = {
    version: 1,
    orgName: 'Example Networks',
    registrationNumber: '',
    billingAddress: [],
    billingEmail: '',
    poNumber: '',
    taxResidency: 'NZ',
    tax: { name: 'GST', rate: null },
    taxDocument: null,
    eInvoicesLack: null,
  };
  open({ details });
  expect(await screen.findByText(/GST isn’t charged/)).toBeTruthy();
  expect(screen.getByText('None on file.')).toBeTruthy();
});
