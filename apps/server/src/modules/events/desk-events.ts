import type { AnswerOf, BodyOf, Download } from '@portal/contract';
import { dayIn } from '@portal/contract/days';
import type { deskEvents, EventRegistration } from '@portal/contract/events/desk';
import type { EventValues, StaffEvent } from '@portal/contract/events/event-shapes';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { tableFile } from '../../platform/table-file.ts';
import { keepConference } from '../elections/index.ts';
import { lockEvent, readEvent, readEvents, refuseStale } from './event-row.ts';
import { fillPlaces, notifyRegistrant } from './registrations.ts';
import { eventsTexts } from './mail-texts.ts';

/** Events of any state, the latest first. */
export async function listStaffEvents({
  read,
  query: { offset, limit },
}: Act<typeof deskEvents.listStaffEvents>): Promise<AnswerOf<typeof deskEvents.listStaffEvents>> {
  const [rows, [counted]] = await Promise.all([
    readEvents(read, sql`order by e.starts_at desc, e.event limit ${limit} offset ${offset}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total from event`),
  ]);
  return { rows, total: counted!.total };
}

/** One event of any state. @throws Failure NOT_FOUND */
export const getStaffEvent = ({ read, params: { event } }: Act<typeof deskEvents.getStaffEvent>): Promise<StaffEvent> =>
  readEvent(read, event);

/** Creates or updates the attendance list of an event. */
const keepList = (change: Change, event: string, { title, startsAt, timeZone, kind }: EventValues): Promise<void> =>
  keepConference(change, { conference: event, title, startsOn: dayIn(timeZone, new Date(startsAt)), counts: kind === 'conference' });

/** The columns of an event: the database takes decimals as text. */
const rowOf = ({ hours, ...values }: EventValues) => ({ ...values, hours: hours === null ? null : String(hours) });

/** Creates a draft event. @throws Failure EVENT_EXISTS */
export async function addEvent({
  change,
  body: { event, values },
}: {
  change: Change;
  body: BodyOf<typeof deskEvents.addEvent>;
}): Promise<StaffEvent> {
  const [there] = await change.rows(sql`select 1 from event where event = ${event}`);
  if (there) throw refuse('EVENT_EXISTS', { event });
  await keepList(change, event, values);
  const added = await change
    .insertInto('event')
    .values({ event, ...rowOf(values), createdAt: change.now })
    .onConflict(conflict => conflict.doNothing())
    .returning('event')
    .executeTakeFirst();
  if (!added) throw refuse('EVENT_EXISTS', { event });
  await change.note({ event: values.title });
  return readEvent(change, event);
}

/** Changes an event; people on the waiting list get additional places. @throws Failure NOT_FOUND, STALE, EVENT_STATE */
export async function changeEvent({
  change,
  params: { event },
  body: { version, values },
}: Act<typeof deskEvents.changeEvent>): Promise<StaffEvent> {
  const before = await lockEvent(change, event);
  if (before.state === 'cancelled') throw refuse('EVENT_STATE', { state: before.state });
  refuseStale(before, version);
  await keepList(change, event, values);
  await change
    .updateTable('event')
    .set({ ...rowOf(values), version: version + 1 })
    .where('event', '=', event)
    .execute();
  await change.note({ event: values.title, filled: await fillPlaces(change, event) });
  return readEvent(change, event);
}

/** Publishes an event. @throws Failure STALE */
export async function publishEvent({
  change,
  row: before,
  body: { version },
}: Pick<CaseAct<typeof deskEvents.publishEvent, StaffEvent>, 'change' | 'row' | 'body'>): Promise<StaffEvent> {
  refuseStale(before, version);
  const { event } = before;
  await change
    .updateTable('event')
    .set({ state: 'published', version: version + 1 })
    .where('event', '=', event)
    .execute();
  await change.note({ event: before.title });
  return readEvent(change, event);
}

/** Cancels an event, and notifies everyone registered or waiting. @throws Failure STALE, EVENT_STATE */
export async function cancelEvent({
  change,
  row: before,
  params: { event },
  body: { version, reason },
}: CaseAct<typeof deskEvents.cancelEvent, StaffEvent>): Promise<StaffEvent> {
  refuseStale(before, version);
  if (Date.parse(before.endsAt) <= Date.parse(change.now)) throw refuse('EVENT_STATE', { state: 'over' });
  await change
    .updateTable('event')
    .set({ state: 'cancelled', version: version + 1, cancelledAt: change.now, cancelReason: reason })
    .where('event', '=', event)
    .execute();
  const people = await change
    .selectFrom('eventRegistration')
    .select(['loginId', 'fullName', 'email'])
    .where('event', '=', event)
    .where('state', '<>', 'cancelled')
    .orderBy('eventRegistrationId')
    .execute();
  for (const person of people) await notifyRegistrant(change, before, person, eventsTexts.written('cancelled', { reason }));
  await change.note({ event: before.title, notified: people.length });
  return readEvent(change, event);
}

/** Registrations for an event, the oldest first, those cancelled last. @throws Failure NOT_FOUND */
export async function listRegistrations({
  read,
  params: { event },
  query: { offset, limit },
}: Act<typeof deskEvents.listRegistrations>): Promise<AnswerOf<typeof deskEvents.listRegistrations>> {
  await readEvent(read, event);
  const [rows, [counted]] = await Promise.all([
    read.rows<EventRegistration>(sql`
      select r.event_registration_id::text as registration_id, r.full_name, r.email, r.account_name, r.part, r.state, r.fee::text as fee, r.registered_at,
        exists (select from attendance a where a.conference = r.event and a.login_id = r.login_id and a.attended) as attended
      from event_registration r where r.event = ${event}
      order by case r.state when 'registered' then 0 when 'waitlisted' then 1 else 2 end, r.event_registration_id limit ${limit} offset ${offset}`),
    read.rows<{ total: number }>(sql`select count(*)::int as total from event_registration where event = ${event}`),
  ]);
  return { rows, total: counted!.total };
}

type Attendee = { email: string; registered_at: string; attended: string; full_name: string; account: string };
const attendeesAtOnce = 1000;

/** The attendance list as CSV, with the columns that its import reads. @throws Failure NOT_FOUND */
export async function exportAttendance({ read, params: { event } }: Act<typeof deskEvents.exportAttendance>): Promise<Download> {
  await readEvent(read, event);
  async function* batches(): AsyncGenerator<Attendee[]> {
    let after = '';
    for (;;) {
      const rows = await read.rows<{
        email: string;
        registeredAt: string;
        attended: boolean;
        fullName: string | null;
        accountName: string | null;
      }>(sql`
        select a.email, a.registered_at, a.attended, r.full_name, r.account_name from attendance a
        left join event_registration r on r.event = a.conference and r.login_id = a.login_id and r.state = 'registered'
        where a.conference = ${event} and a.email > ${after} order by a.email limit ${attendeesAtOnce}`);
      yield rows.map(({ email, registeredAt, attended, fullName, accountName }) => ({
        email,
        registered_at: registeredAt,
        attended: attended ? 'yes' : 'no',
        full_name: fullName ?? '',
        account: accountName ?? '',
      }));
      if (rows.length < attendeesAtOnce) return;
      after = rows.at(-1)!.email;
    }
  }
  return tableFile(`attendance-${event}`, 'csv', ['email', 'registered_at', 'attended', 'full_name', 'account'], batches());
}
