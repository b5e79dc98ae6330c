import { invoiceLife } from './life.ts';
import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { bookPermissions } from '../staff-permissions.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { MoneyAmount, StaffAccountBilling, StaffInvoice } from './billing.ts';

const reason = severalLines(500, 1);
const staffErrors = ['NOT_FOUND', 'OWN_REQUEST'] as const;

export const corrections = group('billing.corrections', {
  issueCreditNote: endpoint({
    method: 'POST',
    path: '/api/staff/invoices/:invoiceNumber/credit-notes',
    summary:
      'Credit a part of an invoice, with the reason. What was paid beyond the rest becomes credit of the account; an invoice credited in full is cancelled.',
    moves: invoiceLife.credit,
    access: staff('billing'),
    effect: 'money',
    limit: 'given',
    body: z.object({ amount: MoneyAmount, reason }),
    answer: StaffInvoice,
    errors: [...staffErrors, 'INVOICE_SETTLED'],
    secondPersonWhen: 'more than one person may give',
    activity: 'Issued a credit note',
  }),
  writeOffInvoice: endpoint({
    method: 'POST',
    path: '/api/staff/invoices/:invoiceNumber/write-off',
    summary: 'Write off what is unpaid of an invoice of a closed account, with the reason.',
    moves: invoiceLife.writeOff,
    access: staff('write-offs'),
    effect: 'money',
    limit: 'given',
    body: z.object({ reason }),
    answer: StaffInvoice,
    errors: [...staffErrors, 'INVOICE_SETTLED'],
    secondPersonWhen: 'more than one person may give',
    activity: 'Wrote off an invoice',
  }),
  recordRefund: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/refunds',
    summary: 'Record that credit of an account was paid back by bank transfer.',
    access: staff('write-offs'),
    effect: 'money',
    limit: 'given',
    body: z.object({
      amount: MoneyAmount,
      refundedOn: calendarDay(),
      /** The bank's reference of the transfer; each is recorded once. */
      reference: oneLine(100, 1),
      reason,
    }),
    answer: StaffAccountBilling,
    errors: [...staffErrors, 'REFUND_RECORDED', 'PERIOD_CLOSED'],
    secondPersonWhen: 'more than one person may give',
    activity: 'Recorded a refund',
  }),
  downloadCreditNote: endpoint({
    method: 'GET',
    path: '/api/:account/billing/credit-notes/:creditNoteNumber',
    publicApi: { path: '/billing/credit-notes/:creditNoteNumber', scope: 'billing:read' },
    summary: 'A credit note as a PDF; the same file every time.',
    access: member('member-billing-view', { closed: true }),
    answer: 'download',
    downloads: ['pdf'],
    errors: ['NOT_FOUND'],
  }),
  downloadReceipt: endpoint({
    method: 'GET',
    path: '/api/:account/billing/receipts/:receiptNumber',
    publicApi: { path: '/billing/receipts/:receiptNumber', scope: 'billing:read' },
    summary: 'The receipt of a payment as a PDF; the same file every time.',
    access: member('member-billing-view', { closed: true }),
    answer: 'download',
    downloads: ['pdf'],
    errors: ['NOT_FOUND'],
  }),
  downloadStaffCreditNote: endpoint({
    method: 'GET',
    path: '/api/staff/credit-notes/:creditNoteNumber',
    summary: 'Any credit note as a PDF.',
    access: staff(bookPermissions),
    answer: 'download',
    downloads: ['pdf'],
    errors: ['NOT_FOUND'],
  }),
});
