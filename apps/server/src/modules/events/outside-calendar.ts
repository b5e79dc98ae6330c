import type { OutsideEvent } from '@portal/contract/events/event-shapes';
import { sql } from 'kysely';
import { fetchCalendar } from '../../adapters/events-calendar.ts';
import { type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import type { OutsideSystem } from '../../platform/module.ts';
import { readApart } from '../../platform/reading-apart.ts';
import type { ReadEvent } from './calendar-reader.ts';
import type { read as readCalendar } from './calendar-thread.ts';

/** The registry's outside calendar of events. */
type Calendar = {
  /** Returns it as text. @throws Error when it does not answer */
  read(): Promise<string>;
};

/** The calendar at EVENTS_CALENDAR_URL; null where none is configured. */
export const eventsCalendar: OutsideSystem<Calendar | null> = {
  name: 'events calendar',
  open: ({ config: { eventsCalendarUrl: address } }) => (address === '' ? null : { read: () => fetchCalendar(address) }),
};

const calendarApart = readApart<typeof readCalendar>(new URL('./calendar-thread.ts', import.meta.url));

/** Reads a calendar in the thread for texts. @throws Error where it is none, or can't be read within the limits */
export async function eventsOf(text: string, endAfter: Date): Promise<ReadEvent[]> {
  const { portions, answer } = await calendarApart('events calendar', { text, endAfter });
  if (answer.problem !== null) throw new Error(answer.problem);
  return portions.flat();
}

/** Imports the current events of the outside calendar. Events it no longer has are deleted; without a change nothing is written. */
export async function followCalendar(db: Database, calendar: Calendar | null, now: Date): Promise<void> {
  const events = calendar === null ? [] : await eventsOf(await calendar.read(), now);
  // Independent of the order of rows and fields.
  const fields = (rows: readonly Omit<OutsideEvent, 'url'>[]): string =>
    rows
      .map(row => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => a.localeCompare(b))))
      .toSorted((a, b) => a.localeCompare(b))
      .join('\n');
  const known = (await readOutsideEvents(db.read, now)).map(row => ({ ...row, url: row.url ?? '' }));
  if (fields(known) === fields(events)) return;
  await db.change(ownActivity('events.readCalendar', 'Read the events calendar'), async change => {
    await change.rows(sql`delete from outside_event`);
    if (events.length > 0) await change.insertInto('outsideEvent').values(events).execute();
    await change.note({ events: events.length });
  });
}

/** Returns the events of the outside calendar that are not over, the next first. */
export const readOutsideEvents = (read: Read, now: Date): Promise<OutsideEvent[]> =>
  read.rows<OutsideEvent>(sql`
    select uid, title, description, starts_at, ends_at, all_day, place, nullif(url, '') as url from outside_event
    where ends_at > ${now.toISOString()}::timestamptz order by starts_at, uid limit 500`);
