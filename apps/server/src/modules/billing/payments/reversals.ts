import type { BodyOf } from '@portal/contract';
import { invoiceLife } from '@portal/contract/billing/life';
import { allowedIn } from '@portal/contract/life';
import { isOfTerm, type StaffInvoice } from '@portal/contract/billing/billing';
import type { bankStatements } from '@portal/contract/billing/bank-statements';
import { type RecordedReversalKind, recordedReversalKinds, type reversals } from '@portal/contract/billing/reversals';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Change, lockByName } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { type Failure, refuse, refuseField } from '../../../platform/failure.ts';
import type { CasesOf } from '../../../platform/http/cases.ts';
import type { Act, CaseAct } from '../../../platform/http/endpoints.ts';
import { accountNamed, refuseOwnAccount, setTermEnd } from '../../accounts/index.ts';
import { notifyPayersAndBillingAddress } from '../billing-notices.ts';
import { creditOf } from '../invoices/credit.ts';
import { forStaff, type InvoiceRow, invoiceByNumber, lockInvoice } from '../invoices/invoices.ts';
import { countAct, countMoney, wholeUnits } from '../limits/limited-acts.ts';
import { moreDays } from '../limits/more-days.ts';
import { type Cents, cents, inCurrency, printCents } from '../money.ts';
import { openDay } from '../periods/open-days.ts';
import { notifyAboutPayment, refuseUnpayable, settleInvoice } from './payments.ts';
import { billingTexts } from '../mail-texts.ts';

/** Days to pay again: neither suspended nor closed before. */
const DAYS_AGAIN = 14;

type Payment = {
  paymentId: number;
  method: string;
  amount: string;
  receivedOn: string;
  reference: string;
  bankLineId: number | null;
  becameCredit: string;
};

/** A payment with its invoice, locked. */
export type PaidInvoice = { payment: Payment; invoice: InvoiceRow };

const writtenOff = (receipt: string, number: string): Failure =>
  refuse('PAYMENT_NOT_REVERSIBLE', { receipt, why: `the rest of ${number} was written off` });

/** Payments that registry staff reverse, who are no contacts of the account. */
export const paymentCases: CasesOf<PaidInvoice> = {
  stateOf: ({ invoice }) => invoice.state,
  lock: async ({ change, caller, params, body }) => {
    const paid = await lockPayment(change, params['receiptNumber']!, (body as BodyOf<typeof reversals.reversePayment>).moveTo);
    await refuseOwnAccount(change, paid.invoice.accountName, caller);
    await change.concerns(paid.invoice.accountName);
    return paid;
  },
  refusal: async ({ invoice }, { params }) => writtenOff(params['receiptNumber']!, invoice.number),
};

/** The payment of a receipt such as `REC-2026-000001-1`, with its invoice locked. @throws Failure NOT_FOUND, PAYMENT_NOT_REVERSIBLE */
async function lockPayment(change: Change, receipt: string, moveTo: string | undefined): Promise<PaidInvoice> {
  const [, rest, place] = /^REC-(\d{4}-\d{6})-(\d{1,4})$/.exec(receipt) ?? [];
  const what = { what: `Receipt ${receipt}` };
  if (rest === undefined) throw refuse('NOT_FOUND', what);
  const number = `INV-${rest}`;
  // In one order, so that two people who move payments between the same invoices wait for each other.
  for (const each of [number, ...(moveTo === undefined ? [] : [moveTo])].toSorted()) await lockInvoice(change, each);
  const invoice = await invoiceByNumber(change, number);
  const [payment] = await change.rows<Payment & { place: number; reversed: string | null }>(sql`
    select p.payment_id, p.method, p.amount::text, p.received_on::text, p.reference, p.bank_line_id, p.place, r.number as reversed,
      (select coalesce(sum(c.amount), 0)::numeric(14, 2)::text from account_credit c where c.payment_id = p.payment_id and p.method <> 'credit') as became_credit
    from (select *, row_number() over (order by payment_id)::int as place from payment where invoice_id = ${invoice.invoiceId}) p
    left join payment_reversal r using (payment_id) where p.place = ${Number(place)}::int`);
  if (!payment) throw refuse('NOT_FOUND', what);
  const not = (why: string) => refuse('PAYMENT_NOT_REVERSIBLE', { receipt, why });
  if (payment.reversed !== null) throw not(`${payment.reversed} reversed it already`);
  if (payment.method === 'credit') throw not('it was paid from the credit of the account. Reverse the payment that the credit came from');
  return { payment, invoice };
}

/**
 * Reverses a recorded payment, with a document of its own, dated today. The invoice is due again within days, in which the account is neither suspended nor closed, and which count as more time;
 * a term that it paid for ends as before, and the clock of memberships goes on from there. What had become credit is taken back. One of the wrong invoice is
 * recorded for the right one in the same change.
 * @throws Failure NOT_FOUND and OWN_REQUEST for the right invoice, PAYMENT_NOT_REVERSIBLE, INVOICE_NOT_PAYABLE, INVALID_REQUEST
 * @throws SecondPersonNeeded
 */
export async function reversePayment({
  change,
  caller,
  row: { payment, invoice },
  params: { receiptNumber: receipt },
  body: { kind, reason, moveTo },
  hasSecondPerson,
  registry,
}: CaseAct<typeof reversals.reversePayment, PaidInvoice>): Promise<StaffInvoice> {
  if ((kind === 'wrong-invoice') !== (moveTo !== undefined))
    throw refuseField('moveTo', moveTo === undefined ? 'Enter the invoice that it pays' : 'Only a payment of the wrong invoice is moved');
  const target = moveTo === undefined ? null : await targetOf(change, moveTo, invoice);
  if (target) await refuseOwnAccount(change, target.accountName, caller);
  await reverse(change, { caller, hasSecondPerson, registry, receipt, payment, invoice, kind, reason, target });
  return forStaff(await invoiceByNumber(change, invoice.number), registry.today);
}

type Undoing = Pick<Act<typeof bankStatements.undoBankLine>, 'change' | 'caller' | 'hasSecondPerson' | 'registry'> & {
  bankLineId: string;
  reason: string;
};

/**
 * Reverses every payment that was recorded from a transfer of a bank statement, so that it can be matched again.
 * @throws Failure OWN_REQUEST, PAYMENT_NOT_REVERSIBLE for one of which something went back to the payer @throws SecondPersonNeeded
 */
export async function reverseMatch({ change, caller, hasSecondPerson, registry, bankLineId, reason }: Undoing): Promise<void> {
  const payments = await change.rows<{ receipt: string; invoice: string; reversed: string | null; kind: string | null }>(sql`
    select 'REC-' || substr(i.number, 5) || '-' || p.place as receipt, i.number as invoice, r.number as reversed, r.kind
    from (select *, row_number() over (partition by invoice_id order by payment_id) as place from payment
        where invoice_id in (select invoice_id from payment where bank_line_id = ${bankLineId}::bigint)) p
      join invoice i using (invoice_id) left join payment_reversal r using (payment_id)
    where p.bank_line_id = ${bankLineId}::bigint order by i.number, p.payment_id`);
  const returned = payments.find(({ kind }) => kind !== null && kind !== 'unmatched' && kind !== 'wrong-invoice');
  if (returned)
    throw refuse('PAYMENT_NOT_REVERSIBLE', {
      receipt: returned.receipt,
      why: `${returned.reversed} reversed it already: the money went back. Set aside what is left, or record it by hand`,
    });
  const standing = payments.filter(({ reversed }) => reversed === null);
  // All before the first is counted: what waits for a limit holds nothing that the one before it needs.
  const locked: (PaidInvoice & { receipt: string })[] = [];
  for (const { receipt } of standing) {
    const paid = await lockPayment(change, receipt, undefined);
    if (!allowedIn(invoiceLife.reverse).includes(paid.invoice.state)) throw writtenOff(receipt, paid.invoice.number);
    locked.push({ receipt, ...paid });
  }
  const accounts = new Set(locked.map(({ invoice }) => invoice.accountName));
  for (const accountName of accounts) await refuseOwnAccount(change, accountName, caller);
  // Several accounts must not learn of each other.
  if (accounts.size === 1) await change.concerns([...accounts][0]!);
  for (const { receipt, payment, invoice } of locked) {
    // An invoice that two payments of the transfer paid is another one after the first is reversed.
    const now = await invoiceByNumber(change, invoice.number);
    await reverse(change, { caller, hasSecondPerson, registry, receipt, payment, invoice: now, kind: 'unmatched', reason, target: null });
  }
}

type Reversing = Omit<Undoing, 'change' | 'bankLineId'> & {
  receipt: string;
  payment: Payment;
  invoice: InvoiceRow;
  kind: RecordedReversalKind;
  target: InvoiceRow | null;
};

/** Every reversal passes here. The invoice and the target are locked. @throws Failure PAYMENT_NOT_REVERSIBLE @throws SecondPersonNeeded */
async function reverse(
  change: Change,
  { caller, hasSecondPerson, registry, receipt, payment, invoice, kind, reason, target }: Reversing,
): Promise<void> {
  const { today } = registry;
  const { accountName, currency, number } = invoice;
  const [amount, paid] = [cents(payment.amount), cents(invoice.paid)];
  const used = amount - cents(payment.becameCredit);
  const fromInvoice = used < paid ? used : paid;
  const fromCredit = amount - fromInvoice;
  const credit = await creditOf(change, accountName);
  if (fromCredit > credit)
    throw refuse('PAYMENT_NOT_REVERSIBLE', {
      receipt,
      why: `${inCurrency(currency, fromCredit)} of it became credit, of which ${inCurrency(currency, credit)} is left`,
    });
  const act = { caller, hasSecondPerson, registry };
  const limitedActId = await countMoney(change, { ...act, limit: 'given', accountName, amount });
  const receivedActId = await countAct(change, {
    ...act,
    limit: 'received',
    accountName: target?.accountName ?? null,
    amount: target ? amount : 0n,
  });
  const isDueAgain = fromInvoice > 0n;
  const payBy = daysAfter(today, DAYS_AGAIN);
  // Paying a cent and taking it back would give time again and again.
  const days = isDueAgain ? moreDays({ today, until: payBy, extendedUntil: invoice.extendedUntil }) : 0;
  await countAct(change, { ...act, limit: 'time', accountName, amount: wholeUnits(days) });
  const reversal = await numberedReversal(change, today);
  const movedTo =
    target && (await move(change, { payment, target, reversal: reversal.number, recordedBy: caller.loginId, limitedActId: receivedActId }));
  const { paymentReversalId } = await change
    .insertInto('paymentReversal')
    .values({
      ...reversal,
      accountName,
      paymentId: payment.paymentId,
      kind,
      reversedOn: today,
      amount: payment.amount,
      fromCredit: printCents(fromCredit),
      movedTo,
      reason,
      reversedBy: caller.loginId,
      reversedAt: change.now,
      limitedActId,
    })
    .returning('paymentReversalId')
    .executeTakeFirstOrThrow();
  if (fromCredit > 0n)
    await change
      .insertInto('accountCredit')
      .values({ accountName, amount: printCents(-fromCredit), paymentReversalId, at: change.now })
      .execute();
  if (isDueAgain) await makeDueAgain(change, invoice, { paid: paid - fromInvoice, payBy });
  await change.note({
    reversal: reversal.number,
    invoice: number,
    receipt,
    amount: payment.amount,
    reason,
    ...(target && { movedTo: target.number }),
  });
  const termEnds = isDueAgain && invoice.state === 'paid' ? await endTermBefore(change, invoice) : null;
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    text: billingTexts.written('paymentReversed', {
      accountName,
      invoice: number,
      words: wordsOf({
        kind,
        amount,
        fromInvoice,
        payBy: isDueAgain ? payBy : null,
        receivedOn: payment.receivedOn,
        termEnds,
        reversal: reversal.number,
        reason,
        invoice,
      }).join('\n\n'),
    }),
  });
}

/** The invoice that a payment is moved to. @throws Failure NOT_FOUND, INVOICE_NOT_PAYABLE, INVALID_REQUEST */
async function targetOf(change: Change, number: string, { number: from, currency }: InvoiceRow): Promise<InvoiceRow> {
  if (number === from) throw refuseField('moveTo', 'It is recorded for this invoice');
  const target = await invoiceByNumber(change, number);
  if (target.currency !== currency) throw refuseField('moveTo', `${number} is in ${target.currency}, the payment in ${currency}`);
  refuseUnpayable(target);
  return target;
}

/** Records a payment for the right invoice, of the day it came; of the first open day, if that is closed. Returns its id. */
async function move(
  change: Change,
  {
    payment,
    target: { number },
    reversal,
    recordedBy,
    limitedActId,
  }: { payment: Payment; target: InvoiceRow; reversal: string; recordedBy: string; limitedActId: number | null },
): Promise<number> {
  const { amount, method, bankLineId } = payment;
  const receivedOn = await openDay(change, payment.receivedOn);
  const reference = `${payment.reference} (${reversal})`;
  const received =
    method === 'card'
      ? ({ method: 'card', amount, receivedOn, reference } as const)
      : ({
          method: 'bank transfer',
          amount,
          receivedOn,
          reference,
          recordedBy,
          limitedActId: limitedActId!,
          // It is still of this transfer.
          ...(bankLineId !== null && { bankLineId }),
        } as const);
  const settled = await settleInvoice(change, number, received);
  await notifyAboutPayment(change, number, { received, ...settled });
  const { paymentId } = await change
    .selectFrom('payment')
    .select('paymentId')
    .where('reference', '=', reference)
    .orderBy('paymentId', 'desc')
    .executeTakeFirstOrThrow();
  return paymentId;
}

/** Returns the number after the last reversal of the year. A concurrent caller waits until this change ends, so that there are neither gaps nor duplicates. */
async function numberedReversal(change: Change, today: string): Promise<{ number: string; year: number; sequence: number }> {
  await lockByName(change, 'billing.reversalNumbers');
  const year = Number(today.slice(0, 4));
  const { last } = await change
    .selectFrom('paymentReversal')
    .select(({ fn }) => fn.max('sequence').as('last'))
    .where('year', '=', year)
    .executeTakeFirstOrThrow();
  const sequence = (last ?? 0) + 1;
  return { number: `RV-${year}-${String(sequence).padStart(6, '0')}`, year, sequence };
}

/** Sets what is still paid of an invoice, and gives it days to be paid again. */
async function makeDueAgain(
  change: Change,
  { invoiceId, extendedUntil }: InvoiceRow,
  { paid, payBy }: { paid: Cents; payBy: string },
): Promise<void> {
  await change
    .updateTable('invoice')
    .set({
      paid: printCents(paid),
      state: paid === 0n ? 'issued' : 'partly-paid',
      paidOn: null,
      ...((extendedUntil ?? '') < payBy && { extendedUntil: payBy }),
    })
    .where('invoiceId', '=', invoiceId)
    .execute();
}

/**
 * Ends the term of an invoice that is no longer paid as it ended before, if no later one was paid, so that the clock of memberships follows its invoice again; the first
 * term of a sign-up ends before it began. Returns that day; null where the membership stays as it is.
 */
async function endTermBefore(change: Change, invoice: InvoiceRow): Promise<string | null> {
  const { accountName, periodFrom, periodTo } = invoice;
  const { accountStatus, expiryDate } = await accountNamed(change, accountName);
  if (!isOfTerm(invoice) || accountStatus === 'closed' || expiryDate !== periodTo) return null;
  const termEnds = daysAfter(periodFrom, -1);
  await setTermEnd(change, accountName, termEnds);
  await change.note({ before: { termEnds: periodTo }, after: { termEnds } });
  return termEnds;
}

type Told = {
  kind: RecordedReversalKind;
  amount: Cents;
  fromInvoice: Cents;
  payBy: string | null;
  receivedOn: string;
  termEnds: string | null;
  reversal: string;
  reason: string;
  invoice: InvoiceRow;
};

function wordsOf({ kind, amount, fromInvoice, payBy, receivedOn, termEnds, reversal, reason, invoice }: Told): string[] {
  const { number, currency, accountName } = invoice;
  return [
    `The payment of ${inCurrency(currency, amount)} of ${dayInFull(receivedOn)} for ${number} was reversed with ${reversal}. ${recordedReversalKinds[kind]}.`,
    ...(payBy === null ? [] : [`${inCurrency(currency, fromInvoice)} of ${number} is due again. Please pay it by ${dayInFull(payBy)}.`]),
    ...(fromInvoice < amount ? [`${inCurrency(currency, amount - fromInvoice)} of it was account credit, which is taken back.`] : []),
    ...(termEnds === null || payBy === null
      ? []
      : [
          `The membership of ${accountName} is paid until ${dayInFull(termEnds)}. The account is neither suspended nor closed before ${dayInFull(payBy)}.`,
        ]),
    `Reason: ${reason}`,
  ];
}
