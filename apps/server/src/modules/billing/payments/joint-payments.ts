import { isPayable } from '../payable.ts';
import { type JointPayment, type jointBilling, maxJointInvoices } from '@portal/contract/billing/joint-billing';
import { sql } from 'kysely';
import { lockByName, type Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { invoiceByNumber } from '../invoices/invoices.ts';
import { creditorReference } from '../invoices/payment-references.ts';
import { cents, printCents } from '../money.ts';
import { jointAccountsOf } from './joint-accounts.ts';
import { refuseUnpayable } from './payments.ts';

/** Maximum number of open joint payments of a person. */
const MAX_OPEN = 50;

type Row = Pick<JointPayment, 'number' | 'requestedOn' | 'currency' | 'invoices'> & { jointPaymentId: number };

const rowsOf = (read: Read, { loginId }: Pick<Caller, 'loginId'>): Promise<Row[]> =>
  read.rows<Row>(sql`select p.joint_payment_id, p.number, p.requested_on, p.currency, json_agg(json_build_object('number', i.number, 'accountName', i.account_name,
      'balance', (case when ${isPayable} then i.total - i.paid - i.credited - i.written_off else 0 end)::numeric(14, 2)::text)
      order by i.account_name, i.number) as invoices
    from joint_payment p join joint_payment_invoice using (joint_payment_id) join invoice i using (invoice_id)
    where p.requested_by = ${loginId} and p.discarded_at is null
    group by p.joint_payment_id order by p.joint_payment_id desc`);

const paymentOf = ({ number, requestedOn, currency, invoices }: Row): JointPayment => ({
  number,
  paymentReference: creditorReference(number),
  requestedOn,
  currency,
  amount: printCents(invoices.reduce((sum, { balance }) => sum + cents(balance), 0n)),
  invoices,
});

/** Returns a person's joint payments with something left to pay, the newest first, without those with an invoice that the person may no longer pay. */
export async function openJointPayments(
  read: Read,
  caller: Pick<Caller, 'loginId'>,
  payable: ReadonlySet<string>,
): Promise<(JointPayment & { jointPaymentId: number })[]> {
  const rows = await rowsOf(read, caller);
  return rows
    .filter(({ invoices }) => invoices.every(({ accountName }) => payable.has(accountName)))
    .map(row => ({ ...paymentOf(row), jointPaymentId: row.jointPaymentId }))
    .filter(({ amount }) => amount !== '0.00');
}

/** The names of the accounts whose invoices a person may pay now. */
async function payableBy(read: Read, caller: Caller, registry: Pick<Registry, 'clock' | 'config'>): Promise<ReadonlySet<string>> {
  const { seen } = await jointAccountsOf(read, caller, registry);
  return new Set(seen.filter(({ mayPay }) => mayPay).map(({ accountName }) => accountName));
}

/**
 * A person's payment that can still be paid. @throws Failure NOT_FOUND if it belongs to another person, was discarded or paid, or has an invoice that
 * the person may no longer pay
 */
export async function jointPaymentNamed(
  read: Read,
  number: string,
  caller: Caller,
  registry: Pick<Registry, 'clock' | 'config'>,
): Promise<JointPayment & { jointPaymentId: number }> {
  const payments = await openJointPayments(read, caller, await payableBy(read, caller, registry));
  const payment = payments.find(each => each.number === number);
  if (!payment) throw refuse('NOT_FOUND', { what: `Payment ${number}` });
  return payment;
}

/**
 * Gives several invoices one payment reference. The same invoices get the same reference again while it is listed.
 * @throws Failure NOT_FOUND, INVOICE_NOT_PAYABLE, INVALID_REQUEST for invoices of different currencies, or that the caller may view but not pay
 */
export async function combineInvoices({
  change,
  caller,
  body: { invoiceNumbers },
  registry,
}: Act<typeof jointBilling.combineInvoices>): Promise<JointPayment> {
  const { today } = registry;
  const numbers = [...new Set(invoiceNumbers)].sort();
  if (numbers.length < 2) throw refuseField('invoiceNumbers', 'Choose at least 2 invoices');
  const { seen } = await jointAccountsOf(change, caller, registry);
  const mayPay = new Map(seen.map(account => [account.accountName, account.mayPay]));
  const ids: number[] = [];
  const currencies = new Set<string>();
  for (const number of numbers) {
    const invoice = await invoiceByNumber(change, number);
    const may = mayPay.get(invoice.accountName);
    if (may === undefined) throw refuse('NOT_FOUND', { what: `Invoice ${number}` });
    if (!may)
      throw refuseField(
        'invoiceNumbers',
        `You can’t pay ${number}: ask a corporate contact of ${invoice.accountName} for “Update billing details and pay”`,
      );
    refuseUnpayable(invoice);
    ids.push(invoice.invoiceId);
    currencies.add(invoice.currency);
  }
  if (currencies.size > 1)
    throw refuseField('invoiceNumbers', `Choose invoices of one currency: these are in ${[...currencies].join(' and ')}`);
  // Serialises the choice of numbers and the search for an existing payment of these invoices.
  await lockByName(change, 'billing.jointPaymentNumbers');
  const open = await rowsOf(change, caller);
  const known = open.find(({ invoices }) => invoices.length === numbers.length && invoices.every(({ number }) => numbers.includes(number)));
  if (known) return paymentOf(known);
  const listed = open.filter(({ invoices }) => invoices.some(({ balance }) => balance !== '0.00'));
  if (listed.length >= MAX_OPEN) throw refuseField('invoiceNumbers', `You have ${MAX_OPEN} unpaid references. Discard one first`);
  const year = Number(today.slice(0, 4));
  const [{ next }] = (await change.rows<{ next: number }>(
    sql`select coalesce(max(sequence), 0) + 1 as next from joint_payment where year = ${year}`,
  )) as [{ next: number }];
  const number = `PAY-${year}-${String(next).padStart(6, '0')}`;
  const { jointPaymentId } = await change
    .insertInto('jointPayment')
    .values({ number, year, sequence: next, currency: [...currencies][0]!, requestedBy: caller.loginId, requestedOn: today })
    .returning('jointPaymentId')
    .executeTakeFirstOrThrow();
  await change
    .insertInto('jointPaymentInvoice')
    .values(ids.map(invoiceId => ({ jointPaymentId, invoiceId })))
    .execute();
  await change.note({ payment: number, invoices: numbers.join(', ') });
  return paymentOf((await rowsOf(change, caller)).find(row => row.number === number)!);
}

/** Takes a payment off the caller's list. @throws Failure NOT_FOUND */
export async function discardJointPayment({
  change,
  caller: { loginId },
  params: { paymentNumber: number },
}: Act<typeof jointBilling.discardJointPayment>): Promise<void> {
  const [discarded] = await change.rows(sql`update joint_payment set discarded_at = ${change.now}
    where number = ${number} and requested_by = ${loginId} and discarded_at is null returning 1`);
  if (!discarded) throw refuse('NOT_FOUND', { what: `Payment ${number}` });
  await change.note({ payment: number });
}

/** Maximum number of payment numbers looked up together. */
const MAX_NUMBERS = 200;

/** Returns the unpaid invoices of joint payments, discarded ones too, by the quoted numbers. */
export async function invoicesOfJoint(
  read: Pick<Read, 'rows'>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, { invoiceNumber: string; accountName: string; currency: string; balance: string }[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await read.rows<{ number: string; invoiceNumber: string; accountName: string; currency: string; balance: string }>(sql`
    select p.number, i.number as invoice_number, i.account_name, i.currency, (i.total - i.paid - i.credited - i.written_off)::numeric(14, 2)::text as balance
    from joint_payment p join joint_payment_invoice using (joint_payment_id) join invoice i using (invoice_id)
    where p.number = any(${numbers.slice(0, MAX_NUMBERS)}::text[]) and ${isPayable} order by i.number
    limit ${MAX_NUMBERS * maxJointInvoices}`);
  return Map.groupBy(rows, ({ number }) => number);
}
