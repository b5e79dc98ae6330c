import { DAY_MS, MINUTE_MS, daysAfter, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database, JsonValue, Read } from '../../platform/database/index.ts';
import { clocksAgree } from '../../platform/clock-watch.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { outsideNames } from './outside-checks.ts';
import { followWatchers, outsideView } from './outside-report.ts';
import { readSentReports } from './sent-reports.ts';
import { findStates, type State } from './service-states.ts';
import { services } from './service-list.ts';

/** Days that the status page shows, today included. */
export const SHOWN_DAYS = 90;

/** Minutes from one look at the services to the next. */
export const LOOK_MINUTES = 5;

/** Minutes of a day. What was not measured is in none of them. */
export type ServiceDay = { day: string; working: number; late: number; down: number };
export type DaysByService = ReadonlyMap<string, readonly ServiceDay[]>;

/** Minutes since the last look that this look stands for: at most twice its period, because no one knows how services were while no worker ran. */
function minutesSince(noted: JsonValue | null, now: Date): number {
  const last = (noted as { at?: string } | null)?.at;
  const minutes = last === undefined ? LOOK_MINUTES : Math.round((now.getTime() - Date.parse(last)) / MINUTE_MS);
  return minutes < 0 || minutes > 2 * LOOK_MINUTES ? LOOK_MINUTES : minutes;
}

/** Adds the minutes since the last look to the day, for each service in the state that it is in now. Returns when this was. */
export async function recordServiceDay(context: ModuleContext, noted: JsonValue | null): Promise<JsonValue> {
  const { db, clock } = context;
  const now = clock();
  const { services: states } = await findStates(context);
  // Without a current report nothing was measured from outside.
  const [fetched, sent] = await Promise.all([followWatchers(context)(), readSentReports(db.read)]);
  const seen = outsideView({ config: context.config, now }, fetched, sent)?.checks ?? [];
  await addMinutes(db, { day: utcDay(now), states: [...states, ...seen], minutes: minutesSince(noted, now) });
  // By a clock that is far ahead, all of the history would be old.
  if (!(await clocksAgree(db, clock))) return { at: now.toISOString() };
  await sql`delete from service_day where day < ${daysAfter(utcDay(now), -SHOWN_DAYS)}::date`.execute(db.unrecorded);
  await sql`delete from database_outage where until < ${instantBefore(now, (SHOWN_DAYS + 1) * DAY_MS)}::timestamptz`.execute(db.unrecorded);
  return { at: now.toISOString() };
}

/** Counts minutes of a day in which services were in these states. */
export async function addMinutes(
  { unrecorded }: Pick<Database, 'unrecorded'>,
  { day, states, minutes }: { day: string; states: readonly { service: string; state: State }[]; minutes: number },
): Promise<void> {
  const inState = (state: State): number[] => states.map(each => (each.state === state ? minutes : 0));
  await sql`insert into service_day as d (day, service, working_minutes, late_minutes, down_minutes)
    select ${day}::date, * from unnest(${states.map(({ service }) => service)}::text[], ${inState('working')}::int[], ${inState('late')}::int[], ${inState('down')}::int[])
    on conflict (day, service) do update set working_minutes = d.working_minutes + excluded.working_minutes,
      late_minutes = d.late_minutes + excluded.late_minutes, down_minutes = d.down_minutes + excluded.down_minutes`.execute(unrecorded);
}

/** Keeps when this process found that the database didn’t answer, after it does again. */
export async function keepOutage({ unrecorded }: Pick<Database, 'unrecorded'>, since: Date, until: Date): Promise<void> {
  await sql`insert into database_outage (since, until) values (${since.toISOString()}::timestamptz, ${until.toISOString()}::timestamptz)
    on conflict do nothing`.execute(unrecorded);
}

type Outage = { since: string; until: string };

/** Returns minutes of outages or incidents by day of UTC. Those that overlap count once. */
export function minutesByDay(outages: readonly Outage[]): Map<string, number> {
  const merged: { since: number; until: number }[] = [];
  for (const { since, until } of outages.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))) {
    const [from, to] = [Date.parse(since), Date.parse(until)];
    const before = merged.at(-1);
    if (before && from <= before.until) before.until = Math.max(before.until, to);
    else merged.push({ since: from, until: to });
  }
  const days = new Map<string, number>();
  for (const { since, until } of merged)
    for (let from = since; from < until; ) {
      const day = utcDay(from);
      const to = Math.min(until, Date.parse(daysAfter(day, 1)));
      days.set(day, (days.get(day) ?? 0) + (to - from) / MINUTE_MS);
      from = to;
    }
  return new Map([...days].map(([day, minutes]) => [day, Math.max(1, Math.round(minutes))]));
}

/** Reads the last ninety days of each service, oldest first; days without a measurement have no minutes. */
export async function readServiceDays(read: Pick<Read, 'rows'>, now: Date): Promise<DaysByService> {
  const today = utcDay(now);
  const first = daysAfter(today, 1 - SHOWN_DAYS);
  const rows = await read.rows<
    ServiceDay & { service: string }
  >(sql`select service, day::text, working_minutes as working, late_minutes as late,
    down_minutes as down from service_day where day between ${first}::date and ${today}::date`);
  const outages = minutesByDay(await read.rows<Outage>(sql`select since, until from database_outage where until >= ${first}::date`));
  const found = new Map(rows.map(row => [`${row.service} ${row.day}`, row]));
  const days = Array.from({ length: SHOWN_DAYS }, (_, place) => daysAfter(first, place));
  return new Map(
    [...services.map(({ key, live }) => ({ key, live })), ...outsideNames.map(key => ({ key, live: null }))].map(({ key, live }) => [
      key,
      days.map(day => {
        const { working = 0, late = 0, down = 0 } = found.get(`${key} ${day}`) ?? {};
        // A watcher saw itself what an outage did.
        const lost = live === null ? 0 : (outages.get(day) ?? 0);
        return live ? { day, working, late, down: down + lost } : { day, working, late: late + lost, down };
      }),
    ]),
  );
}

/** Returns the share of measured minutes in which a service answered; null where nothing was measured. */
export function availabilityOf(days: readonly ServiceDay[]): number | null {
  const answered = days.reduce((sum, { working, late }) => sum + working + late, 0);
  const all = days.reduce((sum, { down }) => sum + down, answered);
  return all === 0 ? null : answered / all;
}
