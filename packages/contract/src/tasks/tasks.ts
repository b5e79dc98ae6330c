import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { contact, endpoint, group, staff } from '../endpoint.ts';
import { WhoisProblem } from '../whois/whois.ts';
import { listOffset, listedId } from '../whole-numbers.ts';

export const taskStates = ['queued', 'running', 'completed', 'cancelled', 'expired'] as const;
export const taskOutcomes = ['success', 'partial', 'failed'] as const;

/** Background work. `outcome` (the result) is separate from `state` (finished or not): a failed update is a completed task. */
export const Task = z.object({
  taskId: z.int(),
  /** Stable: `whois.modifyObjects`. */
  name: z.string(),
  /** Display name of its kind. */
  kind: z.string(),
  /** Purpose of the task: `Upload of 1,200 whois objects`. */
  summary: z.string(),
  state: z.enum(taskStates),
  outcome: z.nullable(z.enum(taskOutcomes)),
  startedBy: z.string(),
  mine: z.boolean(),
  createdAt: z.iso.datetime(),
  startedAt: z.nullable(z.iso.datetime()),
  finishedAt: z.nullable(z.iso.datetime()),
  itemsDone: z.int(),
  itemsTotal: z.nullable(z.int()),
  error: z.nullable(z.string()),
  mayCancel: z.boolean(),
  /** Page with details. */
  link: z.string(),
});
export type Task = z.infer<typeof Task>;

export const itemStates = ['pending', 'ok', 'unchanged', 'failed', 'skipped'] as const;
/** Whether something of an update was refused, alone or with the others that were to take effect together. */
export const wasRefused = ({ state }: { state: string }): boolean => state === 'failed' || state === 'skipped';
const Counts = z.object({ pending: z.int(), ok: z.int(), unchanged: z.int(), failed: z.int(), skipped: z.int() });

export const TaskDetail = z.extend(Task, {
  /** Its items are listed one by one. */
  hasItems: z.boolean(),
  counts: Counts,
  mode: z.nullable(z.enum(['atomic', 'best-effort'])),
  dryRun: z.boolean(),
  mayRetry: z.boolean(),
  mayRevert: z.boolean(),
  /** The requested change, for bulk updates. */
  request: z.nullable(z.string()),
  /** Messages of failed objects, most frequent first. */
  failures: z.array(z.object({ message: z.string(), objects: z.int() })),
});
export type TaskDetail = z.infer<typeof TaskDetail>;

export const TaskItem = z.object({
  itemNo: z.int(),
  operation: z.enum(['create', 'modify', 'delete', 'auto']),
  class: z.string(),
  key: z.string(),
  shown: z.string(),
  state: z.enum(itemStates),
  done: z.nullable(z.enum(['create', 'modify', 'delete'])),
  beforeVersion: z.nullable(z.int()),
  afterVersion: z.nullable(z.int()),
  /** The text as sent; both versions. */
  text: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  problems: z.array(WhoisProblem),
});
export type TaskItem = z.infer<typeof TaskItem>;

const Answer = z.object({ taskId: z.int() });
/** `link`: the page of the new task, which depends on its kind. */
const RepeatAnswer = z.object({ taskId: z.int(), link: z.string() });

/** Filters of a list of tasks. */
const taskFilters = {
  /** Only those that change many whois objects. */
  kind: z._default(z.enum(['all', 'bulk']), 'all'),
  name: z.optional(z.string().check(z.regex(/^[a-z][\w-]*(\.[\w-]+)+$/i), z.maxLength(80))),
  state: z.optional(z.enum(taskStates)),
  outcome: z.optional(z.enum(taskOutcomes)),
  /** The contact who started them; `registry` for none of the account's contacts. */
  person: z.optional(z.string().check(z.regex(/^(registry|[0-9a-f-]{36})$/))),
  /** Days on which they were started, first and last (UTC). */
  from: z.optional(calendarDay()),
  to: z.optional(calendarDay()),
};

const counted = <Value extends z.ZodMiniType>(value: Value) => z.array(z.object({ value, tasks: z.int() }));
/** Number of tasks per choice of a filter, with the other filters as they are. */
const TaskFacets = z.object({
  names: z.array(z.object({ value: z.string(), kind: z.string(), tasks: z.int() })),
  states: counted(z.enum(taskStates)),
  outcomes: counted(z.enum(taskOutcomes)),
  people: z.array(z.object({ value: z.string(), name: z.string(), tasks: z.int() })),
});
export type TaskFacets = z.infer<typeof TaskFacets>;

export const tasks = group('tasks', {
  listTasks: endpoint({
    method: 'GET',
    path: '/api/:account/tasks',
    publicApi: {
      path: '/tasks',
      scope: 'tasks:read',
      continues: { parameter: 'after', entries: 'rows', id: 'taskId', more: 'more' },
    },
    summary: 'Background work of the account, newest first.',
    access: contact,
    query: z.object({
      ...taskFilters,
      /** Returns tasks older than this one, the last of the previous page. */
      after: z.optional(listedId),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    }),
    answer: z.object({
      rows: z.array(Task),
      more: z.boolean(),
      /** All that match, on other pages too. */
      total: z.int(),
      facets: TaskFacets,
    }),
  }),
  exportTasks: endpoint({
    method: 'GET',
    path: '/api/:account/tasks-export',
    publicApi: { path: '/tasks-export', scope: 'tasks:read' },
    summary: 'All tasks that match, as CSV or JSON of the same columns.',
    access: contact,
    query: z.object({ ...taskFilters, format: z.enum(['csv', 'json']) }),
    answer: 'download',
  }),
  getTask: endpoint({
    method: 'GET',
    path: '/api/:account/tasks/:taskId',
    publicApi: { path: '/tasks/:taskId', scope: 'tasks:read' },
    summary: 'One task: its progress and result.',
    access: contact,
    answer: TaskDetail,
    errors: ['NOT_FOUND'],
  }),
  listTaskItems: endpoint({
    method: 'GET',
    path: '/api/:account/tasks/:taskId/items',
    publicApi: { path: '/tasks/:taskId/items', scope: 'tasks:read' },
    summary: 'The objects of a task with their results.',
    access: contact,
    query: z.object({
      state: z.optional(z.enum(itemStates)),
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
    }),
    answer: z.object({ rows: z.array(TaskItem), total: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  getTaskReport: endpoint({
    method: 'GET',
    path: '/api/:account/tasks/:taskId/report',
    publicApi: { path: '/tasks/:taskId/report', scope: 'tasks:read' },
    summary:
      'The result of each object of a task, as CSV, JSON, or the acknowledgement that programs of whois members read; failed ones also as text to fix and send again.',
    access: contact,
    query: z.object({ format: z._default(z.enum(['csv', 'json', 'text', 'acknowledgement']), 'csv') }),
    answer: 'download',
    errors: ['NOT_FOUND'],
  }),
  cancelTask: endpoint({
    method: 'POST',
    path: '/api/:account/tasks/:taskId/cancel',
    publicApi: { path: '/tasks/:taskId/cancel', scope: 'tasks:write' },
    summary: 'Cancel a task that no one has begun.',
    access: contact,
    effect: 'records',
    answer: TaskDetail,
    errors: ['NOT_FOUND', 'TASK_NOT_CANCELLABLE', 'NO_PERMISSION'],
    activity: 'Cancelled a task',
  }),
  retryTask: endpoint({
    method: 'POST',
    path: '/api/:account/tasks/:taskId/retry',
    publicApi: { path: '/tasks/:taskId/retry', scope: 'tasks:write' },
    summary: 'Try the objects of a task that failed once more, as a new task.',
    access: contact,
    effect: 'whois',
    answer: RepeatAnswer,
    errors: [
      'NOT_FOUND',
      'NOTHING_TO_DO',
      'NO_PERMISSION',
      'ACCOUNT_SUSPENDED',
      'ACCOUNT_RESTRICTED_IRT',
      'TOO_MANY_OBJECTS',
      'TOO_MANY_TASKS',
    ],
    activity: 'Retried the failed objects of a task',
  }),
  revertTask: endpoint({
    method: 'POST',
    path: '/api/:account/tasks/:taskId/revert',
    publicApi: { path: '/tasks/:taskId/revert', scope: 'tasks:write' },
    summary: 'Give the objects of a task the versions they had before it, as a new task. What was changed since stays.',
    access: contact,
    effect: 'whois',
    answer: RepeatAnswer,
    errors: [
      'NOT_FOUND',
      'NOTHING_TO_DO',
      'NO_PERMISSION',
      'ACCOUNT_SUSPENDED',
      'ACCOUNT_RESTRICTED_IRT',
      'TOO_MANY_OBJECTS',
      'TOO_MANY_TASKS',
    ],
    activity: 'Reverted a task',
  }),
  echo: endpoint({
    method: 'POST',
    path: '/api/staff/tasks/echo',
    summary: 'Let the task runner repeat a message in an account, to see that it works; registry staff only.',
    access: staff('support'),
    effect: 'reading',
    body: z.object({
      accountName: z.string().check(z.maxLength(64)),
      message: z.string().check(z.maxLength(200)),
      fail: z._default(z.boolean(), false),
    }),
    answer: Answer,
    errors: ['ACCOUNT_NOT_FOUND'],
    activity: 'Sent the task runner a message',
  }),
});
