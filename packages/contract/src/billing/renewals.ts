import * as z from 'zod/mini';
import { endpoint, group, member, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { bookPermissions } from '../staff-permissions.ts';
import { StaffAccountBilling } from './billing.ts';

/** How many days before the end of the term quotes and advance invoices are available. */

export const RenewalQuote = z.object({
  /** `QUO-2026-000001` */
  number: z.string(),
  issuedOn: z.iso.date(),
  validUntil: z.iso.date(),
  currency: z.string(),
  total: z.string(),
  /** Holdings have changed since, so the invoice will differ. */
  outdated: z.boolean(),
});
export type RenewalQuote = z.infer<typeof RenewalQuote>;

/** Quotes and the advance invoice for the next renewal. */
export const AdvanceRenewal = z.object({
  /** The last day of the present term; null where none ends or it is not billed. */
  termEnd: z.nullable(z.iso.date()),
  /** The first day on which a quote or the invoice can be requested; null if `termEnd` is null. */
  opensOn: z.nullable(z.iso.date()),
  /** The period is open and no invoice was issued or requested. */
  open: z.boolean(),
  /** The day the invoice was asked for; the clock of memberships issues it within the hour. */
  invoiceAskedOn: z.nullable(z.iso.date()),
  /** The price that the renewal has today, tax included, by what the account holds now; null if `termEnd` is null, or its fees are not announced. */
  estimate: z.nullable(z.object({ currency: z.string(), total: z.string() })),
  /** Quotes for this renewal, the newest first. */
  quotes: z.array(RenewalQuote),
});
export type AdvanceRenewal = z.infer<typeof AdvanceRenewal>;

export const renewals = group('billing.renewals', {
  getRenewal: endpoint({
    method: 'GET',
    path: '/api/:account/billing/renewal',
    publicApi: { path: '/billing/renewal', scope: 'billing:read' },
    summary: 'Quotes for the coming renewal, and whether its invoice can be asked for in advance.',
    access: member('member-billing-view', { staff: bookPermissions }),
    flag: 'renewalquote',
    answer: AdvanceRenewal,
  }),
  askForQuote: endpoint({
    method: 'POST',
    path: '/api/:account/billing/renewal/quotes',
    summary: 'A quote for the coming renewal from what the account holds today.',
    access: member('advanced-invoice-update'),
    effect: 'drafts',
    flag: 'renewalquote',
    answer: AdvanceRenewal,
    errors: ['RENEWAL_NOT_OPEN', 'TOO_MANY_QUOTES'],
    activity: 'Requested a renewal quote',
  }),
  downloadQuote: endpoint({
    method: 'GET',
    path: '/api/:account/billing/renewal/quotes/:quoteNumber',
    publicApi: { path: '/billing/renewal/quotes/:quoteNumber', scope: 'billing:read' },
    summary: 'A quote as a PDF; the same file every time.',
    access: member('member-billing-view'),
    flag: 'renewalquote',
    answer: 'download',
    downloads: ['pdf'],
    errors: ['NOT_FOUND'],
  }),
  askForInvoice: endpoint({
    method: 'POST',
    path: '/api/:account/billing/renewal/invoice',
    summary: 'Ask for the invoice of the coming renewal now. It counts what the account holds today; when it is due stays.',
    access: member('advanced-invoice-update'),
    effect: 'money',
    limit: { none: 'the invoice is the one of the renewal, and due when that would be' },
    flag: 'renewalquote',
    answer: AdvanceRenewal,
    errors: ['RENEWAL_NOT_OPEN'],
    activity: 'Requested an invoice in advance',
  }),
  billAgain: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/renewal/again',
    summary: 'Bill a term again of which the invoice was cancelled. The invoice is issued within a minute.',
    access: staff('billing'),
    effect: 'money',
    limit: { none: 'it charges, and gives nothing' },
    body: z.object({ reason: severalLines(500, 1) }),
    answer: StaffAccountBilling,
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'RENEWAL_NOT_OPEN'],
    activity: 'Let a cancelled renewal be billed again',
  }),
});
