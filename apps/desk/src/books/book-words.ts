import type { QueryOf } from '@portal/contract';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { formatCount } from '@portal/number-resources/digits';
import type { BankMatch } from '@portal/contract/billing/bank-statements';
import type { BookReports, books, OverdueStep, ReceivableAge } from '@portal/contract/billing/books';

const formats = {
  // British English has four letters for September.
  short: new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }),
  full: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
};

/** Returns a month such as `2026-10` in words: `October 2026`, or in three letters without the year. */
export const monthName = (month: string, shape: keyof typeof formats = 'full'): string =>
  formats[shape].format(new Date(`${month}-01T00:00:00Z`));

/** Returns a month in its name alone: `October`. */
export const monthAlone = (month: string): string => monthName(month).split(' ')[0]!;

/** Returns the months that are closed together with one, as far as they are open: `January to October 2026`. @param firstOpen the first open month; null for none before it */
export const closedTogether = (firstOpen: string | null, month: string): string => {
  if (firstOpen === null || firstOpen >= month) return monthName(month);
  return `${yearOf(firstOpen) === yearOf(month) ? monthAlone(firstOpen) : monthName(firstOpen)} to ${monthName(month)}`;
};

const dayShort = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayInWords = (day: string): string =>
  dayShort
    .format(new Date(`${day}T00:00:00Z`))
    .split(' ')
    .reverse()
    .join(' ');

/** Returns the last day of a month. */
export const lastDayOf = (month: string): string => daysAfter(monthsAfter(`${month}-01`, 1), -1);

/** Returns the days that a month begins and ends on, in words: `1 Oct` and `31 Oct`. Until it has ended, it ends today. */
export function edgesOf(month: string, today: string): { first: string; last: string } {
  const last = lastDayOf(month);
  return { first: dayInWords(`${month}-01`), last: dayInWords(last < today ? last : today) };
}

/** Returns the year of a month. */
export const yearOf = (month: string): string => month.slice(0, 4);

/** A number of the books, and how its documents are asked for. */
export type NumberAsked = { title: string; query: Omit<QueryOf<typeof books.listBookDocuments>, 'page'> };

/** Returns the page of the books at a month, which a proposal to close it leads to. */
export const closingLink = (month: string): string => `${pages.deskBooks.path}?month=${month}`;

/** Returns a rate of tax in words: `10 %`. */
export const rateInWords = (rate: string | null): string =>
  rate === null ? 'None applies' : `${Number((Number(rate) * 100).toFixed(2))} %`;

/** Returns the sum of amounts with two decimals, such as `-0.50`. */
export function sumOf(amounts: readonly string[]): string {
  const cents = amounts.reduce((all, each) => all + BigInt(each.replace('.', '')), 0n);
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the difference of what is in debit and in credit: zero where they balance. */
export const differenceOf = (sides: readonly { debit: string; credit: string }[]): string =>
  sumOf(sides.flatMap(({ debit, credit }) => [debit, credit.startsWith('-') ? credit.slice(1) : `-${credit}`]));

/** Returns how long the bar of an amount is, of those that are compared, in per cent: at least as long as can be seen. */
export function shareOf(amount: string, most: number): number {
  const share = most > 0 ? (Math.abs(Number(amount)) / most) * 100 : 0;
  return share === 0 ? 0 : Math.max(2, Math.min(100, Math.round(share * 10) / 10));
}

/** The days overdue that belong to each age. */
const daysOfAge: Record<ReceivableAge, readonly [from: number, to: number]> = {
  'not-due': [-Infinity, 0],
  'to-30': [1, 30],
  'to-60': [31, 60],
  'to-90': [61, 90],
  older: [91, Infinity],
};

const stepWords: Record<OverdueStep, string> = {
  suspension: 'suspended',
  secondReminder: 'second reminder',
  closingWarning: 'warned of closing',
  closing: 'closed',
};

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Returns what follows by policy at an age, for an account that doesn't pay its renewal: `Second reminder after 15 days, closed after 30`. */
export function nextAt(age: ReceivableAge, steps: BookReports['steps']): string {
  const [from, to] = daysOfAge[age];
  const due = steps.filter(({ days }) => days >= from && days <= to);
  if (due.length > 0)
    return capital(
      due
        .map(({ step, days }, place) =>
          days === 0
            ? `${stepWords[step]} when due`
            : days < 0
              ? `${stepWords[step]} ${place === 0 ? inDays(-days) : -days} before`
              : `${stepWords[step]} after ${place === 0 ? inDays(days) : days}`,
        )
        .join(', '),
    );
  const last = steps.findLast(({ days }) => days < from);
  const first = steps.find(({ days }) => days > to);
  // Other invoices close no account.
  if (last?.step === 'closing') return `Closed after ${inDays(last.days)}, if it is a renewal`;
  return first ? `${capital(stepWords[first.step])} after ${inDays(first.days)}` : '';
}

const inDays = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

/** A sign for or against an invoice that is suggested for a transfer. */
export type MatchSign = { word: string; speaksFor: boolean };
const signs = (speaksFor: boolean, ...words: string[]): MatchSign[] => words.map(word => ({ word, speaksFor }));

/** The signs of each suggestion. */
export const matchSigns: Readonly<Record<BankMatch, readonly MatchSign[]>> = {
  exact: signs(true, 'amount', 'number', 'payer'),
  unclear: [...signs(true, 'amount', 'number'), ...signs(false, 'compare the payer')],
  less: [...signs(true, 'number'), ...signs(false, 'smaller amount')],
  more: [...signs(true, 'number'), ...signs(false, 'larger amount')],
  paid: [...signs(true, 'number'), ...signs(false, 'paid already')],
  cancelled: [...signs(true, 'number'), ...signs(false, 'cancelled')],
  mistyped: signs(false, 'wrong check digits'),
  account: signs(true, 'account'),
  payer: signs(true, 'amount', 'payer'),
  amount: signs(true, 'amount'),
};

/** Returns how many transfers of a month are matched, in words: `of 412 in October. 401 recorded, 8 set aside`. */
export function matchedInWords(counts: { open: number; recorded: number; 'set-aside': number }, month: string): string {
  const all = counts.open + counts.recorded + counts['set-aside'];
  const done = [
    ...(counts.recorded > 0 ? [`${formatCount(counts.recorded)} recorded`] : []),
    ...(counts['set-aside'] > 0 ? [`${formatCount(counts['set-aside'])} set aside`] : []),
  ];
  return `of ${formatCount(all)} in ${monthAlone(month)}${done.length > 0 ? `. ${done.join(', ')}` : ''}`;
}
