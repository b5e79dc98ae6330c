import type { StaffEvent } from '@portal/contract/events/event-shapes';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';

const columns = sql`e.event, e.version, e.state, e.kind, e.title, e.description, e.starts_at, e.ends_at, e.time_zone, e.mode, e.place, e.url,
  e.registration_opens_at, e.registration_closes_at, e.capacity, e.fee::text as fee, e.currency, e.hours::float8 as hours, e.cancel_reason,
  (select count(*)::int from event_registration r where r.event = e.event and r.state = 'registered') as registered,
  (select count(*)::int from event_registration r where r.event = e.event and r.state = 'registered' and r.part = 'onsite') as on_site,
  (select count(*)::int from event_registration r where r.event = e.event and r.state = 'waitlisted') as waiting,
  (select count(*)::int from attendance a where a.conference = e.event and a.attended) as attended`;

/** Events with their numbers. `rest`: what follows `from event e`, such as a condition and an order. */
export const readEvents = (read: Read, rest: RawBuilder<unknown>): Promise<StaffEvent[]> =>
  read.rows<StaffEvent>(sql`select ${columns} from event e ${rest}`);

export const noEvent = () => refuse('NOT_FOUND', { what: 'The event' });

/** @throws Failure NOT_FOUND */
export async function readEvent(read: Read, event: string): Promise<StaffEvent> {
  const [row] = await readEvents(read, sql`where e.event = ${event}`);
  if (!row) throw noEvent();
  return row;
}

/** Locks an event, so that its places are assigned one after the other. @throws Failure NOT_FOUND */
export async function lockEvent(change: Change, event: string): Promise<StaffEvent> {
  await change.rows(sql`select event from event where event = ${event} for no key update`);
  return readEvent(change, event);
}

/** Refuses a change of an event in another version than the caller has seen. @throws Failure STALE */
export function refuseStale(row: StaffEvent, version: number): void {
  if (row.version !== version) throw refuseWithCurrent(row, 'STALE', { what: 'the event' });
}
