import type { OutsideEvent } from '@portal/contract/events/event-shapes';
import { type RawBuilder, sql } from 'kysely';
import { type CalendarBytes, fetchCalendar } from '../../adapters/events-calendar.ts';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import type { OutsideSystem } from '../../platform/module.ts';
import { readApart } from '../../platform/reading-apart.ts';
import type { read as readCalendar } from './calendar-thread.ts';

/** The registry's outside calendar of events. */
type Calendar = {
  /** @throws Error when it does not answer */
  read(): Promise<CalendarBytes>;
};

/** The calendar at EVENTS_CALENDAR_URL; null where none is configured. */
export const eventsCalendar: OutsideSystem<Calendar | null> = {
  name: 'events calendar',
  open: ({ config: { eventsCalendarUrl: address } }) => (address === '' ? null : { read: () => fetchCalendar(address) }),
};

const calendarApart = readApart<typeof readCalendar>(new URL('./calendar-thread.ts', import.meta.url));

/** Events of a calendar as portions of JSON, which are never taken apart on the event loop. */
type EventPortions = { portions: readonly string[]; count: number };

/** Reads a calendar in the thread for texts. @throws Error where it is none, or can't be read within the limits */
async function eventsOf(calendar: CalendarBytes, endAfter: Date): Promise<EventPortions> {
  const { portions, answer } = await calendarApart('events calendar', { ...calendar, endAfter });
  if (answer.problem !== null) throw new Error(answer.problem);
  return { portions, count: answer.count };
}

const columns = sql`uid, title, description, starts_at, ends_at, all_day, place, url`;
const rowsOf = (portion: string): RawBuilder<unknown> =>
  sql`(select uid, title, description, "startsAt" as starts_at, "endsAt" as ends_at, "allDay" as all_day, place, url from json_to_recordset(${portion}::json)
    as w (uid text, title text, description text, "startsAt" timestamptz, "endsAt" timestamptz, "allDay" boolean, place text, url text))`;

/** Whether the events that are not over are exactly these. */
async function areKnown(read: Read, { portions, count }: EventPortions, now: Date): Promise<boolean> {
  const [known] = await read.rows<{ count: number }>(
    sql`select count(*)::int as count from outside_event where ends_at > ${now.toISOString()}::timestamptz`,
  );
  if (known!.count !== count) return false;
  // A portion at a time: a whole calendar is more than is sent in one turn of the event loop.
  for (const portion of portions) {
    const [others] = await read.rows<{ differ: boolean }>(
      sql`select exists (select ${columns} from ${rowsOf(portion)} given except select ${columns} from outside_event) as differ`,
    );
    if (others!.differ) return false;
  }
  return true;
}

/** Imports the current events of the outside calendar. Events it no longer has are deleted; without a change nothing is written. */
export async function followCalendar(db: Database, calendar: Calendar | null, now: Date): Promise<void> {
  const events: EventPortions = calendar === null ? { portions: [], count: 0 } : await eventsOf(await calendar.read(), now);
  if (await areKnown(db.read, events, now)) return;
  await db.change(ownActivity('events.readCalendar', 'Read the events calendar'), async change => {
    await change.rows(sql`delete from outside_event`);
    for (const portion of events.portions)
      await change.rows(sql`insert into outside_event (${columns}) select ${columns} from ${rowsOf(portion)} as given`);
    await change.note({ events: events.count });
  });
}

/** Returns the events of the outside calendar that are not over, the next first. */
export const readOutsideEvents = (read: Read, now: Date): Promise<OutsideEvent[]> =>
  read.rows<OutsideEvent>(sql`
    select uid, title, description, starts_at, ends_at, all_day, place, nullif(url, '') as url from outside_event
    where ends_at > ${now.toISOString()}::timestamptz order by starts_at, uid limit 500`);
