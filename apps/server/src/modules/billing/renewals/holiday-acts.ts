import type { MembershipPlan, memberships } from '@portal/contract/billing/memberships';
import { daysAfter, daysBetween } from '@portal/contract/days';
import { sql } from 'kysely';
import { dayInFull } from '../../../platform/day-words.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { countAct, wholeUnits } from '../limits/limited-acts.ts';
import { holidaysFrom, MAX_KEPT } from '../membership/holidays.ts';
import { getPlan } from './plan.ts';

/** Maximum number of days added in one call. */
const MAX_DAYS = 31;
/** How many years ahead they are kept. */
const FARTHEST_DAYS = 5 * 366;

/**
 * Adds a day, or all days from one to another, as holidays; existing ones keep their name. @throws Failure INVALID_REQUEST for days that are past,
 * too far ahead, too many or all known @throws SecondPersonNeeded
 */
export async function addHolidays({
  change,
  caller,
  body: { from, to = from, name },
  hasSecondPerson,
  registry,
}: Act<typeof memberships.addHolidays>): Promise<MembershipPlan> {
  const { today } = registry;
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
  const amount = wholeUnits(fresh.length);
  await countAct(change, { limit: 'holidays', accountName: null, amount, caller, hasSecondPerson, registry });
  await change
    .insertInto('holiday')
    .values(fresh.map(day => ({ day, name, addedBy: caller.loginId, addedAt: change.now })))
    .execute();
  await change.note({ holidays: fresh.join(', '), name });
  return getPlan({ read: change, registry });
}

/** Removes a holiday. @throws Failure NOT_FOUND for a day that isn't a holiday, or is past */
export async function removeHoliday({ change, params: { day }, registry }: Act<typeof memberships.removeHoliday>): Promise<MembershipPlan> {
  if (day < registry.today) throw refuse('NOT_FOUND', { what: `A holiday on ${day} that can still be removed` });
  const [removed] = await change.rows<{ name: string }>(sql`delete from holiday where day::text = ${day} returning name`);
  if (!removed) throw refuse('NOT_FOUND', { what: `A holiday on ${day}` });
  await change.note({ holidays: day, name: removed.name });
  return getPlan({ read: change, registry });
}
