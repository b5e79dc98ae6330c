import { EventEmitter } from 'node:events';
import { Logger, type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import { openProcessLiveness } from './database/index.ts';
import { type AnyTaskType, type ModuleContext, type PeriodicWork, runnerKinds } from './module.ts';
import { bringBackFutureJobs, enqueueDueWork, LOOK_FOR_WORK_EVERY_MS, periodicHandler, START_DELAY_SECONDS } from './periodic-work.ts';
import { taskHandler } from './tasks.ts';
import { Durations } from './telemetry/durations.ts';

/** Interval, in ms, at which a worker checks for jobs of dead processes. */
const TAKE_UP_EVERY_MS = 30_000;
/**
 * How long, in seconds, a job may be locked by this process before it works on it. The connection can break between the database handing a job out and
 * the answer arriving; otherwise the job would stay locked for four hours.
 */
const LOST_AFTER_SECONDS = 60;

export type WorkerOptions = { tasks: readonly AnyTaskType[]; schedule: readonly PeriodicWork[] };

/**
 * Runs tasks and periodic work in this process; several processes on one database share them. The jobs of a dead process are
 * taken up by the next worker that checks: at its start, and twice a minute. `metrics` says how long its jobs took; `stop` waits for running ones.
 */
export async function startWorker(
  context: ModuleContext,
  { tasks, schedule }: WorkerOptions,
): Promise<{ metrics(): string[]; stop(): Promise<void> }> {
  const { db, log, clock, memory } = context;
  const durations = new Durations('work_duration_seconds');
  const living = await openProcessLiveness(db, error => log.warn('database connection', { error }));
  const takeUp = async (): Promise<void> => {
    const holders = await sql<{
      name: string;
    }>`select distinct locked_by as name from graphile_worker.jobs where locked_by is not null`.execute(db.unrecorded);
    const dead = await living.dead(holders.rows.map(({ name }) => name));
    if (dead.length === 0) return;
    log.warn('taking up the tasks of a process that ended', { processes: dead });
    await sql`update task set state = 'completed', outcome = 'failed', error = 'The process at work on it ended again and again.', finished_at = now()
      where state = 'running' and task_id in (select (payload ->> 'taskId')::bigint from graphile_worker._private_jobs
        where locked_by = any(${dead}::text[]) and attempts >= max_attempts)`.execute(db.unrecorded);
    await sql`select graphile_worker.force_unlock_workers(${dead}::text[])`.execute(db.unrecorded);
  };
  const names: string[] = [];
  const atWork = new Set<string>();
  const start = (options: Pick<RunnerOptions, 'concurrency' | 'taskList'>): Promise<Runner> =>
    living.begin(async () => {
      const events = new EventEmitter() as WorkerEvents;
      let name = '';
      events.once('pool:create', ({ workerPool }) => names.push((name = workerPool.id)));
      events.on('job:start', ({ job }) => atWork.add(job.id));
      events.on('job:complete', ({ job }) => atWork.delete(job.id));
      const answer = await run({
        events,
        pgPool: db.pool,
        noHandleSignals: true,
        noPreparedStatements: db.isPooled,
        // Notifications wake it; polling is for scheduled jobs and lost notifications.
        pollInterval: 5000,
        // Periodic work is enqueued by the state of its table: a schedule in memory would stall when the clock is set back.
        parsedCronItems: [],
        logger: new Logger(() => (level, message) => log[workerLevels[level]](message)),
        ...options,
      });
      return { name, answer };
    });

  await takeUp();
  const perRunner = db.kind === 'embedded' ? 1 : 4;
  const runners: Runner[] = [];
  // Each kind of runner has its own workers: a silent mail server or a slow check doesn't delay members' tasks.
  for (const kind of runnerKinds) {
    const own = tasks.filter(({ runner = 'members' }) => runner === kind);
    if (own.length === 0) continue;
    const taskList = Object.fromEntries(
      own.map(type => [type.name, measured(durations, `kind="task",work="${type.name}"`, memory.withRoom(taskHandler(context, type)))]),
    );
    runners.push(await start({ concurrency: perRunner, taskList }));
  }
  const lookForWork = (delaySeconds: number): Promise<void> => enqueueDueWork(db, schedule, { now: clock(), delaySeconds });
  if (schedule.length > 0) {
    await lookForWork(START_DELAY_SECONDS);
    const taskList = Object.fromEntries(
      schedule.map(work => [
        work.name,
        measured(durations, `kind="periodic",work="${work.name}"`, memory.withRoom(periodicHandler(context, work))),
      ]),
    );
    runners.push(await start({ concurrency: db.kind === 'embedded' ? 2 : 4, taskList }));
  }
  let enqueuing: Promise<void> | null = null;
  const schedules = setInterval(() => {
    if (schedule.length === 0) return;
    enqueuing ??= lookForWork(0)
      .catch((error: unknown) => log.error('looking for periodic work failed', { error }))
      .finally(() => (enqueuing = null));
  }, LOOK_FOR_WORK_EVERY_MS).unref();
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= takeUp()
      .then(() => releaseLostTasks({ db, log }, names, atWork))
      .then(async () => {
        const jobs = await bringBackFutureJobs(db);
        if (jobs > 0) log.warn('jobs were planned while the clock was ahead; they are due now', { jobs });
      })
      .catch((error: unknown) => log.error('taking up tasks failed', { error }))
      .finally(() => (looking = null));
  }, TAKE_UP_EVERY_MS).unref();
  return {
    metrics: () => durations.lines(),
    stop: async () => {
      clearInterval(timer);
      clearInterval(schedules);
      await looking;
      await enqueuing;
      await Promise.all(runners.map(runner => runner.stop()));
      await living.close();
    },
  };
}

/** Gives back jobs that were handed to these runners, and that none of them works on. */
async function releaseLostTasks(
  { db, log }: Pick<ModuleContext, 'db' | 'log'>,
  names: readonly string[],
  atWork: ReadonlySet<string>,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`with lost as (
      update graphile_worker._private_jobs set locked_by = null, locked_at = null, run_at = greatest(run_at, now())
      where locked_by = any(${names}::text[]) and locked_at < now() - make_interval(secs => ${LOST_AFTER_SECONDS})
        and id <> all(${[...atWork]}::bigint[])
      returning id, job_queue_id),
    queues as (update graphile_worker._private_job_queues set locked_by = null, locked_at = null
      where id in (select job_queue_id from lost))
    select id::text as id from lost`.execute(db.unrecorded);
  if (rows.length > 0) log.warn('giving back tasks that no process works on', { jobs: rows.map(({ id }) => id) });
}

/** Returns a handler whose runs are measured, also those that fail. */
const measured =
  <Given extends unknown[]>(durations: Durations, labels: string, handler: (...given: Given) => Promise<void>) =>
  (...given: Given): Promise<void> =>
    durations.of(labels, () => handler(...given));

/** graphile-worker reports every start and end as info; here that is detail. */
const workerLevels = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;
