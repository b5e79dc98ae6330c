import { sql } from 'kysely';
import { readPolicy } from '../dated-profile.ts';
import type { JobHelpers } from 'graphile-worker';
import { doUnit, SetAside, unitProgressed } from './work-units.ts';
import { inTrace } from './telemetry/spans.ts';
import type { AnyTaskType, ModuleContext, TaskType } from './module.ts';

/** Declares a kind of background work; see `TaskType`. */
export const taskType = <Input>(definition: TaskType<Input>): TaskType<Input> => definition;

/** The queue of tasks among units of work. */
export const taskQueue = 'task';
/** The sentence that members read about a task that was set aside. */
const SET_ASIDE = 'It was stopped twice by a fault of ours. The registry looks into it and starts it again.';

/**
 * Returns graphile-worker's handler for tasks of this type. Our `task` row keeps what members see, graphile-worker the queue and the retries.
 */
export const taskHandler =
  (context: ModuleContext, type: AnyTaskType) =>
  async (payload: unknown, { job }: Pick<JobHelpers, 'job'>): Promise<void> =>
    runOne(context, type, (payload as { taskId: number }).taskId, { last: job.attempts >= job.max_attempts });

async function runOne(context: ModuleContext, type: AnyTaskType, taskId: number, { last }: { last: boolean }): Promise<void> {
  const { db, log } = context;
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
    const { accountName, summary } = task;
    await readPolicy(context.profile);
    const run = () =>
      type.run({
        db,
        taskId,
        input: type.input.parse(task.input) as never,
        activity: { action: type.name, summary: type.summary, traceId: source?.traceId ?? '0'.repeat(32), accountName },
        context,
        progress: async (done, total) => {
          await db.unrecorded.updateTable('task').set({ itemsDone: done, itemsTotal: total }).where('taskId', '=', taskId).execute();
          await unitProgressed(db);
        },
      });
    const ended = await inTrace(
      () => ({
        name: `task ${type.name}`,
        kind: 'consumer',
        attributes: { 'registry.task_id': taskId, 'registry.attempt': task.attempts },
      }),
      // The trace of the change that queued it.
      () => ({ traceId: source?.traceId }),
      () => doUnit({ db, log }, { queue: taskQueue, unit: String(taskId), title: summary, accountName }, run),
    );
    await finish(ended?.outcome ?? 'success', ended?.error ?? null);
  } catch (error) {
    if (error instanceof SetAside) return void (await finish('failed', SET_ASIDE));
    log.warn('task failed', { task: type.name, taskId, last, error });
    const message = error instanceof Error ? error.message : String(error);
    if (last) await finish('failed', message);
    else await db.unrecorded.updateTable('task').set({ state: 'queued', error: message }).where('taskId', '=', taskId).execute();
    throw error; // graphile-worker plans the next attempt
  }
}
