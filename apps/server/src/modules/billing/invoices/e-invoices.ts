import type { Download } from '@portal/contract';
import { isOfTerm } from '@portal/contract/billing/billing';
import type { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { electronicAddress, formInWords } from '../../../platform/electronic-address.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed } from '../../accounts/index.ts';
import { type EInvoicePayer, eInvoice } from '../documents/e-invoice.ts';
import type { InvoiceContent } from './invoice-content.ts';
import { creditorReference } from './payment-references.ts';
import { contentOf } from './stored-invoice.ts';

type Payer = Pick<InvoiceContent, 'economy' | 'taxNumber'>;
type Asking = Pick<Profile, 'eInvoices'>;

const rowOf = (economy: string | null, { eInvoices }: Asking) => eInvoices.find(each => each.economy === economy);

/**
 * Returns the electronic address of a payer: its registration number, in the scheme that the profile has for its economy. Null where the profile has none, or the number isn't exactly
 * one of the scheme: there are no e-invoices for it.
 */
export function electronicAddressOf({ economy, taxNumber }: Payer, profile: Asking): string | null {
  const row = rowOf(economy, profile);
  return row ? electronicAddress(row.scheme, taxNumber) : null;
}

/** Returns why a payer of an economy that has e-invoices gets none, as a form of its number such as `an ABN of 11 digits`; null where it gets them, or its economy has none. */
export function eInvoicesLack(payer: Payer, profile: Asking): string | null {
  const row = rowOf(payer.economy, profile);
  return row && electronicAddressOf(payer, profile) === null ? formInWords(row.scheme) : null;
}

/** Returns the category of tax on what isn’t taxed, and its reason: of the first row of the profile that fits the payer, or else what it says for all. */
export function untaxedOf(
  { economy, isMember }: { economy: string | null; isMember: boolean },
  { eInvoiceUntaxed, eInvoiceSeller }: Pick<Profile, 'eInvoiceUntaxed' | 'eInvoiceSeller'>,
): Pick<Profile['eInvoiceSeller'], 'untaxedCategory' | 'untaxedReason'> {
  const customers = isMember ? 'members' : 'non-members';
  const row = eInvoiceUntaxed.find(
    each => (each.economy === '' || each.economy === economy) && (each.customers === 'all' || each.customers === customers),
  );
  return row ? { untaxedCategory: row.category, untaxedReason: row.reason } : eInvoiceSeller;
}

const payerOf = (invoice: InvoiceContent, to: string): EInvoicePayer => {
  const { orgName, economy, billingAddress, attention, taxNumber, accountName } = invoice;
  return { orgName, economy: economy!, billingAddress, attention, taxNumber, accountName, electronicAddress: to };
};

/** Writes the e-invoice of an invoice in the change that issues it, if its payer gets them. */
export async function keepEInvoice(change: Change, invoiceId: number, invoice: InvoiceContent, profile: Profile): Promise<void> {
  const to = electronicAddressOf(invoice, profile);
  if (to === null) return;
  const { number, issuedOn, dueOn, periodFrom, periodTo, poNumber, currency, taxRate, subtotal, tax, total, credit, lines } = invoice;
  const period = isOfTerm(invoice) ? { from: periodFrom, to: periodTo } : null;
  const reference = creditorReference(number);
  const sums = { currency, taxRate, subtotal, tax, total, credit };
  const { accountType } = await accountNamed(change, invoice.accountName);
  const untaxed = untaxedOf({ economy: invoice.economy, isMember: accountType !== 'non member' }, profile);
  const xml = eInvoice(
    { kind: 'invoice', number, issuedOn, dueOn, period, poNumber, reference, ...sums, payer: payerOf(invoice, to), lines },
    { ...profile, eInvoiceSeller: { ...profile.eInvoiceSeller, ...untaxed } },
  );
  const { untaxedCategory, untaxedReason } = untaxed;
  await change.insertInto('eInvoice').values({ number, invoiceId, electronicAddress: to, untaxedCategory, untaxedReason, xml }).execute();
}

type Note = { number: string; issuedOn: string; subtotal: string; tax: string; total: string; reason: string };

/** Writes the e-invoice of a credit note in the change that issues it, if its invoice has one: to the same address, with the same category of tax. */
export async function keepCreditEInvoice(change: Change, invoiceNumber: string, note: Note, profile: Profile): Promise<void> {
  const of = await change.selectFrom('eInvoice').selectAll().where('number', '=', invoiceNumber).executeTakeFirst();
  if (!of) return;
  const invoice = (await contentOf(change, invoiceNumber))!;
  const { currency, taxRate, issuedOn: invoiceIssuedOn } = invoice;
  const { invoiceId, electronicAddress: to, untaxedCategory, untaxedReason } = of;
  const lines = [{ description: `Credit for ${invoiceNumber}`, quantity: 1, unitPrice: note.subtotal, amount: note.subtotal }];
  const payer = payerOf(invoice, to);
  const xml = eInvoice(
    { kind: 'credit-note', ...note, currency, taxRate, payer, lines, invoiceNumber, invoiceIssuedOn },
    { ...profile, eInvoiceSeller: { ...profile.eInvoiceSeller, untaxedCategory: untaxedCategory as 'O', untaxedReason } },
  );
  await change
    .insertInto('eInvoice')
    .values({ number: note.number, invoiceId, electronicAddress: to, untaxedCategory, untaxedReason, xml })
    .execute();
}

const xmlOf = async (read: Read, number: string): Promise<string | undefined> =>
  (await read.selectFrom('eInvoice').select('xml').where('number', '=', number).executeTakeFirst())?.xml;

/** Returns which of the invoices of an account have an e-invoice. */
export async function numbersWithEInvoice(read: Read, accountName: string): Promise<Set<string>> {
  const rows = await read.rows<{ number: string }>(
    sql`select e.number from e_invoice e join invoice i using (invoice_id, number) where i.account_name = ${accountName}`,
  );
  return new Set(rows.map(({ number }) => number));
}

/** Returns the e-invoice of an invoice or a credit note as bytes, for the mail that issues it; null where it has none. */
export async function eInvoiceFile(read: Read, number: string): Promise<{ fileName: string; content: Uint8Array } | null> {
  const xml = await xmlOf(read, number);
  return xml === undefined ? null : { fileName: `${number}.xml`, content: Buffer.from(xml) };
}

/** Returns the e-invoice of an invoice or a credit note, as it was issued. @throws Failure NOT_FOUND */
export async function downloadEInvoice({
  read,
  account: { accountName },
  params: { documentNumber: number },
}: Act<typeof invoiceDocuments.downloadEInvoice>): Promise<Download> {
  const [document] = await read.rows(sql`
    select from invoice where account_name = ${accountName} and number = ${number} union all select from credit_note where account_name = ${accountName} and number = ${number}`);
  if (!document) throw refuse('NOT_FOUND', { what: `Invoice or credit note ${number}` });
  return eInvoiceDownload(read, number);
}

/** Returns the e-invoice of any invoice or credit note. @throws Failure NOT_FOUND */
export async function eInvoiceDownload(read: Read, number: string): Promise<Download> {
  const file = await eInvoiceFile(read, number);
  if (!file) throw refuse('NOT_FOUND', { what: `An e-invoice of ${number}` });
  const { fileName, content } = file;
  return {
    fileName,
    contentType: 'application/xml',
    bytes: content.length,
    chunks: (async function* () {
      yield content;
    })(),
  };
}
