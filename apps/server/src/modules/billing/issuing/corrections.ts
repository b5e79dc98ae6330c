import type { CasesOf } from '../../../platform/http/cases.ts';
import { invoiceLife } from '@portal/contract/billing/life';
import type { StaffAccountBilling, StaffInvoice } from '@portal/contract/billing/billing';
import type { corrections } from '@portal/contract/billing/corrections';
import type { Change } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Act, CaseAct } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { lockAccount, refuseOwnAccount } from '../../accounts/index.ts';
import { notifyPayersAndBillingAddress } from '../billing-notices.ts';
import { creditOf } from '../invoices/credit.ts';
import { balanceOf } from '../invoices/invoice-content.ts';
import { forStaff, type InvoiceRow, invoiceByNumber, lockInvoice, whySettled } from '../invoices/invoices.ts';
import { getStaffBilling } from '../invoices/staff-billing.ts';
import { countMoney } from '../limits/limited-acts.ts';
import { cents, inCurrency, printCents } from '../money.ts';
import { refuseClosedDay } from '../periods/open-days.ts';
import { creditInvoice } from './credit-notes.ts';
import { billingTexts } from '../mail-texts.ts';

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
 * Issues a credit note for part of an invoice or, without an amount, for everything that is left of it.
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
  const { number, accountName, currency } = invoice;
  const left = cents(invoice.total) - cents(invoice.credited);
  const credits = amount === null ? left : cents(amount);
  if (credits > left) throw refuseField('amount', `At most ${inCurrency(currency, left)} of ${number} can be credited`);
  const limitedActId = await countMoney(change, { limit: 'given', accountName, amount: credits, caller, hasSecondPerson, registry });
  await creditInvoice(change, { invoice, credits, reason, issuedBy: { loginId: caller.loginId, limitedActId } }, registry);
  return forStaff(await invoiceByNumber(change, number), registry.today);
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
    text: billingTexts.written('creditRefunded', {
      accountName,
      refunded: inCurrency(currency, refunded),
      refundedOn: dayInFull(refundedOn),
      reference,
      reason,
    }),
  });
  return getStaffBilling({ read: change, params: { accountName }, registry });
}
