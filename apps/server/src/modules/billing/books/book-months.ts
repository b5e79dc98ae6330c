import { monthsAfter } from '@portal/contract/days';
import { refuse } from '../../../platform/failure.ts';

/** The month of a day, such as `2026-10`. */
export const monthOf = (day: string): string => day.slice(0, 7);
const nextMonth = (month: string): string => monthOf(monthsAfter(`${month}-01`, 1));

/** The months from one to another, both included; none where the second is earlier. */
export function monthsFrom(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month);
  return months;
}

/** Refuses a month that is not written as one, or has not begun. @throws Failure NOT_FOUND */
export function refuseMonth(month: string, today: string): void {
  if (!/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(month) || month > monthOf(today)) throw refuse('NOT_FOUND', { what: `The month ${month}` });
}
