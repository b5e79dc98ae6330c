import type { BillingStep } from '@portal/contract/billing/billing';
import { daysAfter } from '@portal/contract/days';
import type { ActivityInfo, Change, Database } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/pdf/glyphs.ts';
import { accountNamed } from '../accounts/index.ts';
import { notifyPayersAndBillingAddress } from './billing-notices.ts';
import { composeRenewal, type InvoiceContent } from './invoice-content.ts';
import { holdingsOn, scheduleOn } from './fee-schedules.ts';
import { printInvoice } from './invoice-printer.ts';
import { cents, inCurrency } from './money.ts';
import { settleInvoice, notifyAboutPayment } from './payments.ts';
import { type ScheduleContext, lockTerm, recordStep } from './step.ts';
import type { Term } from './term.ts';

/** How often to print an invoice again because its number or contents changed meanwhile. */
const MAX_ATTEMPTS = 5;

type Issue = { term: Term; day: string; activity: ActivityInfo };

/**
 * Issues the invoice of the next term, with its PDF. Its contents are computed in a change that is rolled back, printed and stored outside of any change, and
 * computed again in the final change: only if both are equal is the PDF the invoice.
 * @throws StaleStep, Error if the contents never stayed equal
 */
export async function issueRenewal(db: Database, { term, day, activity }: Issue, context: ScheduleContext): Promise<void> {
  const { profile } = context;
  const compose = async (change: Change): Promise<{ content: InvoiceContent; orgName: string }> => {
    const { orgName } = await lockTerm(change, { term, step: 'invoice', day });
    const counted = await change
      .selectFrom('billingStep')
      .select(['ipv4', 'ipv6', 'asns'])
      .where('accountName', '=', term.accountName)
      .where('termEnd', '=', term.termEnd)
      .where('step', '=', 'holdings')
      .executeTakeFirstOrThrow();
    const holdings = { ipv4: BigInt(counted.ipv4!), ipv6: BigInt(counted.ipv6!), asns: counted.asns! };
    return {
      content: await composeRenewal(change, { accountName: term.accountName, termEnd: term.termEnd, issuedOn: day, holdings }, profile),
      orgName,
    };
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { content } = await db.rehearse(activity, compose);
    const file = await print(content, context);
    try {
      return await db.change(activity, async change => {
        const { content: again, orgName } = await compose(change);
        if (JSON.stringify(again) !== JSON.stringify(content)) throw new InvoiceChanged();
        await write(change, content, file);
        await recordStep(change, { term, step: 'invoice', day });
        const owed = inCurrency(content.currency, cents(content.total) - cents(content.credit));
        await change.note({ invoice: content.number, total: content.total, sha256: file.sha256 });
        await notifyPayersAndBillingAddress(change, {
          topic: 'billing.invoices',
          accountName: content.accountName,
          subject: `${content.accountName}: invoice ${content.number}, ${inCurrency(content.currency, cents(content.total))}`,
          body: [
            `The membership of ${orgName} ${day > term.termEnd ? 'ended' : 'ends'} on ${dayInWords(term.termEnd)}. Invoice ${content.number} renews it until ${dayInWords(content.periodTo)}: ${inCurrency(content.currency, cents(content.total))}.`,
            ...(cents(content.credit) > 0n
              ? [`${inCurrency(content.currency, cents(content.credit))} of account credit was used. ${owed} is due.`]
              : []),
            `It’s due on ${dayInWords(content.dueOn)}. Find the invoice under Billing in the portal.`,
            [...profile.paymentInstructions, `Reference: ${content.number} ${content.accountName}`].join('\n'),
            'Please pay the full amount. The payer covers bank charges and withheld taxes.',
          ],
        });
        if (cents(content.credit) === 0n) return;
        const received = { method: 'credit', amount: content.credit, receivedOn: content.issuedOn } as const;
        const { left, rest } = await settleInvoice(change, content.number, received);
        if (left === 0n) await notifyAboutPayment(change, content.number, { received, left, rest });
      });
    } catch (error) {
      if (!(error instanceof InvoiceChanged)) throw error;
    }
  }
  throw new Error(`The invoice of ${term.accountName} changed whenever it was printed.`);
}

/** Something on the invoice is no longer as it was printed. */
class InvoiceChanged extends Error {}

type KeptFile = { sha256: string; bytes: number };

/** More than an invoice has. */
const LARGEST = 4 * 1024 * 1024;

/** Prints an invoice and puts it among the files. One that no invoice names in the end is swept away. */
async function print(invoice: InvoiceContent, { profile, store, fonts }: Omit<ScheduleContext, 'now'>): Promise<KeptFile> {
  const pdf = await printInvoice({ invoice, profile, fonts: [...fonts] });
  const incoming = await store.receive(
    (async function* () {
      yield pdf;
    })(),
    { largest: LARGEST, firstBytes: () => {} },
  );
  await incoming.keep();
  return { sha256: incoming.sha256, bytes: pdf.length };
}

async function write(change: Change, invoice: InvoiceContent, { sha256, bytes }: KeptFile): Promise<void> {
  const { lines, credit: _, ...content } = invoice;
  await change
    .insertInto('storedFile')
    .values({ sha256, bytes, kind: 'pdf', storedAt: change.now, checked: 'NOT_CHECKED' })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const { invoiceId } = await change
    .insertInto('invoice')
    .values({ ...content, kind: 'RENEWAL', sha256 })
    .returning('invoiceId')
    .executeTakeFirstOrThrow();
  await change
    .insertInto('invoiceLine')
    .values(lines.map((line, place) => ({ ...line, invoiceId, position: place + 1 })))
    .execute();
}

/** A renewal of the past, with what became of it. */
export type PastRenewal = {
  accountName: string;
  termEnd: string;
  /** Completed steps of the schedule, with their days. */
  steps: Partial<Record<BillingStep, string>>;
  paid?: { on: string; reference: string; recordedBy: string };
  extendedUntil?: string;
};

/**
 * Records a renewal that a registry brings along: without notices, and without changing the account, except for the end of its term if it was paid. Nothing else issues
 * invoices meanwhile.
 */
export async function recordPastRenewal(
  db: Database,
  { accountName, termEnd, steps, paid, extendedUntil }: PastRenewal,
  { activity, ...context }: Omit<ScheduleContext, 'now'> & { activity: ActivityInfo },
): Promise<void> {
  const { profile } = context;
  const compose = async (change: Change): Promise<InvoiceContent> => {
    const { accountType } = await accountNamed(change, accountName);
    const schedule = await scheduleOn(change, accountType, daysAfter(termEnd, 1));
    const holdings = await holdingsOn(change, accountName, termEnd, schedule, profile.timeZone);
    return composeRenewal(change, { accountName, termEnd, issuedOn: daysAfter(termEnd, 1), holdings }, profile);
  };
  const content = await db.rehearse(activity, compose);
  const file = await print(content, context);
  await db.change(activity, async change => {
    if (JSON.stringify(await compose(change)) !== JSON.stringify(content)) throw new InvoiceChanged();
    await write(change, content, file);
    const { ipv4, ipv6, asns } = content;
    for (const [step, day] of Object.entries(steps) as [BillingStep, string][])
      await recordStep(change, { term: { accountName, termEnd }, step, day }, step === 'holdings' ? { ipv4, ipv6, asns } : undefined);
    if (extendedUntil) await change.updateTable('invoice').set({ extendedUntil }).where('number', '=', content.number).execute();
    if (paid)
      await settleInvoice(change, content.number, {
        method: 'bank transfer',
        amount: content.total,
        receivedOn: paid.on,
        reference: paid.reference,
        recordedBy: paid.recordedBy,
      });
  });
}
