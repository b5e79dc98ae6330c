import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { StaffInvoice } from './billing.ts';
import { invoiceLife } from './life.ts';

/** Why a recorded payment is reversed, with their labels. */
export const reversalKinds = {
  'wrong-invoice': 'It is for another invoice',
  bounced: 'The cheque or debit bounced',
  recalled: 'The payer’s bank recalled the transfer',
  chargeback: 'The card was charged back',
  'card-refund': 'It was refunded at the card provider',
} as const;
export type ReversalKind = keyof typeof reversalKinds;
/** Those, and that a transfer of a bank statement was matched with the wrong invoice: then all its payments are reversed. */
export const recordedReversalKinds = { ...reversalKinds, unmatched: 'The transfer was matched with the wrong invoice' } as const;
export type RecordedReversalKind = keyof typeof recordedReversalKinds;

/** Reports of the card provider that someone looks at, with their labels. */
export const providerReportKinds = {
  refunded: 'Refunded at the provider',
  disputed: 'Disputed by the payer',
  'dispute-won': 'Dispute won: the money stays',
  'dispute-lost': 'Dispute lost: the money went back',
  'wrong-currency': 'Paid in another currency than the invoice',
  'unknown-checkout': 'Paid for a checkout that isn’t known here',
  'ended-checkout': 'Paid when nothing was due any more',
} as const;
export type ProviderReportKind = keyof typeof providerReportKinds;

const ProviderReport = z.object({
  reportId: z.string(),
  kind: z.enum(Object.keys(providerReportKinds) as [ProviderReportKind, ...ProviderReportKind[]]),
  /** How the provider names the payment. */
  payment: z.string(),
  currency: z.string(),
  amount: z.string(),
  reportedAt: z.iso.datetime(),
  /** The invoice that it paid; null where it is not known. */
  invoice: z.nullable(z.object({ number: z.string(), accountName: z.string() })),
  /** The receipt of the payment, while it stands; null where it is not known, or was reversed. */
  receipt: z.nullable(z.string()),
});
export type ProviderReport = z.infer<typeof ProviderReport>;

export const reversals = group('billing.reversals', {
  reversePayment: endpoint({
    method: 'POST',
    path: '/api/staff/receipts/:receiptNumber/reversal',
    moves: invoiceLife.reverse,
    summary:
      'Reverse a recorded payment: its invoice is due again, and what it made credit is taken back. One that was put on the wrong invoice is recorded for another one in the same step.',
    access: staff('payments'),
    effect: 'money',
    limit: ['given', 'received', 'time'],
    body: z.object({
      kind: z.enum(Object.keys(reversalKinds) as [ReversalKind, ...ReversalKind[]]),
      reason: severalLines(500, 1),
      /** Of `wrong-invoice`: the right one. */
      moveTo: z.optional(
        z.string().check(z.trim(), z.regex(/^INV-\d{4}-\d{6}$/, { error: 'Enter an invoice number, such as INV-2026-000001' })),
      ),
    }),
    answer: StaffInvoice,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'PAYMENT_NOT_REVERSIBLE', 'INVOICE_NOT_PAYABLE'],
    secondPersonWhen: 'more money or time than one person may give',
    activity: 'Reversed a payment',
  }),
  listProviderReports: endpoint({
    method: 'GET',
    path: '/api/staff/provider-reports',
    summary: 'What the card provider reported and no one has dealt with yet, the oldest first.',
    access: staff(['payments', 'billing']),
    answer: z.object({ reports: z.array(ProviderReport) }),
  }),
  resolveProviderReport: endpoint({
    method: 'POST',
    path: '/api/staff/provider-reports/:reportId/resolve',
    summary:
      'Note what was done about a report of the card provider; it leaves the list. Money that went back and isn’t reversed here counts as given, money that came and isn’t recorded as received.',
    access: staff('payments'),
    effect: 'money',
    limit: ['given', 'received'],
    body: z.object({ note: severalLines(500, 1) }),
    answer: z.object({ reports: z.array(ProviderReport) }),
    errors: ['NOT_FOUND', 'OWN_REQUEST'],
    secondPersonWhen: 'more than one person may give or set aside',
    activity: 'Dealt with a report of the card provider',
  }),
});
