import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { casePermissions } from '../staff-permissions.ts';

/** Filters of the queue under a name: one link for all registry staff. */
export const SavedQueue = z.object({
  queueId: z.string(),
  name: z.string(),
  /** The query of the page, such as `kind=transfers&age=7`. */
  filter: z.string(),
  savedBy: z.string(),
  isMine: z.boolean(),
});
export type SavedQueue = z.infer<typeof SavedQueue>;

/** Open cases of one person; null stands for the unassigned ones, which no one has and which wait for neither a member nor a second person. */
export const Workload = z.object({
  reviewer: z.nullable(z.string()),
  open: z.int(),
  /** Those that wait for the registry, and not for a member. */
  waiting: z.int(),
  /** The one of those that was sent first. */
  oldest: z.nullable(z.iso.datetime()),
});
export type Workload = z.infer<typeof Workload>;

const Queues = z.object({ queues: z.array(SavedQueue), workload: z.array(Workload) });

export const staffQueues = group('staff.queues', {
  listQueues: endpoint({
    method: 'GET',
    path: '/api/staff/queues',
    summary: 'Saved filters of the queue, and the open cases of each person who has some.',
    access: staff(casePermissions),
    answer: Queues,
  }),
  saveQueue: endpoint({
    method: 'POST',
    path: '/api/staff/queues',
    summary: 'Save filters of the queue under a name, for all registry staff. One of the same name that is one’s own is replaced.',
    access: staff(casePermissions),
    effect: 'own settings',
    body: z.object({
      name: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, { error: 'Enter a name, such as Old transfers' }),
          z.maxLength(60, { error: 'At most 60 characters' }),
        ),
      filter: z.string().check(z.maxLength(300)),
    }),
    answer: Queues,
    errors: ['QUEUE_NAME_TAKEN'],
    activity: 'Saved a queue',
  }),
  deleteQueue: endpoint({
    method: 'DELETE',
    path: '/api/staff/queues/:queueId',
    summary: 'Delete a saved queue of one’s own.',
    access: staff(casePermissions),
    effect: 'own settings',
    answer: Queues,
    errors: ['NOT_FOUND'],
    activity: 'Deleted a saved queue',
  }),
});
