import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { StaffEvent } from '@portal/contract/events/event-shapes';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { refuse } from '../../platform/failure.ts';
import { type CalendarEvent, calendarText } from './calendar-text.ts';
import { readEvents } from './event-row.ts';

type Pages = Parameters<NonNullable<Module['pages']>>[0];
type Options = { read: Read; appUrl: string; product: string; registryName: string; clock: () => Date };

/** The feed keeps events for so long after they are over. */
const FEED_DAYS = 90;

/** `/calendar/events.ics`, all published events, and `/calendar/events/{event}.ics`: what calendars subscribe to. Both are public, as the events are. */
export function calendarPages(http: Pages, { read, appUrl, product, registryName, clock }: Options): void {
  const host = new URL(appUrl).host;
  const entryOf = ({
    event,
    title,
    description,
    startsAt,
    endsAt,
    timeZone,
    place,
    url,
    mode,
    state,
    version,
  }: StaffEvent): CalendarEvent => ({
    uid: `${event}@${host}`,
    title,
    description,
    startsAt,
    endsAt,
    timeZone,
    place: mode === 'ONLINE' ? 'Online' : place,
    url: url || `${appUrl}/events/upcoming-events?event=${event}`,
    cancelled: state === 'CANCELLED',
    sequence: version - 1,
  });
  const text = (rows: readonly StaffEvent[]): string =>
    calendarText(rows.map(entryOf), { name: `Events of ${registryName}`, product, stamp: clock().toISOString() });

  http.get('/calendar/events.ics', async (_request, reply) => {
    const since = instantBefore(clock().getTime(), FEED_DAYS * DAY_MS);
    const rows = await readEvents(
      read,
      sql`where e.state <> 'DRAFT' and e.ends_at > ${since}::timestamptz order by e.starts_at, e.event limit 500`,
    );
    return reply.type('text/calendar; charset=utf-8').header('cache-control', 'public, max-age=300').send(text(rows));
  });
  http.get('/calendar/events/:file', async (request, reply) => {
    const name = /^([A-Z0-9-]{2,40})\.ics$/.exec((request.params as { file: string }).file)?.[1];
    const rows = name === undefined ? [] : await readEvents(read, sql`where e.event = ${name} and e.state <> 'DRAFT'`);
    if (rows.length === 0) throw refuse('NOT_FOUND', { what: 'The event' });
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('content-disposition', `attachment; filename="${name}.ics"`)
      .send(text(rows));
  });
}
