import { EventEmitter } from 'node:events';
import { Logger, type Runner, run, type WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type ActivityInfo, type Database, openLiving } from './database/index.ts';
import type { Log } from './log.ts';
import { periodically } from './periodically.ts';

/** What running tasks may use besides the database: the outside systems the program was started with. Modules add what they need. */
export interface TaskDependencies {}

/** How it went: success unless told. */
type Ended = { outcome: 'success' | 'partial' | 'failed'; error?: string } | void;
type Run<Input> = (work: {
  db: Database;
  taskId: number;
  input: Input;
  activity: ActivityInfo;
  deps: TaskDependencies;
  progress: (done: number, total: number) => Promise<void>;
}) => Promise<Ended>;

/** Background work with a page of its own: what it is called, what it is given, what it does. */
export type TaskType<Input> = { name: string; summary: string; input: z.ZodType<Input>; run: Run<Input> };
export const taskType = <Input>(definition: TaskType<Input>): TaskType<Input> => definition;
/** A task type in a list of types with different inputs: each reads its own input from what was stored. */
export type AnyTaskType = Omit<TaskType<never>, 'input'> & { input: z.ZodType };

/**
 * Runs the tasks that changes enqueued, in this process; several processes on one database share them. Our `task` row keeps
 * what members see, graphile-worker the queue and the retries. What a process was at when it died is taken up by the next one that looks: at
 * its start, and twice a minute.
 */
export async function runTasks(
  db: Database,
  types: readonly AnyTaskType[],
  deps: TaskDependencies,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  const living = await openLiving(db, error => log.warn('database connection', { error }));
  const taskList = Object.fromEntries(
    types.map(type => [
      type.name,
      async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
        const { taskId } = payload as { taskId: number };
        await runOne(db, type, taskId, { last: helpers.job.attempts >= helpers.job.max_attempts }, deps, log);
      },
    ]),
  );
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
  const start = async (): Promise<{ name: string; answer: Runner }> => {
    const events = new EventEmitter() as WorkerEvents;
    let name = '';
    events.once('pool:create', ({ workerPool }) => (name = workerPool.id));
    const answer = await run({
      events,
      pgPool: db.pool,
      concurrency: db.kind === 'embedded' ? 1 : 4,
      noHandleSignals: true,
      // Notifications wake it; the poll is for tasks with a time and for lost notifications.
      pollInterval: 5000,
      parsedCronItems: [],
      logger: new Logger(() => (level, message) => log[workerLevels[level]](message)),
      taskList,
    });
    return { name, answer };
  };
  await takeUp();
  const runner = await living.begin(start);
  const looking = periodically(30, 'taking up tasks', takeUp, log);
  return {
    stop: async () => {
      await looking.stop();
      await runner.stop();
      await living.close();
    },
  };
}

/** graphile-worker reports every start and end as info; here that is detail. */
const workerLevels = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;

async function runOne(
  db: Database,
  type: AnyTaskType,
  taskId: number,
  { last }: { last: boolean },
  deps: TaskDependencies,
  log: Log,
): Promise<void> {
  const task = await db.unrecorded
    .updateTable('task')
    .set(eb => ({ state: 'running', startedAt: sql<string>`now()`, attempts: eb('attempts', '+', 1) }))
    .where('taskId', '=', taskId)
    .where('state', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst();
  if (!task) return; // cancelled, or finished by a process that died before it could say so
  const finish = (outcome: 'success' | 'partial' | 'failed', error: string | null) =>
    db.unrecorded
      .updateTable('task')
      .set({ state: 'completed', outcome, error, finishedAt: sql<string>`now()` })
      .where('taskId', '=', taskId)
      .execute();
  try {
    const source = await db.read.selectFrom('activity').selectAll().where('activityId', '=', task.activityId).executeTakeFirst();
    const ended = await type.run({
      db,
      taskId,
      input: type.input.parse(task.input) as never,
      activity: { action: type.name, summary: type.summary, traceId: source?.traceId ?? '0'.repeat(32), accountName: task.accountName },
      deps,
      progress: async (done, total) => {
        await db.unrecorded.updateTable('task').set({ itemsDone: done, itemsTotal: total }).where('taskId', '=', taskId).execute();
      },
    });
    await finish(ended?.outcome ?? 'success', ended?.error ?? null);
  } catch (error) {
    log.warn('task failed', { task: type.name, taskId, last, error });
    const message = error instanceof Error ? error.message : String(error);
    if (last) await finish('failed', message);
    else await db.unrecorded.updateTable('task').set({ state: 'queued', error: message }).where('taskId', '=', taskId).execute();
    throw error; // graphile-worker plans the next attempt
  }
}
