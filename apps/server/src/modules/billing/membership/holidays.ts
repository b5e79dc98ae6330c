import type { Holiday } from '@portal/contract/billing/memberships';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** Maximum number of holidays from today on. */
export const MAX_KEPT = 400;

/** Returns the day, or the first day after it that isn't a holiday. */
export function workingDay(day: string, holidays: readonly string[]): string {
  let at = day;
  while (holidays.includes(at)) at = daysAfter(at, 1);
  return at;
}

/** Returns the holidays from a day on, in their order. */
export const holidaysFrom = (read: Pick<Read, 'rows'>, day: string): Promise<Holiday[]> =>
  read.rows<Holiday>(sql`select day::text, name from holiday where day >= ${day}::date order by day limit ${MAX_KEPT}`);

/** Returns the due date of an invoice that would be due on this day: the next day that isn't a holiday. */
export async function dueDay(read: Pick<Read, 'rows'>, day: string): Promise<string> {
  const holidays = await holidaysFrom(read, day);
  return workingDay(
    day,
    holidays.map(each => each.day),
  );
}
