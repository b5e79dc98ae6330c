import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';

/** Returns the first day of the books that isn't closed; null while no month is. */
export async function firstOpenDay(read: Pick<Read, 'rows'>): Promise<string | null> {
  const [row] = await read.rows<{ day: string | null }>(sql`select first_open_day()::text as day`);
  return row!.day;
}

/** Returns a day if it is open, or the first one that is: what is found later is dated into the open month. */
export async function openDay(read: Pick<Read, 'rows'>, day: string): Promise<string> {
  const first = await firstOpenDay(read);
  return first !== null && day < first ? first : day;
}

/** Refuses a day that a person chose in a closed month. The database refuses it anyhow; this names the field. @throws Failure PERIOD_CLOSED */
export async function refuseClosedDay(read: Pick<Read, 'rows'>, day: string, field: string): Promise<void> {
  const first = await firstOpenDay(read);
  if (first !== null && day < first) throw refuse('PERIOD_CLOSED', { period: monthInWords(day), open: first }).at(field);
}

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns the month of a day in words: `October 2026`. */
export const monthInWords = (day: string): string => months.format(new Date(`${day.slice(0, 7)}-01T00:00:00Z`));
