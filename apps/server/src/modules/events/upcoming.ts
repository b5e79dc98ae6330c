import type { AnswerOf } from '@portal/contract';
import { windowStateAt } from '@portal/contract/elections/election-windows';
import type { UpcomingEvent } from '@portal/contract/events/event-shapes';
import type { events } from '@portal/contract/events/events';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { memberOf } from '../tickets/index.ts';
import { readEvents } from './event-row.ts';
import { readOutsideEvents } from './outside-calendar.ts';

type Own = {
  event: string;
  state: 'registered' | 'waitlisted';
  part: 'onsite' | 'online';
  accountName: string | null;
  fee: string;
  registeredAt: string;
  waitingPlace: number | null;
};

/** Events as a person sees them. `account`: the one they would register for. */
async function eventsFor(
  read: Read,
  caller: Caller,
  account: string | null,
  which: RawBuilder<unknown>,
  now: Date,
): Promise<UpcomingEvent[]> {
  const rows = await readEvents(read, which);
  const names = rows.map(({ event }) => event);
  if (names.length === 0) return [];
  const [own, taken] = await Promise.all([
    read.rows<Own>(sql`
      select r.event, r.state, r.part, r.account_name, r.fee::text as fee, r.registered_at,
        case when r.state = 'waitlisted' then (select count(*)::int from event_registration w where w.event = r.event and w.state = 'waitlisted'
          and w.event_registration_id <= r.event_registration_id) end as waiting_place
      from event_registration r where r.login_id = ${caller.loginId} and r.state <> 'cancelled' and r.event = any (${names}::text[])`),
    read.rows<{
      event: string;
    }>(sql`select event from event_registration where account_name = ${account} and is_free_place and state = 'registered'
      and event = any (${names}::text[])`),
  ]);
  return rows.map(({ onSite, fee, currency, url, state, ...event }) => {
    const mine = own.find(each => each.event === event.event);
    return {
      ...event,
      // Drafts are not read here.
      state: state as UpcomingEvent['state'],
      url: url || null,
      registration: windowStateAt({ opensAt: event.registrationOpensAt, closesAt: event.registrationClosesAt }, now),
      placesLeft: event.capacity === null ? null : Math.max(0, event.capacity - onSite),
      fee: Number(fee) === 0 ? null : { amount: fee, currency },
      freePlaceTaken: taken.some(each => each.event === event.event),
      mine: mine
        ? {
            state: mine.state,
            part: mine.part,
            account: mine.accountName,
            fee: Number(mine.fee) === 0 ? null : { amount: mine.fee, currency },
            waitingPlace: mine.waitingPlace,
            registeredAt: mine.registeredAt,
          }
        : null,
    };
  });
}

/** One event that is not a draft; undefined if there is none. */
export const upcomingEvent = async (
  read: Read,
  caller: Caller,
  account: string | null,
  event: string,
  now: Date,
): Promise<UpcomingEvent | undefined> =>
  (await eventsFor(read, caller, account, sql`where e.event = ${event} and e.state <> 'draft'`, now))[0];

/**
 * Events that are not over, the next first; a cancelled one until it would have ended, for people who were registered or may have noted it.
 * @throws Failure ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED
 */
export async function listUpcomingEvents({
  read,
  caller,
  query,
  registry: { now, config },
}: Act<typeof events.listUpcomingEvents>): Promise<AnswerOf<typeof events.listUpcomingEvents>> {
  const account = query.account ?? null;
  const calendarUrl = config.eventsCalendarUrl;
  if (account !== null) await memberOf(read, caller, account, now);
  const which = sql`where e.state <> 'draft' and e.ends_at > ${now.toISOString()}::timestamptz order by e.starts_at, e.event limit 200`;
  const [rows, outside] = await Promise.all([
    eventsFor(read, caller, account, which, now),
    calendarUrl === '' ? [] : readOutsideEvents(read, now),
  ]);
  return { rows, outside, calendarUrl: calendarUrl || null };
}
