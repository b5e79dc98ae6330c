import { sql } from 'kysely';
import * as z from 'zod';
import type { ActOf } from '../../../platform/activity-words.ts';
import type { Change, Database, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import { taskType } from '../../../platform/tasks.ts';
import type { Profile } from '../../../profile.ts';
import { lockAccount } from '../../accounts/index.ts';
import { notifyAboutChanges, type ObjectNotice } from '../submit/change-notices.ts';
import { admitUpdates, type ExceptionName } from './admission.ts';
import { problemMessages } from './outcome.ts';
import { submitForAccount } from './submit-for-account.ts';
import { rightsOf } from '../rights/rights.ts';
import { shownText } from '../store/shown-text.ts';
import { refuseTooManyNew, type ObjectLimit } from '../submit/write-limits.ts';
import { readText } from '../store/syntax.ts';
import { type TaskRows, taskRowsOf } from './task-rows.ts';
import { type Credentials, isError, type WhoisOutcome, type WhoisUpdate } from '../store/update.ts';
import { wasRefused } from '@portal/contract/tasks/tasks';

const Input = z.object({
  accountName: z.string(),
  contactId: z.string(),
  mode: z.enum(['atomic', 'best-effort']),
  dryRun: z.boolean(),
  /** Whether it restores what another task deleted. */
  restores: z.boolean(),
  /** A description of the request, if it isn't the objects themselves. */
  request: z.string().nullable(),
});
type Input = z.infer<typeof Input>;

/** Objects stored in one change: about half a second, so that others can write. */
const AT_ONCE = 1_000;
/** Maximum number of objects of an atomic task: they are stored in one change, and block others meanwhile. */
const MAX_ATOMIC = 2_000;

type ItemRow = {
  itemNo: number;
  operation: WhoisUpdate['operation'];
  class: string;
  key: string;
  text: string;
  reason: string;
  expectedVersion: number | null;
};

/** Creates, changes and deletes the objects of a task. A stored object is never written twice, whenever the worker is killed. */
const run = async ({
  db,
  taskId,
  input,
  activity,
  progress,
  context: { profile, config },
}: Work): Promise<{ outcome: 'success' | 'partial' | 'failed' }> => {
  const { accountName, contactId, mode, dryRun } = input;
  const work: Part = {
    db,
    taskId,
    input,
    profile,
    mostObjects: config.whoisMostObjects,
    activity: { ...activity, accountName, contactId, action: 'whois.workOnTask' },
    credentials: await rightsOf(db.read, accountName, contactId),
  };
  const total = await countItems(db.read, taskId, null);
  let done = total - (await countItems(db.read, taskId, 'pending'));
  await progress(done, total);
  if (mode === 'atomic' || dryRun) await perform(work, await pendingItems(db.read, taskId), { last: true });
  else {
    // Objects that depend on a later part are retried as long as there is progress.
    for (let last = false; ; ) {
      const before = await countItems(db.read, taskId, 'pending');
      for (const part of partsOf(await pendingItems(db.read, taskId))) {
        await perform(work, part, { last });
        done = total - (await countItems(db.read, taskId, 'pending'));
        await progress(done, total);
      }
      const left = await countItems(db.read, taskId, 'pending');
      if (left === 0) break;
      last = left === before;
    }
  }
  await progress(total, total);
  const failed = (await countItems(db.read, taskId, 'failed')) + (await countItems(db.read, taskId, 'skipped'));
  const outcome = failed === 0 ? 'success' : failed === total ? 'failed' : 'partial';
  // The mails and the end of the task are one change: a worker killed before it sends them after the restart, and none are sent twice.
  if (!dryRun)
    await db.change({ ...work.activity, summary: 'Notified of the objects changed by a task' }, async change => {
      await notifyAboutChanges(change, await notificationsOfTask(change, taskId), { who: work.credentials.who, profile });
      await change.updateTable('task').set({ state: 'completed', outcome, finishedAt: change.now }).where('taskId', '=', taskId).execute();
    });
  return { outcome };
};

type Work = Parameters<Parameters<typeof taskType<Input>>[0]['run']>[0];
type Part = {
  db: Database;
  taskId: number;
  input: Input;
  profile: Profile;
  mostObjects: number;
  activity: Work['activity'] & { contactId: string };
  credentials: Credentials & { suspended: boolean };
};

const task = (name: `whois.${ActOf<'whois'>}`, summary: string) => taskType({ name, summary, input: Input, run });
/** A set of whole objects. */
export const modifyObjects = task('whois.modifyObjects', 'Changed whois objects');
/** One change of many objects. */
export const bulkModify = task('whois.modify', 'Bulk-updated whois objects');

/** Findings that may disappear once more objects of the task are done. */
const passing = new Set([
  'reference-missing',
  'no-parent',
  'referenced',
  'parent-not-authorised',
  'prefix-not-authorised',
  'not-a-member',
  'parent-assigned',
  'parent-sub-allocated',
  'registered-otherwise',
  'too-many-objects',
]);

async function perform(work: Part, planned: readonly ItemRow[], { last }: { last: boolean }): Promise<void> {
  if (planned.length === 0) return;
  const { db, taskId, input, profile, mostObjects, credentials, activity } = work;
  const { accountName, contactId, mode, dryRun, restores } = input;
  await db.change(
    { ...activity, summary: dryRun ? 'Tried whois objects of a task' : 'Changed whois objects of a task' },
    async change => {
      const items = await stillPending(change, taskId, planned);
      const updates = items.map(
        ({ operation, text, reason, expectedVersion }): WhoisUpdate => ({ operation, text, reason, expectedVersion, restores }),
      );
      const outcomes = await submitForAccount(change, { accountName, contactId }, updates, {
        credentials,
        mode,
        dryRun,
        profile,
        limits: { whoisMostObjects: mostObjects },
        exception: 'taskPart',
      });
      const settled = outcomes.flatMap((outcome, place) => {
        const waits =
          !last &&
          mode === 'best-effort' &&
          outcome.state === 'failed' &&
          outcome.problems.filter(isError).every(({ code }) => passing.has(code));
        return waits ? [] : [{ item: items[place]!, outcome }];
      });
      await recordOutcomes(change, taskId, settled);
      await change.note({ task: taskId, objects: settled.length, ...countsOf(settled.map(({ outcome }) => outcome)) });
    },
    { timeout: 0 },
  );
}

const countsOf = (outcomes: readonly WhoisOutcome[]) => ({
  done: outcomes.filter(({ state }) => state === 'ok').length,
  failed: outcomes.filter(({ state }) => state === 'failed').length,
});

async function recordOutcomes(
  change: Change,
  taskId: number,
  settled: readonly { item: Pick<ItemRow, 'itemNo' | 'text'>; outcome: WhoisOutcome }[],
): Promise<void> {
  if (settled.length === 0) return;
  const outcomes = settled.map(({ outcome }) => outcome);
  await change.rows(sql`update whois_task_item i set state = w.state, done = w.done, before_version = w.before_version, after_version = w.after_version, problems = w.problems,
      class = w.class, key = w.key, shown = w.shown
    from unnest(${settled.map(({ item }) => item.itemNo)}::int[], ${outcomes.map(o => o.state)}::text[], ${outcomes.map(o => o.done)}::text[], ${outcomes.map(o => o.beforeVersion)}::int[],
      ${outcomes.map(o => o.afterVersion)}::int[], ${settled.map(({ item, outcome }) => JSON.stringify(problemMessages(outcome.problems, item.text)))}::jsonb[],
      ${outcomes.map(o => o.class)}::text[], ${outcomes.map(o => o.key)}::text[], ${outcomes.map(o => o.shown)}::text[])
      as w (item_no, state, done, before_version, after_version, problems, class, key, shown)
    where i.task_id = ${taskId}::bigint and i.item_no = w.item_no`);
}

const pendingItems = (read: Read, taskId: number): Promise<ItemRow[]> =>
  read.rows<ItemRow>(
    sql`select item_no, operation, class, key, text, reason, expected_version from whois_task_item where task_id = ${taskId} and state = 'pending' order by item_no`,
  );

/** Returns the objects still pending: a worker that was presumed dead may be processing them. Others wait until this change is over. */
async function stillPending(change: Change, taskId: number, planned: readonly ItemRow[]): Promise<ItemRow[]> {
  const rows = await change.rows<{ itemNo: number }>(sql`select item_no from whois_task_item
    where task_id = ${taskId}::bigint and item_no = any(${planned.map(({ itemNo }) => itemNo)}::int[]) and state = 'pending' for update`);
  const pending = new Set(rows.map(({ itemNo }) => itemNo));
  return planned.filter(({ itemNo }) => pending.has(itemNo));
}

type DoneRow = Pick<ItemRow, 'operation' | 'class' | 'text'> & {
  shown: string;
  done: 'create' | 'modify' | 'delete' | null;
  before: string | null;
  after: string | null;
  problems: ReturnType<typeof problemMessages>;
};

/** Returns the notices of a task for the people named in objects: read from its items, because the worker of its first part may be dead. */
async function notificationsOfTask(change: Change, taskId: number): Promise<ObjectNotice[]> {
  const rows = await change.rows<DoneRow>(sql`select i.operation, i.class, i.shown, i.text, i.done, i.problems, b.text as before,
      case when i.done <> 'delete' then a.text end as after
    from whois_task_item i
    left join whois_journal b on b.class = i.class and b.key = i.key and b.version = i.before_version
    left join whois_journal a on a.class = i.class and a.key = i.key and a.version = i.after_version
    where i.task_id = ${taskId}::bigint and i.state in ('ok', 'failed') order by i.item_no`);
  return rows.flatMap(({ operation, class: objectClass, shown, text, done, problems, ...texts }): ObjectNotice[] => {
    const before = texts.before === null ? null : shownText(texts.before);
    if (done !== null)
      return [{ done, class: objectClass, shown, before, after: texts.after === null ? null : shownText(texts.after), refusals: [] }];
    const refusals = problems.filter(({ severity, maintainers }) => severity === 'error' && maintainers.length > 0);
    const deletes = operation === 'delete' || readText(text).deletes !== null;
    return refusals.length === 0 ? [] : [{ done: null, class: objectClass, shown, before, after: deletes ? null : text, refusals }];
  });
}

async function countItems(read: Read, taskId: number, state: string | null): Promise<number> {
  const [row] = await read.rows<{ total: number }>(
    sql`select count(*)::int as total from whois_task_item where task_id = ${taskId} ${state === null ? sql`` : sql`and state = ${state}`}`,
  );
  return row!.total;
}

/** First contacts and all objects that name new handles, together; then objects before those that depend on them. */
const ranks = [
  'person',
  'role',
  'mntner',
  'irt',
  'key-cert',
  'organisation',
  'as-block',
  'aut-num',
  'as-set',
  'route-set',
  'filter-set',
  'peering-set',
  'rtr-set',
  'inetnum',
  'inet6num',
  'route',
  'route6',
  'domain',
  'inet-rtr',
];
function partsOf(items: readonly ItemRow[]): ItemRow[][] {
  const isFirst = ({ class: objectClass, text }: ItemRow): boolean => ranks.indexOf(objectClass) < 6 || /\bauto-\d/i.test(text);
  const first = items.filter(isFirst);
  const rest = items.filter(item => !isFirst(item)).sort((a, b) => ranks.indexOf(a.class) - ranks.indexOf(b.class) || a.itemNo - b.itemNo);
  const parts = first.length > 0 ? [first] : [];
  for (let at = 0; at < rest.length; at += AT_ONCE) parts.push(rest.slice(at, at + AT_ONCE));
  return parts;
}

/** Maximum number of waiting and running tasks of one account. */
const MAX_TASKS = 2;

/**
 * Enqueues a task over some updates of an account, or their rows, which are admitted now. Tasks of one account run one after another, those of different accounts in parallel.
 * @throws Failure ACCOUNT_RESTRICTED_IRT, TOO_MANY_OBJECTS, TOO_MANY_TASKS, INVALID_REQUEST for an atomic task that is too big
 */
export async function enqueueUpdates(
  change: Change,
  updates: readonly WhoisUpdate[] | TaskRows,
  {
    type = modifyObjects,
    summary,
    limits,
    exception,
    ...given
  }: Omit<Input, 'restores' | 'request'> & {
    restores?: boolean;
    request?: string;
    type?: typeof modifyObjects;
    summary: string;
    limits: ObjectLimit;
    exception?: ExceptionName | undefined;
  },
): Promise<number> {
  const { accountName, mode, dryRun } = given;
  const rows = 'portions' in updates ? updates : await taskRowsOf(updates);
  if (!dryRun) await admitUpdates(change, accountName, rows, { exception });
  await refuseTooManyNew(change, accountName, rows, limits);
  if (mode === 'atomic' && rows.count > MAX_ATOMIC)
    throw refuse('INVALID_REQUEST', {
      detail: `all-or-nothing works with at most ${MAX_ATOMIC} objects. You sent ${rows.count}`,
    });
  // Serialises concurrent calls, so that each counts the other.
  await lockAccount(change, accountName);
  const [open] = await change.rows<{ total: number }>(sql`select count(*)::int as total from task
    where account_name = ${accountName} and name in ('whois.modifyObjects', 'whois.modify') and state in ('queued', 'running')`);
  if (open!.total >= MAX_TASKS) throw refuse('TOO_MANY_TASKS');
  const input: Input = { ...given, restores: given.restores ?? false, request: given.request ?? null };
  const taskId = await change.enqueue({ ...type, summary }, input, { queue: `whois ${accountName}`, attempts: 3 });
  await change.updateTable('task').set({ itemsTotal: rows.count }).where('taskId', '=', taskId).execute();
  await storeRows(change, taskId, rows);
  await change.note({ task: taskId, objects: rows.count });
  return taskId;
}

/**
 * Records updates that this change has carried out as a task with its report, so that a small bulk change is found, downloaded and reverted like a large
 * one. Returns the number of the task.
 */
export async function recordUpdates(
  change: Change,
  updates: readonly WhoisUpdate[],
  outcomes: readonly WhoisOutcome[],
  { type, summary, ...given }: Omit<Input, 'restores' | 'dryRun'> & { type: typeof modifyObjects; summary: string },
): Promise<number> {
  const refused = outcomes.filter(wasRefused).length;
  const outcome = refused === 0 ? 'success' : refused === outcomes.length ? 'failed' : 'partial';
  const taskId = await change.recordTask(
    { ...type, summary },
    { ...given, restores: false, dryRun: false },
    { outcome, items: updates.length },
  );
  await storeRows(change, taskId, await taskRowsOf(updates));
  await recordOutcomes(
    change,
    taskId,
    outcomes.map((each, place) => ({ item: { itemNo: place + 1, text: updates[place]!.text }, outcome: each })),
  );
  await change.note({ task: taskId });
  return taskId;
}

async function storeRows(change: Change, taskId: number, { portions }: TaskRows): Promise<void> {
  for (const portion of portions)
    await change.rows(sql`insert into whois_task_item (task_id, item_no, operation, class, key, shown, text, reason, expected_version)
      select ${taskId}::bigint, * from json_to_recordset(${portion}::json)
        as w (item_no int, operation text, class text, key text, shown text, text text, reason text, expected_version int)`);
}
