import { type BillingStep, billingSteps } from '@portal/contract/billing/billing';
import { daysAfter } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { frequent, type Read } from '../../../platform/database/index.ts';
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

/**
 * The steps of many terms until a day, as `stepsAhead`. Terms that stand alike take the same steps, whatever account and invoice they are of, so each way to stand is followed once.
 */
export function stepsAheadOf(terms: readonly Term[], until: string, calendar: BillingCalendar): (NextStep & { term: Term })[] {
  const known = new Map<string, NextStep[]>();
  return terms.flatMap(term => {
    const { termEnd, done, advance, feesAnnounced, invoice } = term;
    // Terms of one end have the same holidays.
    const stands = JSON.stringify([termEnd, done, advance, feesAnnounced, invoice && { ...invoice, number: '' }]);
    let steps = known.get(stands);
    if (!steps) {
      steps = stepsAhead(term, until, calendar);
      known.set(stands, steps);
    }
    return steps.map(step => ({ term, ...step }));
  });
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

/** A term as it is read; holidays are the same for all. */
type Stored = Omit<Term, 'holidays'>;

/** Terms that the clock follows: of open accounts that pay a fee and have a term end, since billing began. @param where a condition on the account `a` */
export async function termsWhere(read: Read, calendar: BillingCalendar, where: RawBuilder<unknown>): Promise<Term[]> {
  // Joined, not looked up account by account: of a whole registry each table is read once.
  const [rows, holidays] = await Promise.all([
    read.rows(
      frequent(sql<Stored>`
    with followed as (select a.account_name, a.account_type, a.expiry_date from account a, billing_start b
        where a.account_status in ('open', 'suspended', 'lost') and a.account_type = any(${Object.keys(billedTypes)}::text[])
          and a.expiry_date >= b.first_end and ${where}),
      stepped as (select s.account_name, jsonb_object_agg(s.step, s.day) as done from followed f join billing_step s on s.account_name = f.account_name and s.term_end = f.expiry_date
        group by s.account_name),
      invoiced as (select distinct on (i.account_name) i.account_name, json_build_object('number', i.number, 'dueOn', i.due_on, 'settled', i.state in ('paid', 'cancelled', 'written-off'),
          'extendedUntil', i.extended_until) as invoice
        from followed f join invoice i on i.account_name = f.account_name and i.period_from = f.expiry_date + 1 and i.kind in ('renewal', 'sign-up')
        order by i.account_name, i.state = 'cancelled', i.invoice_id desc),
      -- The first term is invoiced when the account is approved; the clock only follows that invoice, if its payment was reversed.
      signed_up as (select i.account_name, jsonb_build_object('reminder', i.issued_on, 'holdings', i.issued_on, 'invoice', i.issued_on) as done
        from followed f join invoice i on i.account_name = f.account_name and i.period_from = f.expiry_date + 1 and i.kind = 'sign-up' and i.state <> 'cancelled')
    select f.account_name, f.expiry_date as term_end, coalesce(stepped.done, '{}') || coalesce(signed_up.done, '{}') as done, n.requested_on as advance,
      (select s.announced_on from fee_schedule s where s.account_kind = ${JSON.stringify(billedTypes)}::jsonb ->> f.account_type
        and f.expiry_date + 1 between s.valid_from and s.valid_until) as fees_announced,
      invoiced.invoice
    from followed f left join stepped using (account_name) left join invoiced using (account_name) left join signed_up using (account_name)
      left join advance_invoice n on n.account_name = f.account_name and n.term_end = f.expiry_date`),
    ),
    read.rows<{ day: string }>(sql`select day::text from holiday order by day`),
  ]);
  // Most accounts share the end of their term with many.
  const after = new Map<string, readonly string[]>();
  for (const { termEnd } of rows) {
    if (after.has(termEnd)) continue;
    const last = daysAfter(termEnd, calendar.closingDays + MAX_EXTENSION);
    after.set(
      termEnd,
      holidays.flatMap(({ day }) => (day >= termEnd && day <= last ? [day] : [])),
    );
  }
  return rows.map(row => ({ ...row, holidays: after.get(row.termEnd)! }));
}

/** The term of one account; undefined if the clock doesn't follow it. */
export const termOf = async (read: Read, calendar: BillingCalendar, accountName: string): Promise<Term | undefined> =>
  (await termsWhere(read, calendar, sql`a.account_name = ${accountName}`))[0];
