import type { AttendedEvent } from '@portal/contract/events/event-shapes';
import type { events } from '@portal/contract/events/events';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';

/** Past events of a person, from the attendance lists: those of their login, and of their verified address where there was no login yet. */
async function attendedBy(read: Read, loginId: string, which: RawBuilder<unknown>): Promise<AttendedEvent[]> {
  const rows = await read.rows<Omit<AttendedEvent, 'certificates'>>(sql`
    with own as (
      select conference, min(registered_at) as registered_at, bool_or(attended) as attended from attendance
      where login_id = ${loginId}
        or (login_id is null and email = (select lower(email) from login where login_id = ${loginId} and email_verified))
      group by conference
    )
    select c.conference as event, coalesce(e.title, c.title) as title, coalesce(e.kind, 'conference') as kind,
      coalesce((e.starts_at at time zone e.time_zone)::date, c.starts_on) as starts_on,
      coalesce((e.ends_at at time zone e.time_zone)::date, c.starts_on) as ends_on,
      coalesce(e.place, '') as place, o.attended, o.registered_at, c.counts
    from own o join conference c using (conference) left join event e on e.event = c.conference
    where ${which} order by c.starts_on desc, c.conference desc limit 500`);
  const certificates = await read.rows<AttendedEvent['certificates'][number] & { event: string }>(sql`
    select event, code, account_name as account, state, reason from event_certificate where login_id = ${loginId}
      and event = any (${rows.map(({ event }) => event)}::text[]) order by requested_at`);
  return rows.map(row => ({
    ...row,
    certificates: certificates
      .filter(({ event }) => event === row.event)
      .map(({ code, account, state, reason }) => ({ code, account, state, reason })),
  }));
}

/** Past events that a person registered for or attended, the newest first. @param today the day in the registry's time zone */
export const listAttendedEvents = async ({
  read,
  caller: { loginId },
  registry: { today, now },
}: Act<typeof events.listAttendedEvents>): Promise<{ rows: AttendedEvent[] }> => ({
  rows: await attendedBy(
    read,
    loginId,
    sql`(o.attended or coalesce(e.ends_at <= ${now.toISOString()}::timestamptz, c.starts_on < ${today}::date)) and coalesce(e.state, 'published') = 'published'`,
  ),
});

/** One event with the person on its list, or undefined. */
export const attendedEvent = async (read: Read, loginId: string, event: string): Promise<AttendedEvent | undefined> =>
  (await attendedBy(read, loginId, sql`c.conference = ${event}`))[0];
