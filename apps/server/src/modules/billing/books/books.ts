import type { AnswerOf, Download } from '@portal/contract';
import type { BookMonthSheet, Books, BookMonth, books, ClosingCheck, LedgerAccount, PostingAccount } from '@portal/contract/billing/books';
import { daysAfter, daysBetween } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { type Act, SecondPersonNeeded } from '../../../platform/http/endpoints.ts';
import type { Registry } from '../../../platform/registry.ts';
import { numberedDocuments } from '../invoices/document-numbers.ts';
import { countEntries, ledgerAccounts, ledgerSums } from '../invoices/ledger.ts';
import { limitsUsedBy } from '../limits/limited-acts.ts';
import { cents, printCents } from '../money.ts';
import { firstOpenDay, monthInWords } from '../periods/open-days.ts';
import { monthOf, monthsFrom, refuseMonth } from './book-months.ts';
import { computedJournal, type Days, daysOfMonth, hashJournal, journalPortions } from './journal.ts';

/** Days after the end of a month until it can be closed: then no clock of any zone is still in it. */
const REST_DAYS = 2;
const page = '/desk/books';
/** Returns the month of the first entry; this month where there is none. */
async function firstMonth(read: Pick<Read, 'rows'>, today: string): Promise<string> {
  const [row] = await read.rows<{ day: string | null }>(sql`
    select least((select min(issued_on) from invoice), (select min(received_on) from payment), (select min(refunded_on) from refund),
      (select min(month) from closed_month))::text as day`);
  return monthOf(row!.day ?? today);
}

const closedMonths = (read: Pick<Read, 'rows'>): Promise<(NonNullable<BookMonth['closed']> & { month: string })[]> =>
  read.rows(sql<NonNullable<BookMonth['closed']> & { month: string }>`
    select to_char(m.month, 'YYYY-MM') as month, c.full_name as closed_by, s.full_name as confirmed_by, m.closed_at, m.entries, m.sha256
    from closed_month m join login c on c.login_id = m.closed_by join login s on s.login_id = m.confirmed_by order by m.month`);

/** Returns the latest month that can be closed; null where all of them are, or none has ended. */
function closableOf(today: string, open: string | null): string | null {
  const last = monthOf(daysAfter(`${monthOf(daysAfter(today, -REST_DAYS))}-01`, -1));
  return open !== null && last < monthOf(open) ? null : last;
}

/** Returns the months of the books, and what the caller may still do alone. */
export async function getBooks({
  read,
  caller,
  registry: { today, now, profile },
}: {
  read: Read;
  caller: Pick<Caller, 'loginId'>;
  registry: Pick<Registry, 'today' | 'now' | 'profile'>;
}): Promise<Books> {
  const [open, first, closed, limits] = await Promise.all([
    firstOpenDay(read),
    firstMonth(read, today),
    closedMonths(read),
    limitsUsedBy(read, caller, { now: now.toISOString(), profile }),
  ]);
  const byMonth = new Map(closed.map(({ month, ...about }) => [month, about]));
  const closable = closableOf(today, open);
  return {
    today,
    currency: profile.currency,
    firstOpenDay: open,
    closable: closable !== null && closable >= first ? closable : null,
    months: monthsFrom(first, monthOf(today)).map(month => ({ month, closed: byMonth.get(month) ?? null })),
    limits,
  };
}

/** Accounts of the general ledger that each account of the books comes to there. */
const postedTo: Record<LedgerAccount, readonly PostingAccount[]> = {
  receivable: ['receivable'],
  credit: ['credit'],
  bank: ['bank', 'card'],
  revenue: ['deferred', 'membershipFees', 'transferFees', 'otherFees'],
  tax: ['tax'],
  badDebt: ['badDebt'],
};

/** Returns how many invoices a month has, and the numbers of the first and the last one; null for none. */
async function invoicesOf(read: Pick<Read, 'rows'>, { from, to }: Days): Promise<BookMonthSheet['invoices']> {
  const [row] = await read.rows<{ count: number; first: string | null; last: string | null }>(sql`select count(*)::int as count,
    (array_agg(number order by year, sequence))[1] as first, (array_agg(number order by year desc, sequence desc))[1] as last
    from invoice where issued_on between ${from}::date and ${to}::date`);
  const { count, first, last } = row!;
  return first === null || last === null ? null : { count, first, last };
}

/** Returns a month by account of the ledger, with what has to be true of it. @throws Failure NOT_FOUND */
export async function getBookMonth({
  read,
  params: { month },
  registry: { today, profile },
}: Act<typeof books.getBookMonth>): Promise<BookMonthSheet> {
  refuseMonth(month, today);
  const days = daysOfMonth(month);
  const [sums, counted, invoices] = await Promise.all([ledgerSums(read, days), countEntries(read, days), invoicesOf(read, days)]);
  const byAccount = new Map(sums.map(sum => [sum.account, sum]));
  return {
    month,
    entries: counted.entries,
    accounts: ledgerAccounts.map(account => {
      const { before, debit, credit } = byAccount.get(account) ?? { before: '0.00', debit: '0.00', credit: '0.00' };
      return {
        account,
        codes: [...new Set(postedTo[account].map(each => profile.accountCodes[each]))],
        before,
        debit,
        credit,
        after: printCents(cents(before) + cents(debit) - cents(credit)),
      };
    }),
    invoices,
    checks: await checksOf(read, { to: days.to, unbalanced: counted.unbalanced }),
  };
}

type Counted = RawBuilder<{ count: number }>;
const openTransfers = (to: string): Counted =>
  sql<{ count: number }>`select count(*)::int as count from bank_line where state = 'open' and booked_on <= ${to}::date`;
/** Numbers before the last one of these days that no document has, of whatever day. */
const gapsUntil = (to: string): Counted => sql<{ count: number }>`${numberedDocuments}
  select coalesce(sum(last - count), 0)::int as count from (
    select last, count(*) filter (where sequence <= last) as count
    from (select *, max(sequence) filter (where day <= ${to}::date) over (partition by kind, year) as last from numbered) n
    where last is not null group by kind, year, last) known`;

/** Returns what has to be true before a month is closed. */
async function checksOf(
  read: Pick<Read, 'rows'>,
  { to, unbalanced }: { to: string; unbalanced: number },
): Promise<BookMonthSheet['checks']> {
  const [[transfers], [gaps]] = await Promise.all([read.rows(openTransfers(to)), read.rows(gapsUntil(to))]);
  const says = (check: ClosingCheck, count: number, words: string): BookMonthSheet['checks'][number] => ({
    check,
    passed: count === 0,
    says: count === 0 ? '' : `${count} ${words}`,
  });
  return [
    says('balance', unbalanced, unbalanced === 1 ? 'entry doesn’t balance' : 'entries don’t balance'),
    says('numbers', gaps!.count, gaps!.count === 1 ? 'number is missing' : 'numbers are missing'),
    says('transfers', transfers!.count, transfers!.count === 1 ? 'transfer is left' : 'transfers are left'),
  ];
}

/** Characters sent at a time. */
const PORTION = 64 * 1024;

async function* portionsOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += PORTION) yield text.slice(at, at + PORTION);
}

/** Returns the journal of a month as CSV: of a closed one as it was kept, of an open one as it is now. @throws Failure NOT_FOUND */
export async function exportJournal({
  read,
  params: { month },
  registry: { today },
}: Act<typeof books.exportJournal>): Promise<AnswerOf<typeof books.exportJournal>> {
  refuseMonth(month, today);
  const [kept] = await read.rows<{ journal: string }>(sql`select journal from closed_month where month = ${`${month}-01`}::date`);
  const chunks = kept ? portionsOf(kept.journal) : journalPortions(read, month);
  return { fileName: `journal-${month}.csv`, contentType: 'text/csv; charset=utf-8; header=present', chunks } satisfies Download;
}

/**
 * Closes a month and all open ones before it, once a second person has approved what they come to. Whatever is written meanwhile waits, and then finds them closed.
 * @throws Failure INVALID_REQUEST for a month that has not ended or is closed, MONTH_OPEN for one with something left to do
 * @throws SecondPersonNeeded
 */
export async function closeMonths({
  change,
  caller,
  body: { until },
  hasSecondPerson,
  registry,
}: Act<typeof books.closeMonths>): Promise<Books> {
  const { today } = registry;
  await lockByName(change, 'billing.closedMonths');
  const open = await firstOpenDay(change);
  if (open !== null && until < monthOf(open)) throw refuseField('until', `${monthInWords(until)} is closed already`);
  const closable = closableOf(today, open);
  if (closable === null || until > closable) {
    const left = daysBetween(today, daysAfter(daysOfMonth(until).to, REST_DAYS));
    throw refuseField(
      'until',
      `${monthInWords(until)} can be closed in ${left === 1 ? '1 day' : `${left} days`}, when it has ended everywhere`,
    );
  }
  const first = await firstMonth(change, today);
  const months = monthsFrom(open === null ? first : monthOf(open), until);
  if (months.length === 0) throw refuseField('until', `The books begin in ${monthInWords(first)}`);
  const { to } = daysOfMonth(until);
  const { entries, unbalanced } = await countEntries(change, { from: daysOfMonth(months[0]!).from, to });
  const left = (await checksOf(change, { to, unbalanced })).filter(({ passed }) => !passed);
  if (left.length > 0) throw refuse('MONTH_OPEN', { month: monthInWords(until), why: left.map(({ says }) => says).join(', ') });
  if (!hasSecondPerson)
    throw new SecondPersonNeeded({ title: `Close the books until ${monthInWords(until)}`, link: `${page}?month=${until}` });
  const { approvedBy } = caller;
  let hash = '';
  // One after another: the journals of all months of a long time are more than fits into memory.
  // A rehearsal keeps nothing: no second person has approved it yet.
  for (const month of months)
    hash =
      approvedBy === undefined
        ? (await hashJournal(change, month)).sha256
        : await keepClosed(change, month, { closedBy: caller.loginId, confirmedBy: approvedBy });
  await change.note({
    months: months.length === 1 ? monthInWords(until) : `${monthInWords(months[0]!)} to ${monthInWords(until)}`,
    entries,
    hash,
  });
  return getBooks({ read: change, caller, registry });
}

/** Keeps the journal of a month as it is now. Returns its hash. */
async function keepClosed(change: Change, month: string, people: { closedBy: string; confirmedBy: string }): Promise<string> {
  const { entries, text, sha256 } = await computedJournal(change, month);
  await change
    .insertInto('closedMonth')
    .values({ month: `${month}-01`, ...people, closedAt: change.now, entries, journal: text, sha256 })
    .execute();
  return sha256;
}
