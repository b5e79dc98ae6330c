import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { readPolicy } from '../dated-profile.ts';
import { type Database, type JsonValue, publishLogRoots, type Read, sealActivities } from './database/index.ts';
import { deleteExpiredAnswers } from './http/idempotency.ts';
import { RowsFailed } from './each-alone.ts';
import { doUnit } from './work-units.ts';
import { invariantsWork } from './invariants.ts';
import type { Module, ModuleContext, PeriodicWork } from './module.ts';
import { inTrace } from './telemetry/spans.ts';

/** The platform's own periodic work. */
const own: readonly PeriodicWork[] = [
  {
    name: 'platform.sealActivities',
    every: 1,
    run: async ({ db, config }) => {
      await sealActivities(db, config);
    },
  },
  {
    name: 'platform.publishLogRoots',
    every: 10,
    run: async ({ db, clock }) => {
      await publishLogRoots(db, clock());
    },
  },
  { name: 'platform.deleteExpiredAnswers', every: 60, run: ({ db, clock }) => deleteExpiredAnswers(db, clock()) },
  invariantsWork,
];

/** Returns all periodic work there is. */
export const scheduleOf = (modules: readonly Module[]): PeriodicWork[] => [...own, ...modules.flatMap(({ schedule }) => schedule ?? [])];

/** Seconds from the start of a worker until it begins due work: people who open the portal right after a restart come first. */
export const START_DELAY_SECONDS = 10;
/** How often, in ms, a worker looks for work that is due: twice in the shortest period. */
export const LOOK_FOR_WORK_EVERY_MS = MINUTE_MS / 2;
/** Work is due this many seconds before its period is over: the next look would be half a minute too late. */
const EARLY_SECONDS = 15;
/** Instants this many seconds in the future come from a clock that was wrong. */
const FUTURE_SECONDS = 60;

/**
 * Enqueues work that is due: it never ran, or began a period ago. If several workers check together, one enqueues it. Each work has its own queue and
 * key: only one worker runs it at a time, and at most one more run waits. Work that began within its period is not started again, so a restart
 * repeats nothing. Work that "began" in the future was started while a clock was wrong, and is due (decision 188): otherwise it would not run until then.
 * @param delaySeconds until it is begun
 */
export async function enqueueDueWork(
  db: Database,
  schedule: readonly PeriodicWork[],
  { now, delaySeconds = 0 }: { now: Date; delaySeconds?: number },
): Promise<void> {
  const names = schedule.map(({ name }) => name);
  const at = now.toISOString();
  await db.unrecorded.transaction().execute(async transaction => {
    // Runs whose process died were followed by another; they are not retried.
    await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs
      where task_identifier = any(${names}::text[]) and key is null and locked_at is null and attempts >= max_attempts))`.execute(
      transaction,
    );
    await sql`insert into periodic_work (name, known_since) select unnest(${names}::text[]), ${at}::timestamptz
      on conflict (name) do nothing`.execute(transaction);
    await sql`with due as (
        update periodic_work p set begun_at = ${at}::timestamptz
        from unnest(${names}::text[], ${schedule.map(({ every }) => every)}::int[]) as w (name, every)
        where p.name = w.name and (p.begun_at is null or p.begun_at <= ${at}::timestamptz - make_interval(mins => w.every, secs => ${-EARLY_SECONDS})
          or p.begun_at > ${at}::timestamptz + make_interval(secs => ${FUTURE_SECONDS}))
        returning p.name)
      select graphile_worker.add_job(name, queue_name => name, job_key => name, run_at => now() + make_interval(secs => ${delaySeconds}))
      from due`.execute(transaction);
  });
}

/** Reschedules jobs to now that were planned while the clock was ahead: they would wait until the day it showed. */
export async function bringBackFutureJobs({ unrecorded }: Pick<Database, 'unrecorded'>): Promise<number> {
  const { rows } =
    await sql`update graphile_worker._private_jobs set run_at = now(), created_at = least(created_at, now()), updated_at = now()
    where (created_at > now() + make_interval(secs => ${FUTURE_SECONDS}) or updated_at > now() + make_interval(secs => ${FUTURE_SECONDS}))
      and locked_at is null returning 1`.execute(unrecorded);
  return rows.length;
}

/** Rows of one run whose failures are logged, each with its stack. */
const LOGGED = 100;

/** Returns graphile-worker's handler for the work: it records when the work began and its result, and rethrows a failure so that it is retried. */
export const periodicHandler =
  (context: ModuleContext, { name, run }: PeriodicWork) =>
  (): Promise<void> =>
    inTrace(
      () => ({ name: `periodic ${name}`, kind: 'internal' }),
      () => ({}),
      () => runPeriodic(context, { name, run }),
    );

async function runPeriodic(context: ModuleContext, { name, run }: Pick<PeriodicWork, 'name' | 'run'>): Promise<void> {
  const { db, clock, log } = context;
  const row = () => db.unrecorded.updateTable('periodicWork').where('name', '=', name);
  try {
    await readPolicy(context.profile);
    const begun = await row().set({ begunAt: clock().toISOString() }).returning('noted').executeTakeFirst();
    const noted = await doUnit({ db, log }, { queue: 'periodic', unit: name, title: name, accountName: null }, () =>
      run(context, begun?.noted ?? null),
    );
    await row()
      .set({ succeededAt: clock().toISOString(), failure: null, ...(noted !== undefined && { noted: JSON.stringify(noted) }) })
      .execute();
  } catch (error) {
    log.error(`${name} failed`, { error });
    if (error instanceof RowsFailed)
      for (const { row, error: why } of error.failures.slice(0, LOGGED)) log.error(`${name} failed for ${row}`, { error: why });
    await row()
      .set({
        failedAt: clock().toISOString(),
        failure: error instanceof Error ? error.message : String(error),
        ...(error instanceof RowsFailed && error.noted !== null && { noted: JSON.stringify(error.noted) }),
      })
      .execute();
    throw error;
  }
}

/** State of a periodic work. Instants are ISO 8601, null for never. */
export type PeriodicWorkState = {
  name: string;
  every: number;
  succeededAt: string | null;
  /** Why its last run failed; null when it did not. */
  failure: string | null;
  /** It hasn't run for twice its period plus five minutes, or its last run is in the future, because the clock was wrong. */
  late: boolean;
};

const GRACE_MINUTES = 5;

/** Reads the state of all periodic work; work that no worker has seen yet is not late. */
export async function statesOfWork(read: Read, schedule: readonly PeriodicWork[], now: Date): Promise<PeriodicWorkState[]> {
  const rows = new Map((await read.selectFrom('periodicWork').selectAll().execute()).map(row => [row.name, row]));
  return schedule.map(({ name, every }) => {
    const row = rows.get(name);
    const since = row?.succeededAt ?? row?.knownSince;
    return {
      name,
      every,
      succeededAt: row?.succeededAt ?? null,
      failure: row?.failure ?? null,
      late:
        since !== undefined &&
        (now.getTime() - Date.parse(since) > (2 * every + GRACE_MINUTES) * MINUTE_MS ||
          Date.parse(since) - now.getTime() > GRACE_MINUTES * MINUTE_MS),
    };
  });
}

/** Returns the lines for /metrics: when each work last succeeded, in seconds since 1970 (0: never), and whether it is late. */
export const metricsOfWork = (states: readonly PeriodicWorkState[]): string[] => [
  '# TYPE periodic_work_last_success_seconds gauge',
  ...states.map(
    ({ name, succeededAt }) =>
      `periodic_work_last_success_seconds{work="${name}"} ${succeededAt === null ? 0 : Date.parse(succeededAt) / 1000}`,
  ),
  '# TYPE periodic_work_late gauge',
  ...states.map(({ name, late }) => `periodic_work_late{work="${name}"} ${late ? 1 : 0}`),
];

/**
 * Records the result of a round of work that a role does outside the schedule, so that other processes can see it.
 * @param failure why it failed; null where it went well
 */
export async function noteRound(
  db: Database,
  name: string,
  { now, failure, noted }: { now: Date; failure: string | null; noted?: JsonValue },
): Promise<void> {
  const at = now.toISOString();
  await sql`insert into periodic_work (name, known_since, succeeded_at, failed_at, failure, noted)
    values (${name}, ${at}::timestamptz, ${failure === null ? at : null}::timestamptz, ${failure === null ? null : at}::timestamptz, ${failure},
      ${noted === undefined ? null : JSON.stringify(noted)}::jsonb)
    on conflict (name) do update set succeeded_at = coalesce(excluded.succeeded_at, periodic_work.succeeded_at),
      failed_at = coalesce(excluded.failed_at, periodic_work.failed_at), failure = excluded.failure, noted = coalesce(excluded.noted, periodic_work.noted)`.execute(
    db.unrecorded,
  );
}

/** Reads the last success and failure of such work; null if it never ran. */
export async function lastRound(
  read: Pick<Read, 'rows'>,
  name: string,
): Promise<{ succeededAt: string | null; failedAt: string | null; failure: string | null; noted: JsonValue | null } | null> {
  const [row] = await read.rows<{ succeededAt: string | null; failedAt: string | null; failure: string | null; noted: JsonValue | null }>(
    sql`select succeeded_at, failed_at, failure, noted from periodic_work where name = ${name}`,
  );
  return row ?? null;
}
