import { isRowId } from '@portal/contract/row-ids';
import { type AnswerOf, holdsOneOf, type StaffPermission } from '@portal/contract';
import { permissionsForWork } from '@portal/contract/work-permissions';
import type { setAside } from '@portal/contract/tasks/set-aside';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Module } from '../../platform/module.ts';
import { scheduleOf } from '../../platform/periodic-work.ts';
import { taskQueue } from '../../platform/tasks.ts';
import { setAsideUnits, takeSetAside } from '../../platform/work-units.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { requireStaffPermission } from '../roles/index.ts';

/** A queue whose work can be set aside: how a unit is retried, and how it is dropped (null: it can't be). */
export type WorkQueue = {
  /** As in `WorkUnit`. */
  queue: string;
  /** Display name of a piece. */
  name: string;
  /** The name of the kind of work that a unit is, such as `whois.modifyObjects`: who looks after its module tries it again or drops it. Null if it isn't known any more. */
  workOf: (read: Pick<Read, 'rows'>, unit: string) => Promise<string | null>;
  retry: (change: Change, unit: string) => Promise<void>;
  drop: ((change: Change, unit: string) => Promise<void>) | null;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Its queues whose work is set aside when it crashes the server twice. */
    workQueues?: readonly WorkQueue[];
  }
}

/** Tasks: a retried one waits for a worker like a new one. */
export const taskWorkQueue: WorkQueue = {
  queue: taskQueue,
  name: 'Task',
  workOf: async (read, unit) => {
    const [task] = isRowId(unit) ? await read.rows<{ name: string }>(sql`select name from task where task_id = ${unit}::bigint`) : [];
    return task?.name ?? null;
  },
  retry: async (change, unit) => {
    await change.rows(sql`with waiting as (
        update task set state = 'queued', outcome = null, error = null, finished_at = null
        where task_id = ${unit}::bigint and state = 'completed' and outcome = 'failed' returning task_id, name)
      select graphile_worker.add_job(name, payload => json_build_object('taskId', task_id)) from waiting`);
  },
  drop: async (change, unit) => {
    await change.rows(sql`update task set error = 'It was stopped twice by a fault of ours, and the registry dropped it.'
      where task_id = ${unit}::bigint and state = 'completed' and outcome = 'failed'`);
  },
};

/** Periodic work restarts within half a minute once it is no longer set aside. */
const periodicQueue = (modules: readonly Module[]): WorkQueue => ({
  queue: 'periodic',
  name: 'Periodic work',
  workOf: (_read, unit) => Promise.resolve(unit),
  retry: async (change, unit) => {
    if (scheduleOf(modules).some(({ name }) => name === unit))
      await change.rows(sql`update periodic_work set begun_at = null where name = ${unit}`);
  },
  drop: null,
});

const queuesOf = (modules: readonly Module[]): readonly WorkQueue[] => [
  periodicQueue(modules),
  ...modules.flatMap(({ workQueues }) => workQueues ?? []),
];

/** The permissions for a unit: those of its kind of work. */
const permissionsForUnit = async (
  read: Pick<Read, 'rows'>,
  queue: WorkQueue | undefined,
  unit: string,
): Promise<readonly StaffPermission[]> => permissionsForWork((await queue?.workOf(read, unit)) ?? '');

/** Returns the work set aside of the kinds that the caller looks after, oldest first. */
export async function listSetAside({
  read,
  caller: { staffPermissions },
  registry: { modules },
}: Act<typeof setAside.listSetAside>): Promise<AnswerOf<typeof setAside.listSetAside>> {
  const queues = new Map(queuesOf(modules).map(queue => [queue.queue, queue]));
  const units = await setAsideUnits(read);
  const needed = await Promise.all(units.map(({ queue, unit }) => permissionsForUnit(read, queues.get(queue), unit)));
  const rows = units
    .filter((_, place) => holdsOneOf(staffPermissions, needed[place]!, true))
    .map(unit => {
      const queue = queues.get(unit.queue);
      return { ...unit, queueName: queue?.name ?? unit.queue, mayDrop: queue?.drop != null };
    });
  return { rows };
}

type Naming = { queue: string; unit: string };

/** Retries work that was set aside. If two people do, the second learns that the first was faster. @throws Failure NO_STAFF_PERMISSION, ALREADY_RESOLVED */
export async function retrySetAside({
  change,
  caller,
  body: named,
  registry: { modules },
}: Act<typeof setAside.retrySetAside>): Promise<void> {
  const queue = await queueFor(change, caller, modules, named);
  await take(change, named);
  await queue.retry(change, named.unit);
}

/** Drops a piece of work that was set aside. @throws Failure NO_STAFF_PERMISSION, ALREADY_RESOLVED, NOTHING_TO_DO for periodic work */
export async function dropSetAside({
  change,
  caller,
  body: named,
  registry: { modules },
}: Act<typeof setAside.dropSetAside>): Promise<void> {
  const { drop } = await queueFor(change, caller, modules, named);
  if (!drop) throw refuse('NOTHING_TO_DO', { why: 'periodic work can’t be dropped, only tried again' });
  await take(change, named);
  await drop(change, named.unit);
}

/** The queue of a unit that the caller looks after. */
async function queueFor(
  change: Change,
  { staffPermissions }: Pick<Caller, 'staffPermissions'>,
  modules: readonly Module[],
  named: Naming,
): Promise<WorkQueue> {
  const queue = queueOf(modules, named);
  await requireStaffPermission(change, staffPermissions, await permissionsForUnit(change, queue, named.unit), { now: change.now });
  return queue;
}

async function take(change: Change, named: Naming): Promise<void> {
  const taken = await takeSetAside(change, named);
  if (!taken) throw refuse('ALREADY_RESOLVED', { what: 'The work' });
  if (taken.accountName !== null) await change.concerns(taken.accountName);
  await change.note({ queue: named.queue, unit: named.unit, work: taken.title });
}

function queueOf(modules: readonly Module[], { queue }: Naming): WorkQueue {
  const known = queuesOf(modules).find(each => each.queue === queue);
  if (!known) throw refuse('ALREADY_RESOLVED', { what: 'The work' });
  return known;
}
