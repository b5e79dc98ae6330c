import type { BodyOf } from '@portal/contract';
import type { billing, StaffInvoice } from '@portal/contract/billing/billing';
import { sql } from 'kysely';
import type { Caller } from '../../platform/caller.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import { dayInWords } from '../../platform/pdf/glyphs.ts';
import { openForTerm, refuseOwn } from '../accounts/index.ts';
import { notifyPayersAndBillingAddress } from './billing-notices.ts';
import { balanceOf } from './invoice-content.ts';
import { forStaff, lockInvoice, invoiceByNumber, type InvoiceRow } from './invoices.ts';
import { type Cents, cents, inCurrency, printCents } from './money.ts';

type Received = { amount: string; receivedOn: string } & (
  | { method: 'bank transfer'; reference: string; recordedBy: string }
  | { method: 'credit' }
);

/**
 * Records a bank transfer that came in for an invoice.
 * @throws Failure NOT_FOUND, OWN_REQUEST, PAYMENT_RECORDED, INVOICE_NOT_PAYABLE, INVALID_REQUEST for a day that has not come
 */
export async function recordPayment(
  change: Change,
  number: string,
  { amount, receivedOn, reference }: BodyOf<typeof billing.recordPayment>,
  { caller, today }: { caller: Caller; today: string },
): Promise<StaffInvoice> {
  const invoice = await lockInvoice(change, number);
  await refuseOwn(change, invoice.accountName, caller);
  await change.concerns(invoice.accountName);
  await refuseRecorded(change, reference);
  refuseUnpayable(invoice);
  if (receivedOn > today) throw refuseField('receivedOn', `Money arrives on ${today} at the latest`);
  const received = {
    method: 'bank transfer',
    amount: printCents(cents(amount)),
    receivedOn,
    reference,
    recordedBy: caller.loginId,
  } as const;
  await notifyAboutPayment(change, number, { received, ...(await settleInvoice(change, number, received)) });
  return forStaff(await invoiceByNumber(change, number), today);
}

/** Refuses a transfer that is recorded already. @throws Failure PAYMENT_RECORDED */
async function refuseRecorded(change: Change, reference: string): Promise<void> {
  const [earlier] = await change.rows<{ number: string; who: string }>(sql`
    select i.number, l.full_name as who from payment p join invoice i using (invoice_id) join login l on l.login_id = p.recorded_by
    where p.method = 'bank transfer' and lower(p.reference) = lower(${reference})`);
  if (earlier) throw refuse('PAYMENT_RECORDED', { reference, number: earlier.number, who: earlier.who });
}

/** @throws Failure INVOICE_NOT_PAYABLE */
function refuseUnpayable({ number, state, accountStatus, paidOn }: InvoiceRow): void {
  const not = (why: string) => refuse('INVOICE_NOT_PAYABLE', { number, why });
  if (state === 'PAID') throw not(`it was paid on ${dayInWords(paidOn!)}`);
  if (state === 'CANCELLED') throw not('it was cancelled');
  if (accountStatus === 'closed')
    throw not('its account is closed. It has to be reactivated first, within three months of its closing, for a fee and what is owed');
}

/**
 * Puts money to an invoice that is held. Of a transfer that is too large the rest becomes credit. An invoice that is paid in full opens its account and ends
 * its next term a year after the last one ended, whenever it was paid. Answers what is left to pay, and what was too much.
 */
export async function settleInvoice(change: Change, number: string, received: Received): Promise<{ left: Cents; rest: Cents }> {
  const { invoiceId, accountName, accountStatus, total, paid, periodTo } = await invoiceByNumber(change, number);
  const { method, amount, receivedOn } = received;
  const came = cents(amount);
  const balance = cents(balanceOf({ total, paid }));
  const used = came < balance ? came : balance;
  const rest = came - used;
  const left = balance - used;
  const payment = await change
    .insertInto('payment')
    .values({
      accountName,
      invoiceId,
      method,
      amount,
      receivedOn,
      reference: received.method === 'credit' ? 'Credit of the account' : received.reference,
      recordedBy: received.method === 'credit' ? null : received.recordedBy,
      recordedAt: change.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('paymentId')
    .executeTakeFirst();
  if (!payment) {
    // Recorded at this very moment for another invoice.
    await refuseRecorded(change, received.method === 'credit' ? '' : received.reference);
    throw new Error(`The payment for ${number} was neither recorded nor refused.`);
  }
  const credit = method === 'credit' ? -came : rest;
  if (credit !== 0n)
    await change
      .insertInto('accountCredit')
      .values({ accountName, amount: printCents(credit), paymentId: payment.paymentId, at: change.now })
      .execute();
  await change
    .updateTable('invoice')
    .set({
      paid: printCents(cents(paid) + used),
      ...(left === 0n ? { state: 'PAID', paidOn: receivedOn } : { state: 'PARTIALLY_PAID' }),
    })
    .where('invoiceId', '=', invoiceId)
    .execute();
  await change.note({
    invoice: number,
    amount,
    ...(received.method === 'bank transfer' && { reference: received.reference }),
    balance: printCents(left),
  });
  if (left === 0n) await renew(change, { accountName, accountStatus, periodTo });
  return { left, rest };
}

/** Notifies the payers of the payment, and of the missing amount. */
export async function notifyAboutPayment(
  change: Change,
  number: string,
  { received: { method, amount, receivedOn }, left, rest }: { received: Received; left: Cents; rest: Cents },
): Promise<void> {
  const { accountName, currency, periodTo } = await invoiceByNumber(change, number);
  const money = (value: bigint): string => inCurrency(currency, value);
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    subject: left === 0n ? `${accountName}: ${number} is paid` : `${accountName}: ${money(left)} of ${number} are missing`,
    body: [
      `${method === 'credit' ? 'From the credit of the account' : 'With a bank transfer'} ${money(cents(amount))} were paid for ${number} on ${dayInWords(receivedOn)}.`,
      left === 0n
        ? `The invoice is paid. The membership of ${accountName} goes on until ${dayInWords(periodTo)}.`
        : `${money(left)} are still missing: the whole amount of the invoice has to arrive, without charges of banks and taxes that are kept back.`,
      ...(rest > 0n ? [`${money(rest)} were too much. They are credit of the account, and the next invoice uses them.`] : []),
    ],
  });
}

/** The next term of an account whose renewal is paid. */
async function renew(
  change: Change,
  { accountName, accountStatus, periodTo }: { accountName: string; accountStatus: string; periodTo: string },
): Promise<void> {
  await openForTerm(change, accountName, periodTo);
  await change.note({ before: { accountStatus }, after: { accountStatus: 'open', termEnds: periodTo } });
}
