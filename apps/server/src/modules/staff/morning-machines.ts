import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { type deskHome, pulseParts } from '@portal/contract/staff/desk-home';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { statesOfFeeds } from '../../platform/feeds.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { scheduleOf } from '../../platform/periodic-work.ts';

type Machines = NonNullable<AnswerOf<typeof deskHome.getDeskHome>['machines']>;

/** Periodic work that has not succeeded for three of its periods is late; a single run may take a while, or be tried again. */
const PERIODS = 3;

/** Feeds, periodic work, mail and whois over the last day. */
export async function machinesOf(read: Read, context: ModuleContext, now: Date): Promise<Machines> {
  const [feeds, late, mail, whois] = await Promise.all([
    statesOfFeeds(context),
    lateJobs(read, context, now),
    mailOf(read, now),
    whoisOf(read, now),
  ]);
  return {
    feeds: feeds.map(({ name, title, asOf, most, late: isLate }) => ({ name, title, asOf, most, late: isLate })),
    jobs: scheduleOf(context.modules).length,
    lateJobs: late,
    mail,
    whois,
  };
}

async function lateJobs(read: Read, { modules }: ModuleContext, now: Date): Promise<Machines['lateJobs']> {
  const every = new Map(scheduleOf(modules).map(work => [work.name, work.every]));
  const rows = await read
    .selectFrom('periodicWork')
    .select(['name', 'knownSince', 'succeededAt', 'failedAt', 'failure'])
    .where('name', 'in', [...every.keys()])
    .orderBy('name')
    .execute();
  return rows
    .map(({ name, knownSince, succeededAt, failure }) => {
      const minutes = Math.floor((now.getTime() - Date.parse(succeededAt ?? knownSince)) / MINUTE_MS);
      return { name, minutes: succeededAt === null ? null : minutes, isLate: failure !== null || minutes > PERIODS * every.get(name)! };
    })
    .filter(({ isLate }) => isLate)
    .map(({ name, minutes }) => ({ name, minutes }));
}

const since = (now: Date): string => instantBefore(now, DAY_MS);
/** Seconds of a half hour, and the last one of the day by its place. */
const PART_SECONDS = DAY_MS / 1000 / pulseParts;
const LAST_PART = pulseParts - 1;
type Counted = { part: number; count: number };
const byPart = (rows: readonly Counted[]): number[] => {
  const counts = new Map(rows.map(({ part, count }) => [part, count]));
  return Array.from({ length: pulseParts }, (_, part) => counts.get(part) ?? 0);
};

async function mailOf(read: Read, now: Date): Promise<Machines['mail']> {
  const [written, [waiting], [refused]] = await Promise.all([
    read.rows<Counted>(sql`select least(${LAST_PART}::int, floor(extract(epoch from written_at - ${since(now)}::timestamptz) / ${PART_SECONDS})::int) as part, count(*)::int as count from mail
      where written_at > ${since(now)}::timestamptz and written_at <= ${now.toISOString()}::timestamptz group by 1`),
    read.rows<{ waiting: number; oldestAt: string | null }>(
      sql`select count(*)::int as waiting, min(written_at) as oldest_at from mail where sent_at is null and refused_at is null`,
    ),
    read.rows<{ refused: number }>(
      sql`select count(*)::int as refused from mail where written_at between ${since(now)}::timestamptz and ${now.toISOString()}::timestamptz and refused_at is not null`,
    ),
  ]);
  return { written: byPart(written), ...waiting!, ...refused! };
}

async function whoisOf(read: Read, now: Date): Promise<Machines['whois']> {
  const [changes, [newest]] = await Promise.all([
    read.rows<Counted>(sql`select least(${LAST_PART}::int, floor(extract(epoch from happened_at - ${since(now)}::timestamptz) / ${PART_SECONDS})::int) as part, count(*)::int as count from whois_journal
      where happened_at > ${since(now)}::timestamptz and happened_at <= ${now.toISOString()}::timestamptz group by 1`),
    read.rows<{ serial: number }>(sql`select coalesce(max(serial), 0)::int as serial from whois_journal`),
  ]);
  return { changes: byPart(changes), serial: newest!.serial };
}
