import type { QueryOf } from '@portal/contract';
import type { books } from '@portal/contract/billing/books';

const formats = {
  // British English has four letters for September.
  short: new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }),
  full: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
};

/** Returns a month such as `2026-10` in words: `October 2026`, or in three letters without the year. */
export const monthName = (month: string, shape: keyof typeof formats = 'full'): string =>
  formats[shape].format(new Date(`${month}-01T00:00:00Z`));

/** Returns the year of a month. */
export const yearOf = (month: string): string => month.slice(0, 4);

/** A number of the books, and how its documents are asked for. */
export type NumberAsked = { title: string; query: Omit<QueryOf<typeof books.listBookDocuments>, 'page'> };

/** Returns a rate of tax in words: `10 %`. */
export const rateInWords = (rate: string | null): string =>
  rate === null ? 'None applies' : `${Number((Number(rate) * 100).toFixed(2))} %`;

/** Returns the sum of amounts with two decimals, such as `-0.50`. */
export function sumOf(amounts: readonly string[]): string {
  const cents = amounts.reduce((all, each) => all + BigInt(each.replace('.', '')), 0n);
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
