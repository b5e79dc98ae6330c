import { type BillingStep, billingSteps } from '@portal/contract/billing/billing';
import { daysAfter } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { BillingCalendar } from '../../../profile.ts';
import { billedTypes } from '../fees/fee-schedules.ts';
import { workingDay } from './holidays.ts';

/** Returns the latest of several days, ignoring unknown ones. */
const latest = (...days: readonly (string | null)[]): string =>
  days.reduce<string>((last, day) => (day !== null && day > last ? day : last), '');

/** The current or last term of an account, and the steps taken for it. */
export type Term = {
  accountName: string;
  /** Its last day. */
  termEnd: string;
  /** The days of the steps that were done. */
  done: Partial<Record<BillingStep, string>>;
  /** The day on which the member requested the next invoice in advance. */
  advance: string | null;
  /** The day on which the fees of the next term were announced; null where they are not yet, and it isn’t billed. */
  feesAnnounced: string | null;
  /** The invoice of the next term, where one was issued. */
  invoice: { number: string; dueOn: string; settled: boolean; extendedUntil: string | null } | null;
  /** Days after its end on which no account is suspended or closed. */
  holidays: readonly string[];
};

/** The next step of a term, and its day. */
export type NextStep = { step: BillingStep; day: string };

/** Days after an account’s closing by the calendar on which holidays still count: more time than this is not given. */
const MAX_EXTENSION = 740;

/**
 * The next step of the clock; null when there is none: the invoice was paid or cancelled, or the account is closed. More time shifts suspension and closing,
 * and the reminders with them, not the day the invoice is due: who is suspended already is closed no earlier than that day, who is not is suspended on it
 * and closed as long after it as the calendar has between the two. A term whose fees are announced late is billed on that day. Neither falls on a holiday, nor before the invoice is due: both move to the next day that is none.
 */
export function nextStep({ termEnd, done, advance, feesAnnounced, invoice, holidays }: Term, calendar: BillingCalendar): NextStep | null {
  const { reminderDays, invoiceDays, suspensionDays, secondReminderDays, closingWarningDays, closingDays } = calendar;
  const open = (step: BillingStep, day: string): NextStep | null => (done[step] === undefined ? { step, day } : null);
  // A member who requested the invoice needs no reminder that it will come.
  const reminder = advance === null ? open('reminder', daysAfter(termEnd, -reminderDays)) : null;
  if (reminder) return reminder;
  if (feesAnnounced === null && done.invoice === undefined) return null;
  const before = open('holdings', advance ?? termEnd) ?? open('invoice', latest(advance ?? daysAfter(termEnd, invoiceDays), feesAnnounced));
  if (before) return before;
  if (!invoice || invoice.settled) return null;
  const { extendedUntil, dueOn } = invoice;
  if (done.suspension === undefined)
    return { step: 'suspension', day: workingDay(latest(daysAfter(termEnd, suspensionDays), dueOn, extendedUntil), holidays) };
  const closing = workingDay(latest(daysAfter(done.suspension, closingDays - suspensionDays), extendedUntil), holidays);
  return (
    open('second-reminder', daysAfter(closing, secondReminderDays - closingDays)) ??
    open('closing-warning', daysAfter(closing, closingWarningDays - closingDays)) ??
    open('closing', closing)
  );
}

/** The day from which the days to pay are counted, of an invoice issued on a day: the end of the term, unless its fees were announced too late for that. */
export const billedFrom = ({ termEnd }: Pick<Term, 'termEnd'>, issuedOn: string, { invoiceDays }: BillingCalendar): string =>
  issuedOn > daysAfter(termEnd, invoiceDays) ? issuedOn : termEnd;

/**
 * The steps of a term until a day, as they come if nothing more is paid. Steps that are due already keep their own day.
 */
export function stepsAhead(term: Term, until: string, calendar: BillingCalendar): NextStep[] {
  const steps: NextStep[] = [];
  let at = term;
  for (let next = nextStep(at, calendar); next && next.day <= until; next = nextStep(at, calendar)) {
    steps.push(next);
    at = {
      ...at,
      done: { ...at.done, [next.step]: next.day },
      invoice:
        next.step === 'invoice' && !at.invoice
          ? {
              number: '',
              dueOn: workingDay(daysAfter(billedFrom(at, next.day, calendar), calendar.dueDays), at.holidays),
              settled: false,
              extendedUntil: null,
            }
          : at.invoice,
    };
    if (next.step === 'closing') break;
  }
  return steps;
}

/** The day an account closes if nothing is paid; null before its term is that far. */
export function closingDay({ termEnd, done, invoice, holidays }: Term, { suspensionDays, closingDays }: BillingCalendar): string {
  const extendedUntil = invoice?.extendedUntil ?? null;
  const suspended =
    done.suspension ?? workingDay(latest(daysAfter(termEnd, suspensionDays), invoice?.dueOn ?? null, extendedUntil), holidays);
  return workingDay(latest(daysAfter(suspended, closingDays - suspensionDays), extendedUntil), holidays);
}

/** Steps in the order of a day on which several are due. */
export const orderOf = (step: BillingStep): number => Object.keys(billingSteps).indexOf(step);

/** Terms that the clock follows: of open accounts that pay a fee and have a term end, since billing began. */
export const termsWhere = (read: Read, calendar: BillingCalendar, where: RawBuilder<unknown>): Promise<Term[]> =>
  read.rows(sql<Term>`
    select a.account_name, a.expiry_date as term_end,
      coalesce((select jsonb_object_agg(s.step, s.day) from billing_step s where s.account_name = a.account_name and s.term_end = a.expiry_date), '{}')
        -- The first term is invoiced when the account is approved; the clock only follows that invoice, if its payment was reversed.
        || coalesce((select jsonb_build_object('reminder', i.issued_on, 'holdings', i.issued_on, 'invoice', i.issued_on) from invoice i
          where i.account_name = a.account_name and i.kind = 'sign-up' and i.state <> 'cancelled' and i.period_from = a.expiry_date + 1), '{}') as done,
      (select n.requested_on from advance_invoice n where n.account_name = a.account_name and n.term_end = a.expiry_date) as advance,
      (select s.announced_on from fee_schedule s where s.account_kind = ${JSON.stringify(billedTypes)}::jsonb ->> a.account_type
        and a.expiry_date + 1 between s.valid_from and s.valid_until) as fees_announced,
      (select json_build_object('number', i.number, 'dueOn', i.due_on, 'settled', i.state in ('paid', 'cancelled', 'written-off'), 'extendedUntil', i.extended_until)
        from invoice i where i.account_name = a.account_name and i.kind in ('renewal', 'sign-up') and i.period_from = a.expiry_date + 1
        order by i.state = 'cancelled', i.invoice_id desc limit 1) as invoice,
      coalesce((select json_agg(h.day order by h.day) from holiday h where h.day between a.expiry_date and a.expiry_date + ${calendar.closingDays + MAX_EXTENSION}::integer), '[]') as holidays
    from account a, billing_start b
    where a.account_status in ('open', 'suspended', 'lost') and a.account_type = any(${Object.keys(billedTypes)}::text[])
      and a.expiry_date >= b.first_end and ${where}`);

/** The term of one account; undefined if the clock doesn't follow it. */
export const termOf = async (read: Read, calendar: BillingCalendar, accountName: string): Promise<Term | undefined> =>
  (await termsWhere(read, calendar, sql`a.account_name = ${accountName}`))[0];
