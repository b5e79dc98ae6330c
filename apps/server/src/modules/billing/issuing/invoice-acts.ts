import { bookPermissions, type Download, holdsOneOf } from '@portal/contract';
import type { billing, StaffInvoice } from '@portal/contract/billing/billing';
import { daysAfter } from '@portal/contract/days';
import type { FileAddress } from '@portal/contract/documents/documents';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Act, CaseAct } from '../../../platform/http/endpoints.ts';
import type { Secrets } from '../../../platform/secret-box.ts';
import { activeContacts, refuseOwnAccount } from '../../accounts/index.ts';
import { fileAddress } from '../../documents/index.ts';
import { notifyPayersAndBillingAddress } from '../billing-notices.ts';
import { countAct, wholeUnits } from '../limits/limited-acts.ts';
import { moreDays } from '../limits/more-days.ts';
import { issueCreditNote } from './corrections.ts';
import { eInvoiceDownload } from '../invoices/e-invoices.ts';
import { forStaff, type InvoiceRow, invoiceById, invoiceByNumber, lockInvoice, whySettled } from '../invoices/invoices.ts';
import { type Printing, storedInvoice } from '../invoices/stored-invoice.ts';
import { billingTexts } from '../mail-texts.ts';

/** Maximum extension from today, in days. */
const LONGEST_EXTENSION = 366;

/** Locks an invoice with something left to pay, for staff. @throws Failure NOT_FOUND, OWN_REQUEST, INVOICE_SETTLED */
async function lockOpen(change: Change, number: string, caller: Caller): Promise<InvoiceRow> {
  const invoice = await lockInvoice(change, number);
  await refuseOwnAccount(change, invoice.accountName, caller);
  await change.concerns(invoice.accountName);
  const settled = whySettled(invoice);
  if (settled !== null) throw refuse('INVOICE_SETTLED', { number, why: settled });
  refuseOfCase(invoice);
  return invoice;
}

/** @throws Failure INVOICE_SETTLED for the fee of a case, which ends with it */
function refuseOfCase({ kind, number }: InvoiceRow): void {
  if (kind === 'transfer') throw refuse('INVOICE_SETTLED', { number, why: 'it’s the fee of a transfer and ends with its request' });
  if (kind === 'reactivation') throw refuse('INVOICE_SETTLED', { number, why: 'it’s the fee of a reactivation and ends with it' });
}

/** Gives more time. @throws SecondPersonNeeded @throws Failure NOT_FOUND, OWN_REQUEST, INVOICE_SETTLED, INVALID_REQUEST */
export async function extendInvoice({
  change,
  caller,
  params: { invoiceNumber: number },
  body: { until, reason },
  hasSecondPerson,
  registry,
}: Act<typeof billing.extendInvoice>): Promise<StaffInvoice> {
  const { today } = registry;
  const { accountName, accountStatus, extendedUntil } = await lockOpen(change, number, caller);
  if (accountStatus === 'closed') throw refuse('INVOICE_SETTLED', { number, why: 'its account is closed' });
  if (until <= today) throw refuseField('until', `Choose a date after today, ${today}`);
  if (until > daysAfter(today, LONGEST_EXTENSION)) throw refuseField('until', 'Choose a date within a year');
  const days = moreDays({ today, until, extendedUntil });
  await countAct(change, { limit: 'time', accountName, amount: wholeUnits(days), caller, hasSecondPerson, registry });
  await change.updateTable('invoice').set({ extendedUntil: until }).where('number', '=', number).execute();
  await change.note({ invoice: number, before: { extendedUntil }, after: { extendedUntil: until }, reason });
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    text: billingTexts.written('moreTimeToPay', {
      accountName,
      invoice: number,
      until: dayInFull(until),
      outcome: accountStatus === 'suspended' ? 'not closed for it, but stays suspended until it’s paid' : 'not suspended or closed for it',
      reason,
    }),
  });
  return forStaff(await invoiceByNumber(change, number), today);
}

/** Cancels an unpaid invoice with a credit note; its number stays taken. @throws Failure INVOICE_SETTLED @throws SecondPersonNeeded */
export async function cancelInvoice({
  change,
  caller,
  row: invoice,
  body: { reason },
  hasSecondPerson,
  registry,
}: CaseAct<typeof billing.cancelInvoice, InvoiceRow>): Promise<StaffInvoice> {
  refuseOfCase(invoice);
  if (invoice.payments.length > 0)
    throw refuse('INVOICE_SETTLED', { number: invoice.number, why: `${invoice.paid} was already paid for it` });
  return issueCreditNote({ change, caller, row: invoice, body: { amount: null, reason }, hasSecondPerson, registry });
}

const fileNameOf = ({ number }: InvoiceRow): string => `${number}.pdf`;

async function open(change: Change, secrets: Secrets, { loginId }: Caller, row: InvoiceRow): Promise<FileAddress> {
  await change.note({ invoice: row.number, sha256: row.sha256 });
  return {
    ...fileAddress(secrets, { what: 'invoice', id: String(row.invoiceId) }, loginId, new Date(change.now)),
    fileName: fileNameOf(row),
  };
}

/** Returns the address at which a contact can fetch an invoice of the account. @throws Failure NOT_FOUND */
export async function openInvoice({
  change,
  account: { accountName },
  caller,
  params: { invoiceNumber: number },
  registry: { config: secrets },
}: Act<typeof billing.openInvoice>): Promise<FileAddress> {
  const row = await invoiceByNumber(change, number);
  if (row.accountName !== accountName) throw refuse('NOT_FOUND', { what: `Invoice ${number}` });
  return open(change, secrets, caller, row);
}

/** Returns the address at which registry staff can fetch any invoice, including those of closed accounts. @throws Failure NOT_FOUND */
export async function openStaffInvoice({
  change,
  caller,
  params: { invoiceNumber: number },
  registry: { config: secrets },
}: Act<typeof billing.openStaffInvoice>): Promise<FileAddress> {
  const row = await invoiceByNumber(change, number);
  await change.concerns(row.accountName);
  return open(change, secrets, caller, row);
}

/** Returns the address at which registry staff can fetch the e-invoice of any invoice or credit note. @throws Failure NOT_FOUND */
export async function openStaffEInvoice({
  change,
  caller: { loginId },
  params: { documentNumber: number },
  registry: { config: secrets },
}: Act<typeof billing.openStaffEInvoice>): Promise<FileAddress> {
  const { fileName } = await eInvoiceDownload(change, number);
  const [of] = await change.rows<{ accountName: string; invoice: string }>(
    sql`select i.account_name, i.number as invoice from e_invoice e join invoice i using (invoice_id) where e.number = ${number}`,
  );
  await change.concerns(of!.accountName);
  await change.note({ invoice: of!.invoice, eInvoice: number });
  return { ...fileAddress(secrets, { what: 'e-invoice', id: number.replaceAll('-', '') }, loginId, new Date(change.now)), fileName };
}

/** Returns an e-invoice as issued, by its number without dashes, to registry staff who may see it now. @throws Failure NOT_FOUND */
export async function staffEInvoiceFile(read: Read, caller: Caller, id: string): Promise<Download> {
  if (!seesBooks(caller)) throw refuse('NOT_FOUND', { what: 'The file' });
  return eInvoiceDownload(read, id.replace(/^(INV|CN)(\d{4})/, '$1-$2-'));
}

/** Returns the PDF of an invoice as issued, if the person may see it now. @throws Failure NOT_FOUND */
export async function invoiceFile(read: Read, printing: Printing, caller: Caller, invoiceId: string): Promise<Download> {
  const row = await invoiceById(read, invoiceId);
  if (!row || !(await maySee(read, caller, row))) throw refuse('NOT_FOUND', { what: 'The file' });
  return invoiceDownload(read, printing, row);
}

/** Returns the PDF of an invoice as issued. @throws Failure INVOICE_FILE_LOST */
export async function invoiceDownload(read: Read, printing: Printing, row: InvoiceRow): Promise<Download> {
  const [chunks, { bytes }] = await Promise.all([
    storedInvoice(read, printing, row),
    read.selectFrom('storedFile').select('bytes').where('sha256', '=', row.sha256).executeTakeFirstOrThrow(),
  ]);
  return { fileName: fileNameOf(row), contentType: 'application/pdf', chunks, bytes };
}

const seesBooks = ({ staff, staffPermissions, mfa }: Caller): boolean =>
  staff && mfa && holdsOneOf(staffPermissions, bookPermissions, true);

async function maySee(read: Read, caller: Caller, { accountName }: InvoiceRow): Promise<boolean> {
  if (seesBooks(caller)) return true;
  const contacts = await activeContacts(read, accountName, { permission: 'member-billing-view' });
  return contacts.some(contact => contact.loginId === caller.loginId);
}
