import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import type { SavedQueue, staffQueues } from '@portal/contract/staff/queues';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { type QueueNow, type Reader, workloadFor } from './requests.ts';

type Queues = AnswerOf<typeof staffQueues.listQueues>;

/** Lists the saved queues by name, and the workload. */
export async function listQueues({ read, caller, registry }: { read: Read; caller: Reader; registry: QueueNow }): Promise<Queues> {
  const { loginId } = caller;
  const [queues, workload] = await Promise.all([
    read.rows<SavedQueue>(sql`select q.saved_queue_id::text as queue_id, q.name, q.filter, l.full_name as saved_by, q.login_id = ${loginId} as is_mine
      from saved_queue q join login l using (login_id) order by lower(q.name) limit 200`),
    workloadFor(read, caller, registry),
  ]);
  return { queues, workload };
}

/** Saves filters under a name. @throws Failure QUEUE_NAME_TAKEN if someone else has a queue of that name */
export async function saveQueue({ change, caller, body: { name, filter }, registry }: Act<typeof staffQueues.saveQueue>): Promise<Queues> {
  const { loginId } = caller;
  const [saved] =
    await change.rows(sql`insert into saved_queue (login_id, name, filter, saved_at) values (${loginId}, ${name}, ${filter}, ${change.now}::timestamptz)
    on conflict (lower(name)) do update set name = excluded.name, filter = excluded.filter, saved_at = excluded.saved_at where saved_queue.login_id = ${loginId}
    returning 1`);
  if (!saved) throw refuse('QUEUE_NAME_TAKEN', { name }).at('name');
  await change.note({ name });
  return listQueues({ read: change, caller, registry });
}

/** Deletes a saved queue of one's own. @throws Failure NOT_FOUND */
export async function deleteQueue({ change, caller, params: { queueId }, registry }: Act<typeof staffQueues.deleteQueue>): Promise<Queues> {
  const { loginId } = caller;
  const [deleted] = isRowId(queueId)
    ? await change.rows<{ name: string }>(
        sql`delete from saved_queue where saved_queue_id = ${Number(queueId)} and login_id = ${loginId} returning name`,
      )
    : [];
  if (!deleted) throw refuse('NOT_FOUND', { what: 'The queue' });
  await change.note({ name: deleted.name });
  return listQueues({ read: change, caller, registry });
}
