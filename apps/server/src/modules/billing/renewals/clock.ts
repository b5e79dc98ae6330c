import type { BillingStep } from '@portal/contract/billing/billing';
import { onDayAfter } from '@portal/contract/billing/billing-calendar';
import { dayIn, daysAfter, monthsInWords } from '@portal/contract/days';
import { sql } from 'kysely';
import type { ActOf } from '../../../platform/activity-words.ts';
import { type ActivityInfo, type Change, type Database, ownActivity } from '../../../platform/database/index.ts';
import { dayInFull } from '../../../platform/day-words.ts';
import { isOutage, type RowFailure, RowsFailed } from '../../../platform/each-alone.ts';
import { accountNamed, setAccountStatus } from '../../accounts/index.ts';
import { closeAccount } from '../../organisations/index.ts';
import { areHoldingsStopped } from '../../restraints/index.ts';
import { notifyAllContacts, notifyPayers } from '../billing-notices.ts';
import { keepAnnounced } from '../fees/announcing.ts';
import { holdingsOn, scheduleOn } from '../fees/fee-schedules.ts';
import { balanceOf, type InvoiceContent } from '../invoices/invoice-content.ts';
import { lockInvoice } from '../invoices/invoices.ts';
import { creditorReference } from '../invoices/payment-references.ts';
import type { PrintedInvoice } from '../issuing/issuing.ts';
import { issueRenewal, printRenewal } from './renewal-invoices.ts';
import { cents, inCurrency } from '../money.ts';
import { isHeld, openHold } from '../membership/open-hold.ts';
import { lockTerm, recordStep, type ScheduleContext, StaleStep, type Step } from '../membership/step.ts';
import { openCheckouts } from './open-checkouts.ts';
import { waitingTransfers } from './waiting-transfers.ts';
import { closingDay, type NextStep, nextStep, orderOf, type Term, termOf, termsWhere } from '../membership/term.ts';
import { billingTexts } from '../mail-texts.ts';

const line = (action: ActOf<'billing'>, summary: string, accountName: string): ActivityInfo =>
  ownActivity(`billing.${action}`, summary, accountName);
const lineOf: Record<BillingStep, (accountName: string) => ActivityInfo> = {
  reminder: accountName => line('remindOfRenewal', 'Sent a reminder that the term ends', accountName),
  holdings: accountName => line('countHoldings', 'Counted the number resources for the next invoice', accountName),
  invoice: accountName => line('issueInvoice', 'Issued an invoice', accountName),
  suspension: accountName => line('suspendAccount', 'Suspended the account: renewal unpaid', accountName),
  'second-reminder': accountName => line('remindAgain', 'Sent a second reminder of an invoice', accountName),
  'closing-warning': accountName => line('warnOfClosing', 'Warned that the account closes', accountName),
  closing: accountName => line('closeAccount', 'Closed the account: renewal unpaid', accountName),
};

/**
 * Advances every membership to the present day of the registry's time zone: reminder, count of resources, invoice, suspension,
 * reminders, closure. Missed steps are caught up in the order of their days, each dated with its own day; a second run does nothing. Every step is
 * its own change with its own line in the log, and skips what another process has done. A failed step doesn't delay other accounts; those that failed
 * are named at the end (`RowsFailed`). While a hold is open (`holds.ts`), suspensions, closures and the steps after them wait; so do those of an account while a transfer that may pay its
 * invoice is on the bank's account and not matched (`waiting-transfers.ts`), or a person may be paying it by card (`open-checkouts.ts`), neither without end.
 * The closure of a restrained account waits as long as it is restrained.
 */
export async function runBillingSchedule(db: Database, context: ScheduleContext): Promise<void> {
  const { billingCalendar: calendar, timeZone } = context.profile;
  const today = dayIn(timeZone, context.now);
  const horizon = daysAfter(today, calendar.reminderDays);
  const held = await openHold(db.read);
  // The last one is next. Kept in order: sorting ten thousand of them after each step would take longer than the steps.
  const due: Due[] = [];
  const consider = (term: Term | undefined): void => {
    const next = term && nextStep(term, calendar);
    if (term && next && next.day <= today && !(held && isHeld(next.step))) insert(due, { ...next, term });
  };
  for (const term of await termsWhere(
    db.read,
    calendar,
    sql`(a.expiry_date <= ${horizon}::date or exists (select from advance_invoice n
    where n.account_name = a.account_name and n.term_end = a.expiry_date))`,
  ))
    consider(term);
  // The next invoice is printed while the previous one is written.
  let ahead: { accountName: string; printed: Promise<PrintedInvoice | undefined> } | undefined;
  const printNext = ({ year, sequence }: InvoiceContent): void => {
    const next = due.at(-1);
    if (next?.step !== 'invoice' || !next.day.startsWith(String(year))) return;
    const { term, day } = next;
    const issue = { term, day, activity: lineOf.invoice(term.accountName) };
    ahead = { accountName: term.accountName, printed: printRenewal(db, issue, context, sequence + 1).catch(() => undefined) };
  };
  const failures: RowFailure[] = [];
  while (due.length > 0) {
    const { term, step, day } = due.pop()!;
    const { accountName } = term;
    try {
      if (step === 'invoice') {
        const printed = ahead?.accountName === accountName ? await ahead.printed : undefined;
        await issueRenewal(db, { term, day, activity: lineOf.invoice(accountName) }, context, { ahead: printed, onPrinted: printNext });
      } else await db.change(lineOf[step](accountName), change => take(change, { term, step, day }, { ...context, today }));
    } catch (error) {
      if (!(error instanceof StaleStep)) {
        if (isOutage(error)) throw error;
        failures.push({ row: `${step} of ${accountName}`, error });
        continue;
      }
    }
    const after = await termOf(db.read, calendar, accountName);
    // The next run takes the step that is due by then.
    if (after && JSON.stringify(after) !== JSON.stringify(term)) consider(after);
  }
  await ahead?.printed;
  if (failures.length > 0) throw new RowsFailed(failures);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Due = NextStep & { term: Term };
/** The order of steps: by day, account, and step. */
const compareSteps = (a: Due, b: Due): number =>
  a.day === b.day ? compare(a.term.accountName, b.term.accountName) || orderOf(a.step) - orderOf(b.step) : compare(a.day, b.day);

/** Puts a step in its place among others, of which the last one comes first. */
function insert(due: Due[], step: Due): void {
  let [low, high] = [0, due.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareSteps(due[middle]!, step) > 0) low = middle + 1;
    else high = middle;
  }
  due.splice(low, 0, step);
}

/** Whether the money for an invoice may be on its way: a transfer that isn't matched, or a person on the page of the card provider. */
async function isBeingPaid(
  change: Change,
  due: { number: string; day: string },
  { today, now, profile }: Pick<ScheduleContext, 'now' | 'profile'> & { today: string },
): Promise<boolean> {
  if ((await openCheckouts(change, [due], { now, timeZone: profile.timeZone })).size > 0) return true;
  return (await waitingTransfers(change, [due.number], { today, profile })).size > 0;
}

async function take(change: Change, taken: Step, { today, now, profile }: ScheduleContext & { today: string }): Promise<void> {
  const { billingCalendar: calendar } = profile;
  const { orgName, accountStatus, term } = await lockTerm(change, taken, calendar);
  const { accountName, termEnd, invoice } = term;
  if (taken.step === 'holdings') {
    const { accountType } = await accountNamed(change, accountName);
    const schedule = await scheduleOn(change, accountType, daysAfter(termEnd, 1));
    if (!(await keepAnnounced(change, schedule))) throw new StaleStep();
    const { ipv4, ipv6, asns } = await holdingsOn({ read: change, accountName, day: taken.day, schedule, timeZone: profile.timeZone });
    await recordStep(change, taken, { ipv4: String(ipv4), ipv6: String(ipv6), asns });
    await change.note({ day: taken.day, ipv4: String(ipv4), ipv6: String(ipv6), asns });
    return;
  }
  if (isHeld(taken.step) && (await isBeingPaid(change, { number: term.invoice!.number, day: taken.day }, { today, now, profile })))
    throw new StaleStep();
  // It closes once it is no longer restrained.
  if (taken.step === 'closing' && (await areHoldingsStopped(change, accountName, now))) throw new StaleStep();
  await recordStep(change, taken);
  if (taken.step === 'reminder') {
    await change.note({ termEnds: termEnd });
    // After the end of the term this would announce something that no one can act on any more.
    if (today <= termEnd)
      await notifyPayers(change, {
        topic: 'billing.renewal',
        accountName,
        text: billingTexts.written('membershipEnds', {
          accountName,
          endsOn: dayInFull(termEnd),
          orgName,
          invoiceSentOn: onDayAfter(calendar.invoiceDays),
        }),
      });
    return;
  }
  const unpaid = await lockInvoice(change, invoice!.number);
  const { number, currency, dueOn } = unpaid;
  const owed = inCurrency(currency, cents(balanceOf(unpaid)));
  const closes = dayInFull(closingDay({ ...term, done: { ...term.done, [taken.step]: taken.day } }, calendar));
  const howToPay = [...profile.paymentInstructions, `Reference: ${creditorReference(number)}`].join('\n');
  await change.note({ invoice: number, balance: owed, day: taken.day });
  const notice = { topic: 'billing.reminders', accountName, attaches: { what: 'invoice', number } } as const;
  switch (taken.step) {
    case 'suspension':
      if (accountStatus !== 'suspended') {
        await setAccountStatus(change, accountName, 'suspended');
        await change.note({ before: { accountStatus }, after: { accountStatus: 'suspended' } });
      }
      return notifyAllContacts(change, {
        ...notice,
        text: billingTexts.written('accountSuspended', {
          accountName,
          invoice: number,
          orgName,
          endsOn: dayInFull(termEnd),
          owed,
          dueOn: dayInFull(dueOn),
          closesOn: closes,
          howToPay,
        }),
      });
    case 'second-reminder':
      return notifyAllContacts(change, {
        ...notice,
        text: billingTexts.written('secondReminderUnpaid', { invoice: number, accountName, owed, closesOn: closes, orgName, howToPay }),
      });
    case 'closing-warning':
      return notifyAllContacts(change, {
        ...notice,
        text: billingTexts.written('accountCloses', { accountName, closesOn: closes, orgName, owed, invoice: number, howToPay }),
      });
    default:
      await closeAccount(change, accountName);
      await change.note({ before: { accountStatus }, after: { accountStatus: 'closed' } });
      return notifyAllContacts(change, {
        ...notice,
        text: billingTexts.written('accountClosed', {
          accountName,
          orgName,
          owed,
          invoice: number,
          writeToAbout:
            profile.reactivationMonths === 0
              ? `Write to ${profile.billingEmail} about what is owed.`
              : `It can be reactivated within ${monthsInWords(profile.reactivationMonths)} for a fee and the amount owed: contacts who change billing details start it on the page of the account, which keeps its invoices. Write to ${profile.billingEmail} with questions.`,
        }),
      });
  }
}
