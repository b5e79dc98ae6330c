import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';

/** A contact of the account who can be sent an invoice. */
const Colleague = z.object({ contactId: z.string(), fullName: z.string() });

/** The most invoices that one call names; of an account or a year any number is downloaded. */
export const maxNamedInvoices = 200;
const listed = new RegExp(`^INV-\\d{4}-\\d{6}(,INV-\\d{4}-\\d{6}){0,${maxNamedInvoices - 1}}$`);

export const invoiceDocuments = group('billing.invoiceDocuments', {
  listColleagues: endpoint({
    method: 'GET',
    path: '/api/:account/billing/colleagues',
    summary: 'The other active contacts of the account by name: those who can be sent invoices, credit notes and receipts.',
    access: member('member-billing-view', { closed: true }),
    answer: z.object({ rows: z.array(Colleague) }),
  }),
  downloadInvoices: endpoint({
    method: 'GET',
    path: '/api/:account/billing/invoices/zip',
    summary: 'Invoices of the account as PDFs in one ZIP file: those that are named, those of a year, or all.',
    access: member('member-billing-view', { closed: true }),
    query: z.object({
      /** The year they were issued in. */
      year: z.optional(z.string().check(z.regex(/^\d{4}$/, { error: 'Enter a year, such as 2026' }))),
      numbers: z.optional(
        z.string().check(
          z.regex(listed, {
            error: `Enter at most ${maxNamedInvoices} invoice numbers with commas between them, such as INV-2026-000001,INV-2026-000002`,
          }),
        ),
      ),
    }),
    answer: 'download',
    downloads: ['zip'],
    errors: ['NOT_FOUND'],
  }),
  downloadEInvoice: endpoint({
    method: 'GET',
    path: '/api/:account/billing/e-invoices/:documentNumber',
    publicApi: { path: '/billing/e-invoices/:documentNumber', scope: 'billing:read' },
    summary:
      'An invoice or a credit note as UBL by Peppol BIS Billing 3 (EN 16931), for accounting programs; the same file every time. Only of invoices that have one: see `eInvoices` of the billing.',
    access: member('member-billing-view', { closed: true }),
    answer: 'download',
    downloads: ['xml'],
    errors: ['NOT_FOUND'],
  }),
  sendDocument: endpoint({
    method: 'POST',
    path: '/api/:account/billing/documents/:documentNumber/send',
    summary: 'Send an invoice, a credit note or a receipt as a PDF by e-mail to a contact of the account.',
    access: member('member-billing-view', { closed: true }),
    effect: 'reading',
    body: z.object({
      contactId: z.uuid({ error: 'Choose a contact' }),
      /** Words for the recipient, above the registry's own. */
      note: severalLines(500),
    }),
    answer: z.object({ sentTo: z.string() }),
    errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
    activity: 'Sent an invoice to a colleague',
  }),
});
