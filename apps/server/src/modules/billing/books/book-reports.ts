import { type BookReports, type books, overdueSteps, receivableAges } from '@portal/contract/billing/books';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { allEntries, entriesOf, entriesWhere } from '../invoices/ledger.ts';
import { cents, printCents } from '../money.ts';
import { refuseMonth } from './book-months.ts';
import { type Days, daysOfMonth, monthAfter } from './journal.ts';

/** Months ahead in which fees that are paid for later are shown: the longest term, asked for as early as can be. */
const MONTHS_AHEAD = 24;

/** SQL: whether an invoice `i` is of a term that a month has something of: all others were earned whole before it, and nothing of them was charged or taken back in it. */
const isOfMonth = ({
  from,
  to,
}: Days) => sql`i.kind in ('renewal', 'sign-up') and (i.period_to >= ${from}::date or i.issued_on >= ${from}::date
    or (i.cancelled_at at time zone 'UTC')::date >= ${from}::date or i.invoice_id in (select t.invoice_id from credit_note t where t.issued_on between ${from}::date and ${to}::date))`;

/**
 * SQL: what of each term was charged and earned before a month and until its end, as the rows of `term`. A fee is earned day by day over its term, in whole
 * cents whose sum is the fee; what a credit note takes back is taken from the days before it too.
 */
const terms = (days: Days) => sql`${entriesWhere(isOfMonth(days))}, ${charged(days)}`;
const charged = ({ from, to }: Days) => sql`charged as (
    select i.invoice_id, i.period_from, i.period_to, i.period_to - i.period_from + 1 as days,
      coalesce(-sum(e.revenue) filter (where e.day < ${from}::date), 0) as net_before, coalesce(-sum(e.revenue) filter (where e.day <= ${to}::date), 0) as net_after
    from entry e join invoice i using (invoice_id) where i.kind in ('renewal', 'sign-up') and e.day <= ${to}::date and e.revenue <> 0 group by i.invoice_id),
  term as (select *, round(net_before * greatest(0, least(period_to, ${from}::date - 1) - period_from + 1) / days, 2) as earned_before,
      round(net_after * greatest(0, least(period_to, ${to}::date) - period_from + 1) / days, 2) as earned_after from charged)`;

/** Fees of terms that were charged and not earned yet: before a month, what was charged and earned in it, and after it. */
export type Deferred = Pick<BookReports['deferred'], 'before' | 'charged' | 'earned' | 'after'>;

const sumsOfTerms = sql`coalesce(sum(net_before - earned_before), 0)::numeric(14, 2)::text as before, coalesce(sum(net_after - net_before), 0)::numeric(14, 2)::text as charged,
  coalesce(sum(earned_after - earned_before), 0)::numeric(14, 2)::text as earned, coalesce(sum(net_after - earned_after), 0)::numeric(14, 2)::text as after`;

/** Returns the deferred fees of a month; `before` and `charged` less `earned` is `after`. */
export async function deferredOf(read: Pick<Read, 'rows'>, days: Days): Promise<Deferred> {
  const [row] = await read.rows(sql<Deferred>`${terms(days)} select ${sumsOfTerms} from term`);
  return row!;
}

/** Returns the same with the months in which what is deferred at the end of the month is earned, the next one first. */
async function deferredWithMonths(read: Pick<Read, 'rows'>, days: Days): Promise<BookReports['deferred']> {
  const [row] = await read.rows<Deferred & { ahead: BookReports['deferred']['ahead'] }>(sql`${terms(days)},
    ahead as (select to_char(month, 'YYYY-MM') as month, sum(round(net_after * greatest(0, least(period_to, (month + interval '1 month')::date - 1) - period_from + 1) / term.days, 2)
        - round(net_after * greatest(0, least(period_to, month::date - 1) - period_from + 1) / term.days, 2))::numeric(14, 2)::text as amount
      from term cross join lateral generate_series(greatest(${monthAfter(days)}::date, date_trunc('month', period_from)::date),
        least(period_to, (${monthAfter(days)}::date + make_interval(months => ${MONTHS_AHEAD - 1}::integer))::date), interval '1 month') month
      where period_to > ${days.to}::date group by month)
    select ${sumsOfTerms}, coalesce((select json_agg(json_build_object('month', month, 'amount', amount) order by month) from ahead), '[]') as ahead from term`);
  return { ...row!, ahead: row!.ahead.filter(({ amount }) => cents(amount) !== 0n) };
}

/** SQL: invoices of which something may be owed at the end of a day: those that are open, and those that were settled after it. */
const openOn = (day: string) => sql`select invoice_id from invoice where state not in ('paid', 'cancelled', 'written-off')
    or (cancelled_at at time zone 'UTC')::date > ${day}::date or written_off_on > ${day}::date
  union select p.invoice_id from payment p where p.received_on > ${day}::date
  union select n.invoice_id from credit_note n where n.issued_on > ${day}::date
  union select p.invoice_id from payment_reversal r join payment p using (payment_id) where r.reversed_on > ${day}::date`;

/** SQL: what is owed of each invoice at the end of a day, as the rows of `owed`. An invoice that nothing is owed of is left out. */
export const owedOn = (
  day: string,
) => sql`${entriesOf(openOn(day))}, owed as (select i.invoice_id, i.number, i.account_name, i.org_name, i.issued_on, i.due_on, sum(e.receivable) as amount,
      case when i.due_on >= ${day}::date then 'not-due' when i.due_on >= ${day}::date - 30 then 'to-30' when i.due_on >= ${day}::date - 60 then 'to-60'
        when i.due_on >= ${day}::date - 90 then 'to-90' else 'older' end as age
    from entry e join invoice i using (invoice_id) where e.day <= ${day}::date group by i.invoice_id having sum(e.receivable) <> 0)`;

/** Returns what is owed at the end of a day, by how long it is due. */
async function receivablesOn(read: Pick<Read, 'rows'>, day: string): Promise<BookReports['receivables']> {
  const rows = await read.rows<BookReports['receivables'][number]>(sql`${owedOn(day)}
    select age, count(*)::int as invoices, sum(amount)::numeric(14, 2)::text as amount from owed group by age`);
  const byAge = new Map(rows.map(row => [row.age, row]));
  return (Object.keys(receivableAges) as (keyof typeof receivableAges)[]).map(
    age => byAge.get(age) ?? { age, invoices: 0, amount: '0.00' },
  );
}

/** Returns what was charged in a month by rate of tax, less what was credited and cancelled, with the tax. */
const taxOf = (read: Pick<Read, 'rows'>, { from, to }: Days): Promise<BookReports['tax']> =>
  read.rows<BookReports['tax'][number]>(sql`${allEntries}
    select i.tax_rate::text as rate, count(*)::int as documents, (-sum(e.revenue))::numeric(14, 2)::text as net, (-sum(e.tax))::numeric(14, 2)::text as tax
    from entry e join invoice i using (invoice_id) where e.day between ${from}::date and ${to}::date and (e.revenue <> 0 or e.tax <> 0)
    group by i.tax_rate order by i.tax_rate nulls last`);

/** Returns the reports of a month: what is owed by age, deferred fees, tax, and the credit that accounts have. @throws Failure NOT_FOUND */
export async function getBookReports({
  read,
  params: { month },
  registry: { today, profile },
}: Act<typeof books.getBookReports>): Promise<BookReports> {
  refuseMonth(month, today);
  const days = daysOfMonth(month);
  const [receivables, deferred, tax] = await Promise.all([receivablesOn(read, days.to), deferredWithMonths(read, days), taxOf(read, days)]);
  return {
    month,
    taxName: profile.taxName,
    receivables,
    steps: overdueSteps.map(step => ({ step, days: profile.billingCalendar[`${step}Days`] - profile.billingCalendar.dueDays })),
    owed: printCents(receivables.reduce((sum, { amount }) => sum + cents(amount), 0n)),
    deferred,
    tax,
  };
}
