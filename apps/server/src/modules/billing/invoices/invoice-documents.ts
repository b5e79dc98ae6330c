import type { Download } from '@portal/contract';
import type { billing } from '@portal/contract/billing/billing';
import type { corrections } from '@portal/contract/billing/corrections';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { payerNamed } from './invoice-content.ts';
import type { CreditNotePrint } from '../documents/credit-note-pdf.ts';
import { type BillingPrint, printInvoice } from './invoice-printer.ts';
import type { ReceiptPrint } from '../documents/receipt-pdf.ts';
import { statementLines } from './statement.ts';

/** The owner of a document: one account, or any for registry staff. */
type Whose = { accountName: string } | 'any';
const isOf = (whose: Whose) => (whose === 'any' ? sql`true` : sql`i.account_name = ${whose.accountName}`);
const recipient = sql`i.account_name, i.org_name, i.billing_address, i.attention, i.tax_number, i.number as invoice_number, i.currency`;

/** `REC-2026-000001-1` belongs to `INV-2026-000001`. */
const invoiceOfReceipt = (number: string): string => number.replace(/^REC-(.*)-\d+$/, 'INV-$1');

/** Returns a document as a download under its number. */
export async function saved(number: string, content: BillingPrint): Promise<Download> {
  const pdf = await printInvoice(content);
  return {
    fileName: `${number}.pdf`,
    contentType: 'application/pdf',
    bytes: pdf.length,
    chunks: (async function* () {
      yield pdf;
    })(),
  };
}

/** Returns a credit note as a PDF, generated from rows that never change. @throws Failure NOT_FOUND */
export async function downloadCreditNote({
  read,
  account: whose,
  params: { creditNoteNumber: number },
  registry: {
    profile,
    config: { certificateFonts: fonts },
  },
}: {
  read: Read;
  account: Whose;
  params: { creditNoteNumber: string };
  registry: Pick<Registry, 'profile'> & { config: Pick<Registry['config'], 'certificateFonts'> };
}): Promise<Download> {
  const [creditNote] = await read.rows<CreditNotePrint['creditNote']>(sql`
    select n.number, n.issued_on, n.subtotal::text, n.tax::text, n.total::text, n.reason, i.issued_on as invoice_issued_on, i.tax_rate::text, ${recipient}
    from credit_note n join invoice i using (invoice_id) where n.number = ${number} and ${isOf(whose)}`);
  if (!creditNote) throw refuse('NOT_FOUND', { what: `Credit note ${number}` });
  return saved(number, { creditNote, profile, fonts: [...fonts] });
}

/** Returns a credit note of any account, for registry staff. @throws Failure NOT_FOUND */
export const downloadStaffCreditNote = ({ read, params, registry }: Act<typeof corrections.downloadStaffCreditNote>): Promise<Download> =>
  downloadCreditNote({ read, account: 'any', params, registry });

/** Returns the receipt of a payment as a PDF, generated from rows that never change. @throws Failure NOT_FOUND */
export async function downloadReceipt({
  read,
  account: whose,
  params: { receiptNumber: number },
  registry: {
    profile,
    config: { certificateFonts: fonts },
  },
}: {
  read: Read;
  account: Whose;
  params: { receiptNumber: string };
  registry: Pick<Registry, 'profile'> & { config: Pick<Registry['config'], 'certificateFonts'> };
}): Promise<Download> {
  const [receipt] = await read.rows<ReceiptPrint['receipt']>(sql`
    select 'REC-' || substr(i.number, 5) || '-' || p.place as number, p.method, p.amount::text, p.received_on, p.reference, i.total::text as invoice_total, ${recipient}
    from invoice i join (select *, row_number() over (partition by invoice_id order by payment_id) as place from payment
      where invoice_id in (select invoice_id from invoice where number = ${invoiceOfReceipt(number)})) p using (invoice_id)
    where ${isOf(whose)} and 'REC-' || substr(i.number, 5) || '-' || p.place = ${number}`);
  if (!receipt) throw refuse('NOT_FOUND', { what: `Receipt ${number}` });
  return saved(number, { receipt, profile, fonts: [...fonts] });
}

/** The statement of an account as a PDF. @throws Failure INVALID_REQUEST when it ends before it begins */
export async function downloadStatement({
  read,
  account: { accountName },
  query: time,
  registry: {
    profile,
    config: { certificateFonts: fonts },
    today,
  },
}: Act<typeof billing.downloadStatement>): Promise<Download> {
  const { currency } = profile;
  const [lines, { attention, billingAddress, orgName, taxNumber }] = await Promise.all([
    statementLines(read, accountName, time, currency),
    payerNamed(read, accountName),
  ]);
  const payer = { accountName, attention, billingAddress, orgName, taxNumber };
  const statement = { ...payer, day: today, from: time.from ?? null, to: time.to ?? null, currency, lines };
  return saved(`statement-${accountName}`, { statement, profile, fonts: [...fonts] });
}
