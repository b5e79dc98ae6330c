import { invoiceLife } from '@portal/contract/billing/life';
import { canMove } from '@portal/contract/life';
import type { BodyOf } from '@portal/contract';
import { type billing, isOfTerm, type StaffInvoice } from '@portal/contract/billing/billing';
import type { Change } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { SecondPersonNeeded } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { openForTerm } from '../../accounts/index.ts';
import { notifyPayersAndBillingAddress } from '../billing-notices.ts';
import { balanceOf } from '../invoices/invoice-content.ts';
import { forStaff, type InvoiceRow, invoiceByNumber, whySettled } from '../invoices/invoices.ts';
import { countMoney } from '../limits/limited-acts.ts';
import { refuseClosedDay } from '../periods/open-days.ts';
import { type Cents, cents, inCurrency, printCents } from '../money.ts';
import { askIfRecorded, repeatedBy } from './earlier-transfers.ts';
import { billingTexts } from '../mail-texts.ts';

type Received = { amount: string; receivedOn: string } & (
  | { method: 'bank transfer'; reference: string; recordedBy: string; limitedActId: number; bankLineId?: number }
  | { method: 'card'; reference: string }
  | { method: 'credit' }
);

/** The act of recording a bank transfer for an invoice, which is locked. */
type RecordingAct = {
  change: Change;
  caller: Caller;
  row: InvoiceRow;
  body: BodyOf<typeof billing.recordPayment>;
  hasSecondPerson: boolean;
  registry: Pick<Registry, 'today'> & { profile: Pick<Registry['profile'], 'limitsAlone'> };
};

/**
 * Records a bank transfer for an invoice. A second member of staff approves more than one may record alone, and a transfer that looks like a recorded one.
 * @throws Failure PAYMENT_ALIKE, PAYMENT_EARLY, PERIOD_CLOSED, INVOICE_NOT_PAYABLE, INVALID_REQUEST for a day in the future @throws SecondPersonNeeded
 */
export async function recordPayment({ change, caller, row, body, hasSecondPerson, registry }: RecordingAct): Promise<StaffInvoice> {
  await payInvoice({ change, caller, row, body, hasSecondPerson, registry });
  return forStaff(await invoiceByNumber(change, row.number), registry.today);
}

/**
 * Like `recordPayment`, and for lines of bank statements: a transfer for a paid or cancelled invoice then becomes credit of its account.
 * @throws Failure as `recordPayment`, INVOICE_NOT_PAYABLE @throws SecondPersonNeeded
 */
export async function payInvoice({
  change,
  caller,
  row: invoice,
  body: { amount, receivedOn, reference, isAnother = false, isEarly = false },
  hasSecondPerson,
  registry,
  bankLine,
}: RecordingAct & { bankLine?: { bankLineId: string; reference: string; bookedOn: string } }): Promise<void> {
  const { today } = registry;
  const { accountName, number } = invoice;
  const arriving = { reference, invoiceId: invoice.invoiceId, amount, receivedOn, line: bankLine ?? null };
  const looksRecorded = await askIfRecorded(change, arriving, { isAnother });
  // Money that is on the bank's account belongs to someone, whatever became of the invoice that it names.
  if (!(bankLine && (invoice.state === 'paid' || invoice.state === 'cancelled'))) refuseUnpayable(invoice);
  if (receivedOn > today) throw refuseField('receivedOn', `Money arrives on ${today} at the latest`);
  await refuseClosedDay(change, receivedOn, 'receivedOn');
  if (receivedOn < invoice.issuedOn && !isEarly) throw refuse('PAYMENT_EARLY', { number, issued: invoice.issuedOn }).at('receivedOn');
  if (!hasSecondPerson && looksRecorded) throw new SecondPersonNeeded();
  const act = { limit: 'received', accountName, amount: cents(amount), caller, hasSecondPerson, registry } as const;
  const limitedActId = await countMoney(change, act);
  await change.note({ receivedOn, ...(looksRecorded && { isAnother }), ...(receivedOn < invoice.issuedOn && { isEarly }) });
  const received = {
    method: 'bank transfer',
    amount: printCents(cents(amount)),
    receivedOn,
    reference,
    recordedBy: caller.loginId,
    limitedActId,
    ...(bankLine && { bankLineId: Number(bankLine.bankLineId) }),
  } as const;
  await notifyAboutPayment(change, number, { received, ...(await settleInvoice(change, number, received)) });
}

/**
 * An invoice of which something is left to pay can be paid, whatever the state of its account; whether a closed one opens is another question (`reactivation.ts`).
 * @throws Failure INVOICE_NOT_PAYABLE
 */
export function refuseUnpayable({ number, state, paidOn }: InvoiceRow): void {
  const settled = whySettled({ state, paidOn });
  if (settled !== null) throw refuse('INVOICE_NOT_PAYABLE', { number, why: settled });
}

/**
 * Applies a payment to a locked invoice. An excess becomes credit. Full payment opens the account and extends its term by a year from the last term's
 * end, whenever it is paid. Returns the amounts left to pay and in excess.
 */
export async function settleInvoice(change: Change, number: string, received: Received): Promise<{ left: Cents; rest: Cents }> {
  const invoice = await invoiceByNumber(change, number);
  const { invoiceId, accountName, accountStatus, paid, periodTo } = invoice;
  const { method, amount, receivedOn } = received;
  const came = cents(amount);
  // Money for a cancelled or paid invoice becomes credit.
  const balance = canMove(invoiceLife.pay, invoice.state) ? cents(balanceOf(invoice)) : 0n;
  const used = came < balance ? came : balance;
  const rest = came - used;
  const left = balance - used;
  const { paymentId } = await change
    .insertInto('payment')
    .values({
      accountName,
      invoiceId,
      method,
      amount,
      receivedOn,
      reference: received.method === 'credit' ? 'Account credit' : received.reference,
      recordedBy: received.method === 'bank transfer' ? received.recordedBy : null,
      limitedActId: received.method === 'bank transfer' ? received.limitedActId : null,
      recordedAt: change.now,
      ...(received.method === 'bank transfer' && {
        bankLineId: received.bankLineId ?? null,
        repeats: await repeatedBy(change, received.reference),
      }),
    })
    .returning('paymentId')
    .executeTakeFirstOrThrow();
  const credit = method === 'credit' ? -came : rest;
  if (credit !== 0n)
    await change
      .insertInto('accountCredit')
      .values({ accountName, amount: printCents(credit), paymentId, at: change.now })
      .execute();
  if (balance > 0n)
    await change
      .updateTable('invoice')
      .set({
        paid: printCents(cents(paid) + used),
        ...(left === 0n ? { state: 'paid', paidOn: receivedOn } : { state: 'partly-paid' }),
      })
      .where('invoiceId', '=', invoiceId)
      .execute();
  await change.note({
    invoice: number,
    amount,
    ...(received.method !== 'credit' && { reference: received.reference }),
    balance: printCents(left),
  });
  // A closed account opens by a reactivation, when its whole debt is paid (`reactivation.ts`).
  if (balance > 0n && left === 0n && isOfTerm(invoice) && accountStatus !== 'closed')
    await renew(change, { accountName, accountStatus, periodTo });
  return { left, rest };
}

/** Notifies the payers of the payment, and of the missing amount. */
export async function notifyAboutPayment(
  change: Change,
  number: string,
  { received: { method, amount, receivedOn }, left, rest }: { received: Received; left: Cents; rest: Cents },
): Promise<void> {
  const { kind, state, accountName, accountStatus, reactivating, currency, periodTo, payments } = await invoiceByNumber(change, number);
  const isCancelled = state === 'cancelled';
  const money = (value: bigint): string => inCurrency(currency, value);
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    attaches: { what: 'receipt', number: payments.at(-1)!.receipt },
    text: isCancelled
      ? billingTexts.written('cancelledInvoicePaid', {
          accountName,
          rest: money(rest),
          invoice: number,
          outcome: method === 'credit' ? 'From the credit of the account' : method === 'card' ? 'Online' : 'With a bank transfer',
          amount: money(cents(amount)),
          receivedOn: dayInFull(receivedOn),
          youOverpaidIts: rest > 0n && !isCancelled ? `You overpaid ${money(rest)}. It’s account credit for your next invoice.` : '',
        })
      : left === 0n
        ? billingTexts.written('invoicePaid', {
            accountName,
            invoice: number,
            outcome: method === 'credit' ? 'From the credit of the account' : method === 'card' ? 'Online' : 'With a bank transfer',
            amount: money(cents(amount)),
            receivedOn: dayInFull(receivedOn),
            theInvoiceIs:
              kind === 'transfer'
                ? 'The invoice is paid. The transfer completes within minutes.'
                : accountStatus === 'closed'
                  ? reactivating
                    ? 'The invoice is paid. The account opens again when everything it owes is paid.'
                    : 'The invoice is paid. The account stays closed: paying doesn’t open it. Its page in the portal says whether it can be reactivated.'
                  : `The invoice is paid. The membership of ${accountName} runs until ${dayInFull(periodTo)}.`,
            youOverpaidIts: rest > 0n && !isCancelled ? `You overpaid ${money(rest)}. It’s account credit for your next invoice.` : '',
          })
        : billingTexts.written('invoicePartlyPaid', {
            accountName,
            left: money(left),
            invoice: number,
            outcome: method === 'credit' ? 'From the credit of the account' : method === 'card' ? 'Online' : 'With a bank transfer',
            amount: money(cents(amount)),
            receivedOn: dayInFull(receivedOn),
            youOverpaidIts: rest > 0n && !isCancelled ? `You overpaid ${money(rest)}. It’s account credit for your next invoice.` : '',
          }),
  });
}

/** The next term of an account whose renewal is paid. */
export async function renew(
  change: Change,
  { accountName, accountStatus, periodTo }: { accountName: string; accountStatus: string; periodTo: string },
): Promise<void> {
  await openForTerm(change, accountName, periodTo);
  await change.note({ before: { accountStatus }, after: { accountStatus: 'open', termEnds: periodTo } });
}
