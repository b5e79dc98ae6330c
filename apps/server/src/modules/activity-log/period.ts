import { dayIn, daysAfter, daysBetween, utcDay } from '@portal/contract/days';
import { refuseField } from '../../platform/failure.ts';

/** Days of the default period. */
const usualDays = 30;

/** The same day twelve months later; 1 March if there is no 29 February. */
function yearAfter(day: string): string {
  const date = new Date(day);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return utcDay(date);
}

/**
 * First and last day of a period, and every day of it. Without both the 30 days up to today.
 * @throws Failure INVALID_REQUEST when it ends before it begins or is longer than twelve months.
 */
export function periodOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
  timeZone: string,
): { from: string; to: string; days: string[] } {
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && (day < '1970-01-01' || day > '2999-12-31'))
      throw refuseField(name, `Enter a day from 1970-01-01 to 2999-12-31, not ${day}`);
  const last = to ?? (from === undefined ? dayIn(timeZone, now) : daysAfter(from, usualDays - 1));
  const first = from ?? daysAfter(last, 1 - usualDays);
  if (last < first) throw refuseField('to', `${last} is before ${first}`);
  if (last > yearAfter(first)) throw refuseField('to', `${first} to ${last} is more than 12 months`);
  const count = daysBetween(first, last) + 1;
  return { from: first, to: last, days: Array.from({ length: count }, (_, index) => daysAfter(first, index)) };
}
