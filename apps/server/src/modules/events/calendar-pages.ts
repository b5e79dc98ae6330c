import { portalNameOf } from '../../brand.ts';
import type { Profile } from '../../profile.ts';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import { windowKinds } from '@portal/contract/elections/election-windows';
import type { StaffElection } from '@portal/contract/elections/elections';
import type { StaffEvent } from '@portal/contract/events/event-shapes';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { refuse } from '../../platform/failure.ts';
import { readElections } from '../elections/index.ts';
import { type CalendarEvent, calendarText } from './calendar-text.ts';
import { readEvents } from './event-row.ts';

type Pages = Parameters<NonNullable<Module['pages']>['serve']>[0];
type Options = { read: Read; appUrl: string; profile: Profile; clock: () => Date };

/** How long past events stay in the feed. */
const FEED_DAYS = 90;

/**
 * Calendars to subscribe to: `/calendar/events.ics`, all published events, `/calendar/events/{event}.ics`, and `/calendar/elections.ics`, when people nominate, appoint
 * proxies and vote in published elections. All are public, as events and timetables are.
 */
export function calendarPages(http: Pages, { read, appUrl, profile, clock }: Options): void {
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
    place: mode === 'online' ? 'Online' : place,
    url: url || `${appUrl}/events/upcoming-events?event=${event}`,
    cancelled: state === 'cancelled',
    sequence: version - 1,
  });
  const written = (entries: readonly CalendarEvent[], name: string): string =>
    calendarText(entries, { name, product: portalNameOf(profile), stamp: clock().toISOString() });
  const text = (rows: readonly StaffEvent[]): string => written(rows.map(entryOf), `Events of ${profile.registryName}`);
  /** The windows of an election: each is a span of time of its own. */
  const windowsOf = ({ electionId, title, description, timeZone, windows, state, version }: StaffElection): CalendarEvent[] =>
    windows.map(({ kind, opensAt, closesAt }) => ({
      uid: `election-${electionId}-${kind}@${host}`,
      title: `${windowKinds[kind]}: ${title}`,
      description,
      startsAt: opensAt,
      endsAt: closesAt,
      timeZone,
      place: '',
      url: `${appUrl}/voting`,
      cancelled: state === 'cancelled',
      sequence: version - 1,
    }));

  http.get('/calendar/events.ics', async (_request, reply) => {
    const since = instantBefore(clock().getTime(), FEED_DAYS * DAY_MS);
    const rows = await readEvents(
      read,
      sql`where e.state <> 'draft' and e.ends_at > ${since}::timestamptz order by e.starts_at, e.event limit 500`,
    );
    return reply.type('text/calendar; charset=utf-8').header('cache-control', 'public, max-age=300').send(text(rows));
  });
  http.get('/calendar/elections.ics', async (_request, reply) => {
    const now = clock();
    const since = instantBefore(now.getTime(), FEED_DAYS * DAY_MS);
    const rows = await readElections(
      read,
      sql`where published_at is not null and exists (select from election_window w where w.election_id = election.election_id
        and w.closes_at > ${since}::timestamptz) order by election.election_id desc limit 100`,
      now,
    );
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(written(rows.flatMap(windowsOf), `Elections of ${profile.registryName}`));
  });
  http.get('/calendar/events/:file', async (request, reply) => {
    const name = /^([A-Z0-9-]{2,40})\.ics$/.exec((request.params as { file: string }).file)?.[1];
    const rows = name === undefined ? [] : await readEvents(read, sql`where e.event = ${name} and e.state <> 'draft'`);
    if (rows.length === 0) throw refuse('NOT_FOUND', { what: 'The event' });
    return reply
      .type('text/calendar; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('content-disposition', `attachment; filename="${name}.ics"`)
      .send(text(rows));
  });
}
