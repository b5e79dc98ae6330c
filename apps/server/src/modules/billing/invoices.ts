import type { AccountBilling, Invoice, InvoiceState, StaffInvoice } from '@portal/contract/billing/billing';
import { daysBetween, yearsAfter } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Module } from '../../platform/module.ts';
import type { Profile } from '../../profile.ts';
import { accountNamed, lockAccount } from '../accounts/index.ts';
import type { KeptFiles } from '../documents/index.ts';
import { creditOf } from './credit.ts';
import { balanceOf } from './invoice-content.ts';
import { printCents } from './money.ts';
import { lostOnClosing } from './lost-on-closing.ts';
import { stepsAhead, termOf } from './term.ts';

/** An invoice as the database has it. */
export type InvoiceRow = Omit<StaffInvoice, 'state' | 'balance' | 'overdueDays'> & {
  invoiceId: number;
  state: 'ISSUED' | 'PARTIALLY_PAID' | 'PAID' | 'CANCELLED';
  sha256: string;
  accountStatus: string;
};

/** The PDF of each invoice as it was issued, which is kept for ever. */
export const invoiceFiles: KeptFiles = {
  table: 'invoice',
  rows: sql`select sha256, 'invoice ' || number as whose, true as needed from invoice`,
};

const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<InvoiceRow> => sql<InvoiceRow>`
  select i.invoice_id, i.number, i.org_name, i.account_name, i.issued_on, i.due_on, i.period_from, i.period_to, i.currency, i.subtotal::text, i.tax::text, i.total::text,
    i.paid::text, i.state, i.paid_on, i.extended_until, i.po_number, i.cancel_reason, i.sha256, a.account_status,
    coalesce((select json_agg(json_build_object('description', l.description, 'quantity', l.quantity, 'unitPrice', l.unit_price::text, 'amount', l.amount::text)
      order by l.position) from invoice_line l where l.invoice_id = i.invoice_id), '[]') as lines,
    coalesce((select json_agg(json_build_object('method', p.method, 'amount', p.amount::text, 'receivedOn', p.received_on, 'reference', p.reference,
        'recordedBy', s.full_name, 'recordedAt', to_char(p.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by p.payment_id)
      from payment p left join login s on s.login_id = p.recorded_by where p.invoice_id = i.invoice_id), '[]') as payments
  from invoice i join account a using (account_name) where ${where}`;

function stateOf({ state, dueOn }: InvoiceRow, today: string): InvoiceState {
  if (state === 'PAID') return 'paid';
  if (state === 'CANCELLED') return 'cancelled';
  if (today > dueOn) return 'overdue';
  return state === 'PARTIALLY_PAID' ? 'partly-paid' : 'unpaid';
}

/** Returns an invoice as registry staff see it. */
export function forStaff(invoice: InvoiceRow, today: string): StaffInvoice {
  const { invoiceId: _, sha256: __, accountStatus: ___, ...row } = invoice;
  const state = stateOf(invoice, today);
  return {
    ...row,
    state,
    balance: state === 'cancelled' ? '0.00' : balanceOf(row),
    overdueDays: state === 'overdue' ? daysBetween(row.dueOn, today) : 0,
  };
}

/** Returns an invoice as its member sees it: the name of the staff member who recorded a payment is left out. */
function forMember(row: InvoiceRow, today: string): Invoice {
  const { accountName: _, payments: __, cancelReason: ___, ...invoice } = forStaff(row, today);
  return invoice;
}

/** More than an account ever had. */
const MOST = 500;
const invoicesOf = (read: Read, accountName: string): Promise<InvoiceRow[]> =>
  read.rows(rowsWhere(sql`i.account_name = ${accountName} order by i.issued_on desc, i.invoice_id desc limit ${MOST}`));

/** Returns whether an account has an invoice that was due before a day and is unpaid. An extension keeps the account open; it does not move the due date. */
export async function hasUnpaidInvoiceDueBefore(read: Read, accountName: string, today: string): Promise<boolean> {
  const overdue = await read
    .selectFrom('invoice')
    .select('invoiceId')
    .where('accountName', '=', accountName)
    .where('state', 'in', ['ISSUED', 'PARTIALLY_PAID'])
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

/** An invoice held against others until the change ends, with its account. @throws Failure NOT_FOUND */
export async function lockInvoice(change: Change, number: string): Promise<InvoiceRow> {
  const { accountName } = await invoiceByNumber(change, number);
  await lockAccount(change, accountName);
  await change.selectFrom('invoice').select('number').where('number', '=', number).forUpdate().execute();
  return invoiceByNumber(change, number);
}

/** Returns an account's invoices, payments and term, as its contacts see them. */
export async function getBilling(
  read: Read,
  accountName: string,
  { profile, today, modules }: { profile: Profile; today: string; modules: readonly Module[] },
): Promise<AccountBilling> {
  const { rows, ...rest } = await billingOf(read, accountName, { profile, today, modules });
  return { ...rest, invoices: rows.map(row => forMember(row, today)) };
}

/** Shared by `getBilling` and its counterpart for staff. @throws Failure NOT_FOUND */
export async function billingOf(
  read: Read,
  accountName: string,
  { profile: { currency, paymentInstructions }, today, modules }: { profile: Profile; today: string; modules: readonly Module[] },
): Promise<Omit<AccountBilling, 'invoices'> & { rows: InvoiceRow[] }> {
  const [{ accountStatus, expiryDate }, rows, credit, term, details, lost] = await Promise.all([
    accountNamed(read, accountName),
    invoicesOf(read, accountName),
    creditOf(read, accountName),
    termOf(read, accountName),
    read
      .selectFrom('organisation')
      .innerJoin('account', 'account.accountName', 'organisation.accountName')
      .select(['version', 'orgName', 'registrationNumber', 'billingAddress', 'billingEmail', 'poNumber'])
      .where('organisation.accountName', '=', accountName)
      .executeTakeFirst(),
    lostOnClosing(read, accountName, modules),
  ]);
  return {
    today,
    ahead: term ? stepsAhead(term, yearsAfter(today, 1)) : [],
    lost,
    details: details ?? null,
    accountStatus,
    expiryDate,
    rows,
    currency,
    credit: printCents(credit),
    renews: term !== undefined,
    paymentInstructions,
  };
}
