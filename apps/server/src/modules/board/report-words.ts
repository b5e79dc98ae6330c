import type { BoardFact } from '@portal/contract/board/board';

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `October 2026`, or the year. */
export const periodWords = (period: string): string => (period.length === 4 ? period : month.format(new Date(`${period}-01T00:00:00Z`)));

/** A number with gaps, as the pages write it. */
const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u00a0');

/** A number of the report in words; the currency is in the head of the page. */
export function factWords({ unit }: Pick<BoardFact, 'unit'>, value: string | null): string {
  if (value === null) return '–';
  const [whole, fraction] = value.split('.');
  const number = fraction === undefined ? grouped(whole!) : `${grouped(whole!)}.${fraction}`;
  return unit === 'percent' ? `${number} %` : unit === 'hours' ? `${number} h` : number;
}
