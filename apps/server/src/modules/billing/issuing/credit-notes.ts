import { sql } from 'kysely';
import { isOfTerm } from '@portal/contract/billing/billing';
import { type Change, lockByName } from '../../../platform/database/index.ts';
import type { Registry } from '../../../platform/registry.ts';
import { notifyPayersAndBillingAddress } from '../billing-notices.ts';
import { keepCreditEInvoice } from '../invoices/e-invoices.ts';
import type { InvoiceRow } from '../invoices/invoices.ts';
import { type Cents, cents, inCurrency, printCents } from '../money.ts';
import { renew } from '../payments/payments.ts';
import { taxOfNote } from './note-tax.ts';
import { billingTexts } from '../mail-texts.ts';

type Credit = {
  /** Locked. */
  invoice: InvoiceRow;
  /** At most what is left of it. */
  credits: Cents;
  reason: string;
  /** The person and the count under the limit; null for the fee of a case that ended, which no person gives. */
  issuedBy: { loginId: string; limitedActId: number } | null;
};

/**
 * Issues a credit note, with its e-invoice and the mail that carries both. An excess payment becomes credit of the account. An invoice that is credited in full is cancelled;
 * one whose rest is already paid becomes paid, and renews the term.
 */
export async function creditInvoice(
  change: Change,
  { invoice, credits, reason, issuedBy }: Credit,
  { today, profile }: Pick<Registry, 'today' | 'profile'>,
): Promise<void> {
  const { number, accountName, accountStatus, currency, periodTo, invoiceId } = invoice;
  const [total, paid, credited] = [cents(invoice.total), cents(invoice.paid), cents(invoice.credited)];
  const left = total - credited;
  const tax = await taxOf(change, invoice, credits);
  const note = await numberedNote(change, today);
  const sums = { subtotal: printCents(credits - tax), tax: printCents(tax), total: printCents(credits) };
  const { creditNoteId } = await change
    .insertInto('creditNote')
    .values({
      ...note,
      accountName,
      invoiceId,
      issuedOn: today,
      ...sums,
      reason,
      issuedBy: issuedBy?.loginId ?? null,
      issuedAt: change.now,
      limitedActId: issuedBy?.limitedActId ?? null,
    })
    .returning('creditNoteId')
    .executeTakeFirstOrThrow();
  await keepCreditEInvoice(change, number, { number: note.number, issuedOn: today, ...sums, reason }, profile);
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
  // The line may be that of another account: a transfer ends as its sender's, and the recipient pays the fee. Each reads of its own invoices only.
  const [line] = await change.rows<{ of: string | null }>(
    sql`select account_name as "of" from activity where activity_id = ${change.activityId}`,
  );
  if (line!.of === accountName) await change.note({ invoice: number, creditNote: note.number, amount: printCents(credits), reason });
  if (isPaid && isOfTerm(invoice) && invoice.state !== 'paid' && accountStatus !== 'closed')
    await renew(change, { accountName, accountStatus, periodTo });
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    attaches: { what: 'issued-credit-note', number: note.number },
    text: isCancelled
      ? billingTexts.written('invoiceCancelled', {
          accountName,
          invoice: number,
          invoice2: note.number,
          credits: inCurrency(currency, credits),
          thatYouPaid: freed > 0n ? `${inCurrency(currency, freed)} that you paid is now account credit for your next invoice.` : '',
          reason,
        })
      : billingTexts.written('invoiceCredited', {
          accountName,
          credits: inCurrency(currency, credits),
          invoice: number,
          invoice2: note.number,
          outcome: isPaid ? 'The invoice is paid.' : `${inCurrency(currency, open - credits)} is still due.`,
          thatYouPaid: freed > 0n ? `${inCurrency(currency, freed)} that you paid is now account credit for your next invoice.` : '',
          reason,
        }),
  });
}

/** Returns the tax in a credited amount of an invoice, beside its notes so far. */
async function taxOf(change: Change, { invoiceId, tax, total }: InvoiceRow, credits: Cents): Promise<Cents> {
  const notes = await change.selectFrom('creditNote').select(['tax', 'total']).where('invoiceId', '=', invoiceId).execute();
  return taxOfNote(
    { tax: cents(tax), total: cents(total) },
    notes.map(note => ({ tax: cents(note.tax), total: cents(note.total) })),
    credits,
  );
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
