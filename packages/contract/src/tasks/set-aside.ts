import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { setAsidePermissions } from '../staff-permissions.ts';

/** A unit of queued work that crashed its process twice, and waits for a person to decide. */
export const SetAsideUnit = z.object({
  /** Its queue: `task`, `periodic`. */
  queue: z.string(),
  queueName: z.string(),
  unit: z.string(),
  title: z.string(),
  accountName: z.nullable(z.string()),
  setAsideAt: z.iso.datetime(),
  endedProcesses: z.int(),
  /** Details of its end, such as the exception. */
  sign: z.nullable(z.string()),
  /** It can be dropped: periodic work can only be retried. */
  mayDrop: z.boolean(),
});
export type SetAsideUnit = z.infer<typeof SetAsideUnit>;

const Unit = z.object({ queue: z.string().check(z.maxLength(60)), unit: z.string().check(z.maxLength(200)) });

export const setAside = group('tasks.setAside', {
  listSetAside: endpoint({
    method: 'GET',
    path: '/api/staff/set-aside',
    summary: 'Work that ended the server twice and was set aside, oldest first: of the kinds that the caller looks after.',
    access: staff(setAsidePermissions),
    answer: z.object({ rows: z.array(SetAsideUnit) }),
  }),
  retrySetAside: endpoint({
    method: 'POST',
    path: '/api/staff/set-aside/retry',
    summary: 'Tries work again that was set aside.',
    access: staff(setAsidePermissions),
    effect: 'records',
    activity: 'Tried work again that was set aside',
    body: Unit,
    errors: ['ALREADY_RESOLVED'],
  }),
  dropSetAside: endpoint({
    method: 'POST',
    path: '/api/staff/set-aside/drop',
    summary: 'Drops work that was set aside: it is not tried again.',
    access: staff(setAsidePermissions),
    effect: 'records',
    activity: 'Dropped work that was set aside',
    body: Unit,
    errors: ['ALREADY_RESOLVED', 'NOTHING_TO_DO'],
  }),
});
