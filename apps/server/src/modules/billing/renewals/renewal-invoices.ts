import type { BillingStep } from '@portal/contract/billing/billing';
import { daysAfter } from '@portal/contract/days';
import type { ActivityInfo, Change, Database } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import type { Profile } from '../../../profile.ts';
import { accountNamed } from '../../accounts/index.ts';
import { holdingsOn, scheduleOn } from '../fees/fee-schedules.ts';
import { composeRenewal, type InvoiceContent } from '../invoices/invoice-content.ts';
import { printAndKeep } from '../invoices/stored-invoice.ts';
import { InvoiceChanged, issueInvoice, printAhead, type PrintedInvoice, writeInvoice } from '../issuing/issuing.ts';
import { countMoney } from '../limits/limited-acts.ts';
import { cents, inCurrency } from '../money.ts';
import { openDay } from '../periods/open-days.ts';
import { settleInvoice } from '../payments/payments.ts';
import { lockTerm, recordStep, type ScheduleContext } from '../membership/step.ts';
import { billedFrom, type Term } from '../membership/term.ts';

type Issue = { term: Term; day: string; activity: ActivityInfo };

/** @throws StaleStep */
async function compose(
  change: Change,
  { term, day }: Omit<Issue, 'activity'>,
  { profile, sequence }: { profile: Profile; sequence?: number | undefined },
): Promise<InvoiceContent> {
  await lockTerm(change, { term, step: 'invoice', day }, profile.billingCalendar);
  const counted = await change
    .selectFrom('billingStep')
    .select(['ipv4', 'ipv6', 'asns'])
    .where('accountName', '=', term.accountName)
    .where('termEnd', '=', term.termEnd)
    .where('step', '=', 'holdings')
    .executeTakeFirstOrThrow();
  const holdings = { ipv4: BigInt(counted.ipv4!), ipv6: BigInt(counted.ipv6!), asns: counted.asns! };
  const { accountName, termEnd } = term;
  // A step that is caught up with after its month was closed is billed in the open one.
  const issuedOn = await openDay(change, day);
  const renewal = { accountName, termEnd, issuedOn, holdings, billedFrom: billedFrom(term, issuedOn, profile.billingCalendar) };
  return composeRenewal(change, renewal, profile, sequence);
}

/**
 * Computes and prints an invoice without issuing it, with the next number or a predicted one: thousands of invoices take half the time if each is
 * printed while the previous one is written. If the prediction was wrong, it is printed again.
 * @throws StaleStep
 */
export async function printRenewal(
  db: Database,
  { activity, ...issue }: Issue,
  context: ScheduleContext,
  sequence: number,
): Promise<PrintedInvoice> {
  const { profile } = context;
  return (await printAhead(db, activity, change => compose(change, issue, { profile, sequence }), context))!;
}

/**
 * Issues the invoice of the next term, with its PDF. `ahead` was printed in advance; `onPrinted` is called when only writing is left. @throws
 * StaleStep, Error if the contents keep changing
 */
export async function issueRenewal(
  db: Database,
  { activity, ...issue }: Issue,
  context: ScheduleContext,
  { ahead, onPrinted }: { ahead?: PrintedInvoice | undefined; onPrinted?: (invoice: InvoiceContent) => void } = {},
): Promise<void> {
  const { term, day } = issue;
  const { profile } = context;
  await issueInvoice(
    db,
    {
      activity,
      compose: change => compose(change, issue, { profile }),
      record: change => recordStep(change, { term, step: 'invoice', day }),
      purpose: ({ orgName, number, periodTo, currency, total }) =>
        `The membership of ${orgName} ${day > term.termEnd ? 'ended' : 'ends'} on ${dayInFull(term.termEnd)}. Invoice ${number} renews it until ${dayInFull(periodTo)}: ${inCurrency(currency, cents(total))}.`,
      ahead,
      onPrinted,
    },
    context,
  );
}

/** A past renewal and its outcome. */
export type PastRenewal = {
  accountName: string;
  termEnd: string;
  /** Completed steps of the schedule, with their days. */
  steps: Partial<Record<BillingStep, string>>;
  /** With the two people who recorded the payment: a history of years is recorded in a day, which is more than one may. */
  paid?: { on: string; reference: string; recordedBy: string; approvedBy: string };
  extendedUntil?: string;
};

/**
 * Records a past renewal of an imported registry: without notices, and without changing the account, except for its term end if the renewal was paid.
 * Nothing else may issue invoices at the same time.
 */
export async function recordPastRenewal(
  db: Database,
  { accountName, termEnd, steps, paid, extendedUntil }: PastRenewal,
  { activity, ...context }: Omit<ScheduleContext, 'now'> & { activity: ActivityInfo },
): Promise<void> {
  const { profile } = context;
  const composePast = async (change: Change): Promise<InvoiceContent> => {
    const { accountType } = await accountNamed(change, accountName);
    const schedule = await scheduleOn(change, accountType, daysAfter(termEnd, 1));
    const holdings = await holdingsOn({ read: change, accountName, day: termEnd, schedule, timeZone: profile.timeZone });
    return composeRenewal(
      change,
      { accountName, termEnd, issuedOn: daysAfter(termEnd, profile.billingCalendar.invoiceDays), holdings },
      profile,
    );
  };
  const content = await db.rehearse(activity, composePast);
  const file = await printAndKeep(content, context);
  await db.change(activity, async change => {
    if (JSON.stringify(await composePast(change)) !== JSON.stringify(content)) throw new InvoiceChanged();
    await writeInvoice(change, content, file, profile);
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
        limitedActId: await countMoney(change, {
          limit: 'received',
          accountName,
          amount: cents(content.total),
          caller: { loginId: paid.recordedBy, approvedBy: paid.approvedBy },
          hasSecondPerson: true,
          registry: context,
          madeAt: activity.happenedAt,
        }),
      });
  });
}
