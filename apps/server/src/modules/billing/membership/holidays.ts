import type { BodyOf } from '@portal/contract';
import type { Holiday, memberships } from '@portal/contract/billing/memberships';
import { daysAfter, daysBetween } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { dayInFull } from '../../../platform/day-words.ts';

/** The most days that are added in one go, and the most that are kept from today on. */
const MAX_DAYS = 31;
const MAX_KEPT = 400;
/** How many years ahead they are kept. */
const FARTHEST_DAYS = 5 * 366;

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

/**
 * Keeps a day, or all days until another, as holidays; those that are known keep their name. @throws Failure INVALID_REQUEST for days that have passed or are too far ahead, too many,
 * and those that are all known
 */
export async function addHolidays(
  change: Change,
  { from, to = from, name }: BodyOf<typeof memberships.addHolidays>,
  { caller, today }: { caller: Caller; today: string },
): Promise<void> {
  if (from < today) throw refuseField('from', `Choose ${today} or a later date`);
  if (to < from) throw refuseField('to', `Choose a date on or after ${from}`);
  if (to > daysAfter(today, FARTHEST_DAYS)) throw refuseField(to === from ? 'from' : 'to', 'Choose a date within 5 years');
  const days = daysBetween(from, to) + 1;
  if (days > MAX_DAYS) throw refuseField('to', `At most ${MAX_DAYS} days can be added together; these are ${days}`);
  const known = await holidaysFrom(change, today);
  const names = new Map(known.map(each => [each.day, each.name]));
  const fresh = Array.from({ length: days }, (_, place) => daysAfter(from, place)).filter(day => !names.has(day));
  if (fresh.length === 0) throw refuseField('from', `${dayInFull(from)} is a holiday already: ${names.get(from)}`);
  if (known.length + fresh.length > MAX_KEPT) throw refuseField('from', `At most ${MAX_KEPT} holidays are kept`);
  await change
    .insertInto('holiday')
    .values(fresh.map(day => ({ day, name, addedBy: caller.loginId, addedAt: change.now })))
    .execute();
  await change.note({ holidays: fresh.join(', '), name });
}

/** Makes a holiday a day like others again. @throws Failure NOT_FOUND for a day that is none, or has passed */
export async function removeHoliday(change: Change, day: string, today: string): Promise<void> {
  if (day < today) throw refuse('NOT_FOUND', { what: `A holiday on ${day} that can still be removed` });
  const [removed] = await change.rows<{ name: string }>(sql`delete from holiday where day::text = ${day} returning name`);
  if (!removed) throw refuse('NOT_FOUND', { what: `A holiday on ${day}` });
  await change.note({ holidays: day, name: removed.name });
}
