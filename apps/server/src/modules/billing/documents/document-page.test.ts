import { expect, test } from 'vitest';
import { readProfile } from '../../../profile.ts';
import type { InvoiceContent } from '../invoices/invoice-content.ts';
import { invoicePdf } from '../invoices/invoice-pdf.ts';

const invoice = (lines: number): InvoiceContent => ({
  number: 'INV-2026-000123',
  year: 2026,
  sequence: 123,
  kind: 'renewal',
  accountName: 'EXAMPLE-AU',
  issuedOn: '2026-11-21',
  dueOn: '2026-12-20',
  periodFrom: '2026-11-21',
  periodTo: '2027-11-20',
  currency: 'AUD',
  orgName: 'Example Networks Pty Ltd',
  economy: 'AU',
  billingAddress: ['1 Long Street', 'Brisbane QLD 4000'],
  attention: 'Bill Payer',
  taxNumber: '',
  poNumber: '',
  feeScheduleId: '2026',
  ipv4: '1024',
  ipv6: '0',
  asns: 0,
  lines: Array.from({ length: lines }, (_, i) => ({ description: `Line ${i + 1}`, quantity: 1, unitPrice: '12.34', amount: '12.34' })),
  subtotal: '12.34',
  taxRate: null,
  tax: '0.00',
  total: '12.34',
  credit: '0.00',
});

test.each([
  [1, 1],
  [13, 2],
  [60, 3],
])('an invoice of %d lines takes as many pages as it needs: %d', async (lines, pages) => {
  const print = async () =>
    Buffer.from(await invoicePdf({ invoice: invoice(lines), profile: readProfile(''), fonts: [] })).toString('latin1');
  const pdf = await print();
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(pages);
  expect(await print()).toBe(pdf);
});
