import type { Holiday } from '@portal/contract/billing/memberships';
import { daysAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** The most holidays that are kept from today on. */
export const MAX_KEPT = 400;

/** Returns a day, or the first one after it that is no holiday. */
export function workingDay(day: string, holidays: readonly string[]): string {
  let at = day;
  while (holidays.includes(at)) at = daysAfter(at, 1);
  return at;
}

/** Returns the holidays from a day on, in their order. */
export const holidaysFrom = (read: Pick<Read, 'rows'>, day: string): Promise<Holiday[]> =>
  read.rows<Holiday>(sql`select day::text, name from holiday where day >= ${day}::date order by day limit ${MAX_KEPT}`);

/** Returns the day on which an invoice is due that would be due on this one: the next that is no holiday. */
export async function dueDay(read: Pick<Read, 'rows'>, day: string): Promise<string> {
  const holidays = await holidaysFrom(read, day);
  return workingDay(
    day,
    holidays.map(each => each.day),
  );
}
