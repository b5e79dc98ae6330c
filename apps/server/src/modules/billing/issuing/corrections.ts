import type { CasesOf } from '../../../platform/http/cases.ts';
import { invoiceLife } from '@portal/contract/billing/life';
import { isOfTerm, type StaffAccountBilling, type StaffInvoice } from '@portal/contract/billing/billing';
import type { corrections } from '@portal/contract/billing/corrections';
import { type Change, lockByName } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Act, CaseAct } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { lockAccount, refuseOwnAccount } from '../../accounts/index.ts';
import { notifyPayersAndBillingAddress } from '../billing-notices.ts';
import { creditOf } from '../invoices/credit.ts';
import { keepCreditEInvoice } from '../invoices/e-invoices.ts';
import { balanceOf } from '../invoices/invoice-content.ts';
import { forStaff, type InvoiceRow, invoiceByNumber, lockInvoice, whySettled } from '../invoices/invoices.ts';
import { getStaffBilling } from '../invoices/staff-billing.ts';
import { countMoney } from '../limits/limited-acts.ts';
import { type Cents, cents, inCurrency, printCents } from '../money.ts';
import { refuseClosedDay } from '../periods/open-days.ts';
import { renew } from '../payments/payments.ts';

/** Invoices that registry staff move, who are no contacts of their accounts. */
export const invoiceCases: CasesOf<InvoiceRow> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, caller, params: { invoiceNumber } }) => {
    const invoice = await lockInvoice(change, invoiceNumber!);
    await refuseOwnAccount(change, invoice.accountName, caller);
    await change.concerns(invoice.accountName);
    return invoice;
  },
  refusal: async (invoice, _moving, { name }) =>
    refuse(name === invoiceLife.pay.name ? 'INVOICE_NOT_PAYABLE' : 'INVOICE_SETTLED', {
      number: invoice.number,
      why: whySettled(invoice)!,
    }),
};

/**
 * Issues a credit note for part of an invoice or, without an amount, for everything that is left of it. An excess payment becomes credit of the
 * account. An invoice that is credited in full is cancelled; one whose rest is already paid becomes paid, and renews the term.
 * @throws Failure INVOICE_SETTLED, INVALID_REQUEST for more than is left
 * @throws SecondPersonNeeded
 */
export async function issueCreditNote({
  change,
  caller,
  row: invoice,
  body: { amount, reason },
  hasSecondPerson,
  registry,
}: {
  change: Change;
  caller: Caller;
  row: InvoiceRow;
  body: { amount: string | null; reason: string };
  hasSecondPerson: boolean;
  registry: Pick<Registry, 'today' | 'profile'>;
}): Promise<StaffInvoice> {
  const { today } = registry;
  const { number } = invoice;
  const { accountName, accountStatus, currency, periodTo, invoiceId } = invoice;
  const [total, paid, credited] = [cents(invoice.total), cents(invoice.paid), cents(invoice.credited)];
  const left = total - credited;
  const credits = amount === null ? left : cents(amount);
  if (credits > left) throw refuseField('amount', `At most ${inCurrency(currency, left)} of ${number} can be credited`);
  const limitedActId = await countMoney(change, { limit: 'given', accountName, amount: credits, caller, hasSecondPerson, registry });
  const tax = await taxIn(change, invoice, credits, left);
  const note = await numberedNote(change, today);
  const { creditNoteId } = await change
    .insertInto('creditNote')
    .values({
      ...note,
      accountName,
      invoiceId,
      issuedOn: today,
      subtotal: printCents(credits - tax),
      tax: printCents(tax),
      total: printCents(credits),
      reason,
      issuedBy: caller.loginId,
      issuedAt: change.now,
      limitedActId,
    })
    .returning('creditNoteId')
    .executeTakeFirstOrThrow();
  const sums = { subtotal: printCents(credits - tax), tax: printCents(tax), total: printCents(credits) };
  await keepCreditEInvoice(change, number, { number: note.number, issuedOn: today, ...sums, reason }, registry.profile);
  const open = total - paid - credited;
  const freed = credits > open ? credits - open : 0n;
  if (freed > 0n)
    await change
      .insertInto('accountCredit')
      .values({ accountName, amount: printCents(freed), creditNoteId, at: change.now })
      .execute();
  const nowPaid = paid - freed;
  const isCancelled = credits === left;
  const isPaid = !isCancelled && nowPaid + credited + credits === total;
  await change
    .updateTable('invoice')
    .set({
      credited: printCents(credited + credits),
      paid: printCents(nowPaid),
      ...(isCancelled
        ? { state: 'cancelled', paidOn: null, cancelledAt: change.now, cancelReason: reason }
        : isPaid
          ? { state: 'paid', paidOn: invoice.paidOn ?? today }
          : { state: nowPaid > 0n ? 'partly-paid' : 'issued' }),
    })
    .where('invoiceId', '=', invoiceId)
    .execute();
  await change.note({ invoice: number, creditNote: note.number, amount: printCents(credits), reason });
  if (isPaid && isOfTerm(invoice) && invoice.state !== 'paid' && accountStatus !== 'closed')
    await renew(change, { accountName, accountStatus, periodTo });
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    attaches: { what: 'issued-credit-note', number: note.number },
    subject: isCancelled
      ? `${accountName}: ${number} is cancelled`
      : `${accountName}: ${inCurrency(currency, credits)} of ${number} is credited`,
    body: [
      isCancelled
        ? `We cancelled ${number} with credit note ${note.number}, ${inCurrency(currency, credits)}. You don’t need to pay it.`
        : `Credit note ${note.number} takes ${inCurrency(currency, credits)} off ${number}. ${isPaid ? 'The invoice is paid.' : `${inCurrency(currency, open - credits)} is still due.`}`,
      ...(freed > 0n ? [`${inCurrency(currency, freed)} that you paid is now account credit for your next invoice.`] : []),
      `Reason: ${reason}`,
    ],
  });
  return forStaff(await invoiceByNumber(change, number), today);
}

/** Returns the tax in a credited amount: its share, rounded half-up to a cent. The last note of an invoice takes the rest of its tax. */
async function taxIn(change: Change, invoice: InvoiceRow, credits: Cents, left: Cents): Promise<Cents> {
  const notes = await change.selectFrom('creditNote').select('tax').where('invoiceId', '=', invoice.invoiceId).execute();
  const rest = notes.reduce((sum, { tax }) => sum - cents(tax), cents(invoice.tax));
  if (credits === left) return rest;
  const share = (2n * credits * cents(invoice.tax) + cents(invoice.total)) / (2n * cents(invoice.total));
  return share < rest ? share : rest;
}

/** Returns the number after the last credit note of the year. A concurrent caller waits until this change ends, so that there are neither gaps nor duplicates. */
async function numberedNote(change: Change, today: string): Promise<{ number: string; year: number; sequence: number }> {
  await lockByName(change, 'billing.creditNoteNumbers');
  const year = Number(today.slice(0, 4));
  const { last } = await change
    .selectFrom('creditNote')
    .select(({ fn }) => fn.max('sequence').as('last'))
    .where('year', '=', year)
    .executeTakeFirstOrThrow();
  const sequence = (last ?? 0) + 1;
  return { number: `CN-${year}-${String(sequence).padStart(6, '0')}`, year, sequence };
}

/**
 * Writes off the unpaid part of an invoice of a closed account. An open account owes what it was billed: its invoices are credited or paid.
 * @throws Failure INVOICE_SETTLED
 * @throws SecondPersonNeeded
 */
export async function writeOffInvoice({
  change,
  caller,
  row: invoice,
  body: { reason },
  hasSecondPerson,
  registry,
}: CaseAct<typeof corrections.writeOffInvoice, InvoiceRow>): Promise<StaffInvoice> {
  const { today } = registry;
  const { number, accountName } = invoice;
  if (invoice.accountStatus !== 'closed')
    throw refuse('INVOICE_SETTLED', { number, why: 'its account isn’t closed. Issue a credit note instead' });
  if (invoice.reactivating) throw refuse('INVOICE_SETTLED', { number, why: 'a reactivation waits for its payment. End that first' });
  const balance = balanceOf(invoice);
  const act = { limit: 'given', accountName, amount: cents(balance), caller, hasSecondPerson, registry } as const;
  const writeOffActId = await countMoney(change, act);
  await change
    .updateTable('invoice')
    .set({ state: 'written-off', writtenOff: balance, writtenOffOn: today, writeOffReason: reason, writeOffActId })
    .where('invoiceId', '=', invoice.invoiceId)
    .execute();
  await change.note({ invoice: number, amount: balance, reason });
  return forStaff(await invoiceByNumber(change, number), today);
}

/**
 * Records a refund of credit by bank transfer.
 * @throws Failure NOT_FOUND, OWN_REQUEST, REFUND_RECORDED, PERIOD_CLOSED, INVALID_REQUEST for more than the credit, or a day in the future
 * @throws SecondPersonNeeded
 */
export async function recordRefund({
  change,
  caller,
  params: { accountName },
  body: { amount, refundedOn, reference, reason },
  hasSecondPerson,
  registry,
}: Act<typeof corrections.recordRefund>): Promise<StaffAccountBilling> {
  const {
    today,
    profile: { currency },
  } = registry;
  await lockAccount(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  if (refundedOn > today) throw refuseField('refundedOn', `Choose ${today} or an earlier date`);
  await refuseClosedDay(change, refundedOn, 'refundedOn');
  const credit = await creditOf(change, accountName);
  const refunded = cents(amount);
  if (refunded > credit) throw refuseField('amount', `The credit of ${accountName} is ${inCurrency(currency, credit)}`);
  const limitedActId = await countMoney(change, { limit: 'given', accountName, amount: refunded, caller, hasSecondPerson, registry });
  const recordedBy = caller.loginId;
  const values = { accountName, currency, amount: printCents(refunded), refundedOn, reference, reason, recordedBy, limitedActId };
  const row = await change
    .insertInto('refund')
    .values({ ...values, recordedAt: change.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('refundId')
    .executeTakeFirst();
  if (!row) throw refuse('REFUND_RECORDED', { reference }).at('reference');
  await change
    .insertInto('accountCredit')
    .values({ accountName, amount: printCents(-refunded), refundId: row.refundId, at: change.now })
    .execute();
  await change.note({ amount: printCents(refunded), refundedOn, reference, reason });
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    subject: `${accountName}: ${inCurrency(currency, refunded)} is refunded`,
    body: [
      `We paid back ${inCurrency(currency, refunded)} of account credit by bank transfer on ${dayInFull(refundedOn)}, reference ${reference}.`,
      `Reason: ${reason}`,
    ],
  });
  return getStaffBilling({ read: change, params: { accountName }, registry });
}
