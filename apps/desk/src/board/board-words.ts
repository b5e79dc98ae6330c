import type { BoardFact, BoardReport } from '@portal/contract/board/board';

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const isPeriod = (text: string): boolean => /^(?!0000)\d{4}(-(0[1-9]|1[0-2]))?$/.test(text);

/** `October 2026`, or the year. */
export const periodWords = (period: string): string => (period.length === 4 ? period : month.format(new Date(`${period}-01T00:00:00Z`)));

/** `Oct 2026`, or the year: heads of columns. */
export const shortPeriod = (period: string): string => periodWords(period).replace(/^([A-Z][a-z]{2})[a-z]*/, '$1');

/** The last month that has ended. */
export const lastMonth = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);

/** The months of a year that have begun, such as `09`. */
export const monthsOf = (year: number, today: string): string[] =>
  Array.from({ length: 12 }, (_, place) => String(place + 1).padStart(2, '0')).filter(each => `${year}-${each}` <= today.slice(0, 7));

/** The years of which there is a report, the latest first. */
export const yearsOf = ({ firstYear, today }: Pick<BoardReport, 'firstYear' | 'today'>): number[] => {
  const last = Number(today.slice(0, 4));
  return Array.from({ length: last - firstYear + 1 }, (_, place) => last - place);
};

/** A number with gaps that don’t break, as the pages write it. */
const grouped = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u00a0');

/** A number in words; the currency is in the head of the page. */
export function factWords({ unit }: Pick<BoardFact, 'unit'>, value: string | null): string {
  if (value === null) return '–';
  const [whole, fraction] = value.split('.');
  const number = fraction === undefined ? grouped(whole!) : `${grouped(whole!)}.${fraction}`;
  return unit === 'percent' ? `${number}\u00a0%` : unit === 'hours' ? `${number}\u00a0h` : number;
}

/** The difference to the period before, where there is one: of shares and hours in their unit, of others in percent. */
export function changeWords({ unit, value, before }: BoardFact): string {
  if (value === null || before === null) return '';
  const [is, was] = [Number(value), Number(before)];
  if (is === was) return '';
  const sign = is > was ? '+' : '−';
  if (unit === 'percent' || unit === 'hours') {
    const difference = String(Math.round(Math.abs(is - was) * 10) / 10);
    return `${sign}${difference}\u00a0${unit === 'percent' ? 'points' : 'h'}`;
  }
  if (was === 0) return 'new';
  const share = Math.abs(is / was - 1) * 100;
  return `${sign}${share.toFixed(share < 10 ? 1 : 0)}\u00a0%`;
}
