import { dayInFull } from '../../../platform/day-words.ts';
import { invoiceLife, payableStates } from '@portal/contract/billing/life';
import { canMove } from '@portal/contract/life';
import type { AccountBilling, billing, BillingDetails, Invoice, InvoiceState, StaffInvoice } from '@portal/contract/billing/billing';
import { daysAfter, daysBetween, yearsAfter } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { type Change, frequent, type Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed, lockAccount } from '../../accounts/index.ts';
import { type KeptFiles, taxDocumentOf } from '../../documents/index.ts';
import { updateOrganisation } from '../../organisations/index.ts';
import { checkoutProviderOf } from '../checkout-provider.ts';
import { announcedFor, billedTypes } from '../fees/fee-schedules.ts';
import { creditOf, refundsOf } from './credit.ts';
import { balanceOf } from './invoice-content.ts';
import { reactivationOf } from '../membership/open-reactivation.ts';
import { lostOnClosing } from '../membership/lost-on-closing.ts';
import { printCents } from '../money.ts';
import { eInvoicesLack, numbersWithEInvoice } from './e-invoices.ts';
import { payCode } from './pay-code.ts';
import { creditorReference } from './payment-references.ts';
import { stepsAhead, termOf } from '../membership/term.ts';

/** An invoice as the database has it. */
export type InvoiceRow = Omit<StaffInvoice, 'state' | 'balance' | 'overdueDays' | 'paymentReference'> & {
  invoiceId: number;
  state: 'issued' | 'partly-paid' | 'paid' | 'cancelled' | 'written-off';
  writtenOff: string;
  sha256: string;
  economy: string | null;
  taxNumber: string;
  accountStatus: string;
  /** Its closed account opens again when everything is paid. */
  reactivating: boolean;
};

/** The PDF of each invoice as issued, kept permanently. */
export const invoiceFiles: KeptFiles = {
  table: 'invoice',
  rows: sql`select sha256, 'invoice ' || number as whose, true as needed from invoice`,
};

const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<InvoiceRow> => sql<InvoiceRow>`
  select i.invoice_id, i.kind, i.number, i.org_name, i.account_name, i.issued_on, i.due_on, i.period_from, i.period_to, i.currency, i.subtotal::text, i.tax::text, i.total::text,
    i.paid::text, i.credited::text, i.written_off::text, i.state, i.paid_on, i.extended_until, i.po_number, coalesce(i.cancel_reason, i.write_off_reason) as cancel_reason, i.sha256, i.economy, i.tax_number, a.account_status,
    exists (select from reactivation r where r.account_name = i.account_name and r.completed_at is null and r.ended_at is null) as reactivating,
    coalesce((select json_agg(json_build_object('description', l.description, 'quantity', l.quantity, 'unitPrice', l.unit_price::text, 'amount', l.amount::text)
      order by l.position) from invoice_line l where l.invoice_id = i.invoice_id), '[]') as lines,
    coalesce((select json_agg(json_build_object('number', n.number, 'issuedOn', n.issued_on, 'total', n.total::text, 'reason', n.reason)
      order by n.credit_note_id) from credit_note n where n.invoice_id = i.invoice_id), '[]') as credit_notes,
    coalesce((select json_agg(json_build_object('receipt', 'REC-' || substr(i.number, 5) || '-' || p.place, 'method', p.method, 'amount', p.amount::text, 'receivedOn', p.received_on, 'reference', p.reference,
        'reversed', case when r.number is null then null else json_build_object('number', r.number, 'on', r.reversed_on, 'reason', r.reason) end,
        'recordedBy', s.full_name, 'recordedAt', to_char(p.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by p.payment_id)
      from (select *, row_number() over (order by payment_id) as place from payment where payment.invoice_id = i.invoice_id) p left join login s on s.login_id = p.recorded_by left join payment_reversal r using (payment_id)), '[]') as payments
  from invoice i join account a using (account_name) where ${where}`;

function stateOf({ state, dueOn }: InvoiceRow, today: string): InvoiceState {
  if (state === 'paid') return 'paid';
  if (state === 'cancelled') return 'cancelled';
  if (state === 'written-off') return 'written-off';
  if (today > dueOn) return 'overdue';
  return state === 'partly-paid' ? 'partly-paid' : 'unpaid';
}

/** Why nothing is left to pay of an invoice, so that it reads after its number; null while something is. */
export function whySettled({ state, paidOn }: Pick<InvoiceRow, 'state' | 'paidOn'>): string | null {
  if (canMove(invoiceLife.pay, state)) return null;
  return state === 'paid' ? `it was paid on ${dayInFull(paidOn!)}` : state === 'cancelled' ? 'it was cancelled' : 'it was written off';
}

/** Returns an invoice as registry staff see it. */
export function forStaff(invoice: InvoiceRow, today: string): StaffInvoice {
  const {
    invoiceId: _,
    sha256: __,
    accountStatus: ___,
    reactivating: ____,
    economy: _____,
    taxNumber: ______,
    writtenOff,
    ...row
  } = invoice;
  const state = stateOf(invoice, today);
  return {
    ...row,
    paymentReference: creditorReference(row.number),
    state,
    // Invoices cancelled before credit notes existed have none.
    balance: state === 'cancelled' ? '0.00' : balanceOf({ ...row, writtenOff }),
    overdueDays: state === 'overdue' ? daysBetween(row.dueOn, today) : 0,
  };
}

/** Returns an invoice as the member sees it, without the name of the staff member who recorded a payment. */
function forMember(row: InvoiceRow, today: string): Invoice {
  const { accountName: _, payments, cancelReason: __, ...invoice } = forStaff(row, today);
  return {
    ...invoice,
    payments: payments.map(({ receipt, method, amount, receivedOn, reference, reversed }) => ({
      receipt,
      method,
      amount,
      receivedOn,
      reference,
      reversed,
    })),
  };
}

/** More than any account has. */
const MAX = 500;
const invoicesOf = (read: Read, accountName: string): Promise<InvoiceRow[]> =>
  read.rows(frequent(rowsWhere(sql`i.account_name = ${accountName} order by i.issued_on desc, i.invoice_id desc limit ${MAX}`)));

/** Returns whether an account has an invoice that was due before a day and is unpaid. An extension keeps the account open; it does not move the due date. */
export async function hasUnpaidInvoiceDueBefore(read: Read, accountName: string, today: string): Promise<boolean> {
  const overdue = await read
    .selectFrom('invoice')
    .select('invoiceId')
    .where('accountName', '=', accountName)
    .where('state', 'in', payableStates)
    .where('dueOn', '<', today)
    .limit(1)
    .executeTakeFirst();
  return overdue !== undefined;
}

/** @throws Failure NOT_FOUND */
export async function invoiceByNumber(read: Read, number: string): Promise<InvoiceRow> {
  const [row] = await read.rows(rowsWhere(sql`i.number = ${number}`));
  if (!row) throw refuse('NOT_FOUND', { what: `Invoice ${number}` });
  return row;
}

export async function invoiceById(read: Read, id: string): Promise<InvoiceRow | undefined> {
  const [row] = await read.rows(rowsWhere(sql`i.invoice_id::text = ${id}`));
  return row;
}

/** Locks an invoice until the change ends, and returns it with its account. @throws Failure NOT_FOUND */
export async function lockInvoice(change: Change, number: string): Promise<InvoiceRow> {
  const { accountName } = await invoiceByNumber(change, number);
  await lockAccount(change, accountName);
  await change.selectFrom('invoice').select('number').where('number', '=', number).forUpdate().execute();
  return invoiceByNumber(change, number);
}

/** Returns an account's invoices, payments and term, as its contacts see them. */
export async function getBilling({
  read,
  account: { accountName },
  registry,
}: {
  read: Read;
  account: AdmittedAccount;
  registry: Pick<Registry, 'profile' | 'today' | 'modules' | 'config'>;
}): Promise<AccountBilling> {
  const { rows, ...rest } = await billingOf(read, accountName, registry);
  return { ...rest, payOnline: checkoutProviderOf(registry.config), invoices: rows.map(row => forMember(row, registry.today)) };
}

/** Changes the billing details of the account like `updateOrganisation`, and returns its billing. @throws Failure as `updateOrganisation` */
export async function updateBillingDetails({
  change,
  account,
  body,
  registry,
}: Act<typeof billing.updateBillingDetails>): Promise<AccountBilling> {
  await updateOrganisation({ change, account, body });
  return getBilling({ read: change, account, registry });
}

type Billed = { accountType: string; accountStatus: string; today: string; termEnd: string | null };

/** The first day of the term of an account for which no fees are announced: of its next one, or of the first one of a new account. */
async function feesMissingOf(read: Read, { accountType, accountStatus, today, termEnd }: Billed): Promise<string | null> {
  if (termEnd !== null) return daysAfter(termEnd, 1);
  if (accountStatus !== 'new' || billedTypes[accountType] === undefined) return null;
  return (await announcedFor(read, accountType, today)) ? null : today;
}

/** The QR code of what is left to pay of an invoice; none where there is nothing, or no code for its currency. */
function payCodeOf(row: InvoiceRow, profile: Profile): AccountBilling['payCodes'] {
  if (!canMove(invoiceLife.pay, row.state)) return [];
  const { number, currency } = row;
  const code = payCode({ currency, amount: balanceOf(row), reference: creditorReference(number) }, profile);
  return code === null ? [] : [{ number, ...code }];
}

type BilledTo = Pick<BillingDetails, 'version' | 'orgName' | 'registrationNumber' | 'billingAddress' | 'billingEmail' | 'poNumber'>;

/** The organisation as its next invoice names it. An imported account has nothing but its name until someone enters the rest: its version is 0 then. */
async function billedTo(read: Read, accountName: string): Promise<BilledTo> {
  const [row] = await read.rows<BilledTo>(sql`
    select coalesce(o.version, 0) as version, a.org_name, coalesce(o.registration_number, '') as registration_number, coalesce(o.billing_address, '{}') as billing_address,
      coalesce(o.billing_email, '') as billing_email, coalesce(o.po_number, '') as po_number
    from account a left join organisation o using (account_name) where a.account_name = ${accountName}`);
  return row!;
}

/** Shared by `getBilling` and its counterpart for staff. @throws Failure NOT_FOUND */
export async function billingOf(
  read: Read,
  accountName: string,
  { profile, today, modules }: Pick<Registry, 'profile' | 'today' | 'modules'>,
): Promise<Omit<AccountBilling, 'invoices' | 'payOnline'> & { rows: InvoiceRow[] }> {
  const { currency, paymentInstructions, taxName, taxEconomy, taxRate, billingCalendar } = profile;
  const [
    { accountStatus, accountType, expiryDate, economy },
    rows,
    credit,
    term,
    details,
    lost,
    refunds,
    taxDocument,
    reactivation,
    withEInvoice,
  ] = await Promise.all([
    accountNamed(read, accountName),
    invoicesOf(read, accountName),
    creditOf(read, accountName),
    termOf(read, billingCalendar, accountName),
    billedTo(read, accountName),
    lostOnClosing(read, accountName, modules),
    refundsOf(read, accountName),
    taxDocumentOf(read, accountName),
    reactivationOf(read, accountName, { profile, today, modules }),
    numbersWithEInvoice(read, accountName),
  ]);
  return {
    today,
    ahead: term ? stepsAhead(term, yearsAfter(today, 1), billingCalendar) : [],
    lost,
    feesMissing: await feesMissingOf(read, {
      accountType,
      accountStatus,
      today,
      termEnd: term?.feesAnnounced === null ? term.termEnd : null,
    }),
    calendar: { invoiceDays: billingCalendar.invoiceDays, dueDays: billingCalendar.dueDays },
    reactivationMonths: profile.reactivationMonths,
    rpkiSuspensionDays: profile.rpkiSuspensionDays,
    details: {
      ...details,
      taxResidency: economy,
      tax: { name: taxName, rate: taxEconomy !== '' && economy === taxEconomy ? taxRate : null },
      taxDocument,
      eInvoicesLack: eInvoicesLack({ economy, taxNumber: details.registrationNumber }, profile),
    },
    accountStatus,
    reactivation,
    expiryDate,
    rows,
    currency,
    credit: printCents(credit),
    refunds,
    renews: term !== undefined,
    paymentInstructions,
    eInvoices: rows.filter(({ number }) => withEInvoice.has(number)).map(({ number }) => number),
    payCodes: rows.flatMap(row => payCodeOf(row, profile)),
  };
}
