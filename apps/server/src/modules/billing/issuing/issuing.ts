import type { ActivityInfo, Change, Database } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { notifyPayersAndBillingAddress } from '../billing-notices.ts';
import type { InvoiceContent } from '../invoices/invoice-content.ts';
import { keepEInvoice } from '../invoices/e-invoices.ts';
import { creditorReference } from '../invoices/payment-references.ts';
import { printAndKeep } from '../invoices/stored-invoice.ts';
import { cents, inCurrency } from '../money.ts';
import { notifyAboutPayment, settleInvoice } from '../payments/payments.ts';
import type { ScheduleContext } from '../membership/step.ts';
import { billingTexts } from '../mail-texts.ts';

/** How often to print an invoice again because its number or contents changed meanwhile. */
const MAX_ATTEMPTS = 5;

/** An invoice and its PDF, before it is issued. */
export type PrintedInvoice = { content: InvoiceContent; file: KeptFile };

type Issuing = {
  activity: ActivityInfo;
  /** Computes the contents and locks what they depend on; null if there is nothing left to issue. */
  compose: (change: Change) => Promise<InvoiceContent | null>;
  /** Records in the same change what the invoice is for. */
  record: (change: Change, invoiceId: number) => Promise<void>;
  /** First sentence of the e-mail: what the invoice is for. */
  purpose: (content: InvoiceContent) => string;
  /** Printed before. */
  ahead?: PrintedInvoice | undefined;
  /** Called when only writing is left. */
  onPrinted?: ((content: InvoiceContent) => void) | undefined;
};

/**
 * Issues an invoice with its PDF, e-mails it to its payers and uses the account's credit for it. Its contents are computed in a change that is rolled
 * back, printed and stored outside of any change, and computed again in the final change: the PDF is issued only if both are equal. @throws what
 * `compose` throws; Error if the contents keep changing
 */
export async function issueInvoice(db: Database, issuing: Issuing, context: ScheduleContext): Promise<void> {
  const { activity, compose, onPrinted } = issuing;
  let printed = issuing.ahead;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { content, file } = printed ?? (await printAhead(db, activity, compose, context)) ?? {};
    if (!content || !file) return;
    printed = undefined;
    onPrinted?.(content);
    try {
      return await db.change(activity, async change => {
        const again = await compose(change);
        if (again === null) return;
        if (JSON.stringify(again) !== JSON.stringify(content)) throw new InvoiceChanged();
        await issuing.record(change, await writeInvoice(change, content, file, context.profile));
        await change.note({ invoice: content.number, total: content.total, sha256: file.sha256 });
        await notifyAboutInvoice(change, content, issuing.purpose(content), context);
        if (cents(content.credit) === 0n) return;
        const received = { method: 'credit', amount: content.credit, receivedOn: content.issuedOn } as const;
        const { left, rest } = await settleInvoice(change, content.number, received);
        if (left === 0n) await notifyAboutPayment(change, content.number, { received, left, rest });
      });
    } catch (error) {
      if (!(error instanceof InvoiceChanged)) throw error;
    }
  }
  throw new Error(`An invoice of ${activity.accountName} changed whenever it was printed.`);
}

/** Computes and prints an invoice without issuing it; null if there is nothing to issue. */
export async function printAhead(
  db: Database,
  activity: ActivityInfo,
  compose: (change: Change) => Promise<InvoiceContent | null>,
  context: ScheduleContext,
): Promise<PrintedInvoice | null> {
  const content = await db.rehearse(activity, compose);
  return content && { content, file: await printAndKeep(content, context) };
}

async function notifyAboutInvoice(change: Change, content: InvoiceContent, purpose: string, { profile }: ScheduleContext): Promise<void> {
  const { number, accountName, currency, dueOn } = content;
  const [total, credit] = [cents(content.total), cents(content.credit)];
  await notifyPayersAndBillingAddress(change, {
    topic: 'billing.invoices',
    accountName,
    attaches: { what: 'issued-invoice', number },
    text: billingTexts.written('newInvoice', {
      accountName,
      invoice: number,
      total: inCurrency(currency, total),
      purpose,
      ofAccountCredit:
        credit > 0n ? `${inCurrency(currency, credit)} of account credit was used. ${inCurrency(currency, total - credit)} is due.` : '',
      dueOn: dayInFull(dueOn),
      paymentInstructions: [...profile.paymentInstructions, `Reference: ${creditorReference(number)}`].join('\n'),
    }),
  });
}

/** Something on the invoice changed since it was printed. */
export class InvoiceChanged extends Error {}

type KeptFile = { sha256: string; bytes: number };

/** Stores an invoice as printed, with its e-invoice where its payer gets them, and returns its id. */
export async function writeInvoice(
  change: Change,
  invoice: InvoiceContent,
  { sha256, bytes }: KeptFile,
  profile: Profile,
): Promise<number> {
  const { lines, credit: _, ...content } = invoice;
  await change
    .insertInto('storedFile')
    .values({ sha256, bytes, kind: 'pdf', storedAt: change.now, checked: 'not-checked' })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const { invoiceId } = await change
    .insertInto('invoice')
    .values({ ...content, sha256 })
    .returning('invoiceId')
    .executeTakeFirstOrThrow();
  await change
    .insertInto('invoiceLine')
    .values(lines.map((line, place) => ({ ...line, invoiceId, position: place + 1 })))
    .execute();
  await keepEInvoice(change, invoiceId, invoice, profile);
  return invoiceId;
}
