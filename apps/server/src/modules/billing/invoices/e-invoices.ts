import type { Download } from '@portal/contract';
import { isOfTerm } from '@portal/contract/billing/billing';
import type { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Profile } from '../../../profile.ts';
import { type EInvoiceContent, type EInvoicePayer, eInvoice } from '../documents/e-invoice.ts';
import type { InvoiceContent } from './invoice-content.ts';
import { creditorReference } from './payment-references.ts';
import { contentOf } from './stored-invoice.ts';

type Payer = Pick<InvoiceContent, 'economy' | 'taxNumber'>;

/**
 * Returns the electronic address of a payer: its registration number, in the scheme that the profile has for its economy. Null where the profile has none, or the number has no
 * digits: there are no e-invoices for it.
 */
export function electronicAddressOf({ economy, taxNumber }: Payer, { eInvoices }: Pick<Profile, 'eInvoices'>): string | null {
  const of = eInvoices.find(each => each.economy === economy);
  const number = of?.digitsAlone ? taxNumber.replaceAll(/\D/g, '') : taxNumber.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return of && /\d/.test(number) ? `${of.scheme}:${number}` : null;
}

/** The payer of an issued invoice; null where it gets no e-invoices. */
function payerOf(invoice: InvoiceContent, profile: Profile): EInvoicePayer | null {
  const electronicAddress = electronicAddressOf(invoice, profile);
  if (electronicAddress === null || invoice.economy === null) return null;
  const { orgName, economy, billingAddress, attention, taxNumber, accountName } = invoice;
  return { orgName, economy, billingAddress, attention, taxNumber, accountName, electronicAddress };
}

type Note = { number: string; issuedOn: string; subtotal: string; tax: string; total: string; reason: string; invoiceNumber: string };

/** Returns an invoice or a credit note of an account, or of any; undefined where there is none, null where it is no e-invoice. */
async function eInvoiceOf(
  read: Read,
  number: string,
  accountName: string | null,
  profile: Profile,
): Promise<EInvoiceContent | null | undefined> {
  const [note] = await read.rows<Note>(sql`
    select n.number, n.issued_on::text, n.subtotal::text, n.tax::text, n.total::text, n.reason, i.number as invoice_number
    from credit_note n join invoice i using (invoice_id) where n.number = ${number}`);
  const invoice = await contentOf(read, note?.invoiceNumber ?? number);
  if (!invoice || (accountName !== null && invoice.accountName !== accountName)) return undefined;
  const payer = payerOf(invoice, profile);
  if (payer === null) return null;
  const { currency, taxRate, issuedOn } = invoice;
  if (note) {
    const { invoiceNumber, subtotal, ...rest } = note;
    const lines = [{ description: `Credit for ${invoiceNumber}`, quantity: 1, unitPrice: subtotal, amount: subtotal }];
    return { kind: 'credit-note', ...rest, subtotal, currency, taxRate, payer, lines, invoiceNumber, invoiceIssuedOn: issuedOn };
  }
  const { dueOn, periodFrom, periodTo, poNumber, subtotal, tax, total, credit, lines } = invoice;
  return {
    kind: 'invoice',
    number,
    issuedOn,
    dueOn,
    period: isOfTerm(invoice) ? { from: periodFrom, to: periodTo } : null,
    poNumber,
    reference: creditorReference(number),
    credit,
    currency,
    taxRate,
    subtotal,
    tax,
    total,
    payer,
    lines,
  };
}

/** Returns the e-invoice of an invoice or a credit note as bytes, for a mail about it; null where it has none. */
export async function eInvoiceFile(
  read: Read,
  number: string,
  profile: Profile,
): Promise<{ fileName: string; content: Uint8Array } | null> {
  const content = await eInvoiceOf(read, number, null, profile);
  return content ? { fileName: `${number}.xml`, content: Buffer.from(eInvoice(content, profile)) } : null;
}

/** Returns an invoice or a credit note as an e-invoice, written from rows that never change. @throws Failure NOT_FOUND */
export async function downloadEInvoice({
  read,
  account: { accountName },
  params: { documentNumber: number },
  registry: { profile },
}: Act<typeof invoiceDocuments.downloadEInvoice>): Promise<Download> {
  const content = await eInvoiceOf(read, number, accountName, profile);
  if (!content) throw refuse('NOT_FOUND', { what: content === null ? `An e-invoice of ${number}` : `Invoice or credit note ${number}` });
  const bytes = Buffer.from(eInvoice(content, profile));
  return {
    fileName: `${number}.xml`,
    contentType: 'application/xml',
    bytes: bytes.length,
    chunks: (async function* () {
      yield bytes;
    })(),
  };
}
