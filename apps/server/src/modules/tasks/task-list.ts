import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import {
  type Task,
  type TaskDetail,
  type TaskFacets,
  type TaskItem,
  taskNames,
  taskOutcomes,
  type tasks,
  taskStates,
} from '@portal/contract/tasks/tasks';
import { type Acknowledged, acknowledgement, withReasons } from '@portal/rpsl';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { tableFile } from '../../platform/table-file.ts';
import { findAccount } from '../accounts/index.ts';
import { echo, enqueueUpdates, type ObjectLimit, versionTexts, type WhoisUpdate, writingRights } from '../whois/index.ts';

/** Tasks that are no member's business are not told of: mail under way, and what the machine does for itself. */
const told = [...taskNames];
const bulk: Task['name'][] = ['whois.modifyObjects', 'whois.modify'];

type Row = Omit<Task, 'mine' | 'mayCancel' | 'link'> & {
  contactId: string | null;
  input: { mode?: 'atomic' | 'best-effort'; dryRun?: boolean; request?: string | null };
};

/** Who started a task, by name, and as it is chosen in a list. */
const starter = sql`coalesce(c.full_name, 'The registry')`;
const personOf = sql`case when c.contact_id is null then 'registry' else a.contact_id end`;
const columns = sql`t.task_id, t.name, t.summary, t.state, t.outcome, t.created_at, t.started_at, t.finished_at, t.items_done, t.items_total, t.error, t.input,
  ${starter} as started_by, a.contact_id`;
const source = sql`task t join activity a using (activity_id) left join contact c on c.contact_id::text = a.contact_id`;

/** Own tasks; those of others for who may see resources (domain/resources.md 2.1). */
const visible = ({
  accountName,
  contactId,
  permissions,
  asStaff,
}: AdmittedAccount) => sql`t.account_name = ${accountName} and t.name = any(${told}::text[])
  ${permissions.has('resources-view') || asStaff ? sql`` : sql`and a.contact_id = ${contactId}`}`;

const pages: Record<Task['name'], string> = {
  'whois.modify': 'Whois/Bulk/Modify',
  'whois.modifyObjects': 'Whois/Bulk/ModifyObjects',
  'whois.echo': 'Echo',
};

function taskOf({ input: _input, contactId, ...row }: Row, account: AdmittedAccount, product: string): Task {
  const mine = contactId !== null && contactId === account.contactId;
  return {
    ...row,
    mine,
    mayCancel: row.state === 'queued' && mayWorkOn(mine, account),
    link: `/task/My${product}/${pages[row.name]}/1/details?id=${row.taskId}`,
  };
}

const mayWorkOn = (mine: boolean, account: AdmittedAccount): boolean => mine || account.contactTypes.includes('corporate');

type Filters = Omit<QueryOf<typeof tasks.listTasks>, 'after' | 'limit'>;

/** What narrows the tasks of an account, but for what is chosen among `TaskFacets`. */
function within(account: AdmittedAccount, { kind, from, to }: Filters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [visible(account)];
  if (kind === 'bulk') conditions.push(sql`t.name = any(${bulk}::text[])`);
  if (from !== undefined) conditions.push(sql`t.created_at >= ${from}::date`);
  if (to !== undefined) conditions.push(sql`t.created_at < ${to}::date + 1`);
  return conditions;
}

function matches(account: AdmittedAccount, filters: Filters): RawBuilder<unknown>[] {
  const { name, state, outcome, person } = filters;
  const conditions = within(account, filters);
  if (name !== undefined) conditions.push(sql`t.name = ${name}`);
  if (state !== undefined) conditions.push(sql`t.state = ${state}`);
  if (outcome !== undefined) conditions.push(sql`t.outcome = ${outcome}`);
  if (person !== undefined) conditions.push(sql`${personOf} = ${person}`);
  return conditions;
}

/** A page of the tasks of an account that match, newest first, and how many every other choice would leave. */
export async function listTasks(
  read: Read,
  account: AdmittedAccount,
  { after, limit, ...filters }: QueryOf<typeof tasks.listTasks>,
  product: string,
): Promise<AnswerOf<typeof tasks.listTasks>> {
  const conditions = matches(account, filters);
  if (after !== undefined) conditions.push(sql`t.task_id < ${after}`);
  const [rows, groups] = await Promise.all([
    read.rows<Row>(
      sql`select ${columns} from ${source} where ${sql.join(conditions, sql` and `)} order by t.task_id desc limit ${limit + 1}`,
    ),
    read.rows<Group>(sql`select t.name, t.state, t.outcome, ${personOf} as person, min(${starter}) as started_by, count(*)::int as tasks
      from ${source} where ${sql.join(within(account, filters), sql` and `)} group by t.name, t.state, t.outcome, ${personOf}`),
  ]);
  return {
    rows: rows.slice(0, limit).map(row => taskOf(row, account, product)),
    more: rows.length > limit,
    total: sumOf(groups.filter(group => chosenBy(group, filters))),
    facets: facetsOf(groups, filters),
  };
}

type Group = Pick<Task, 'name' | 'state' | 'outcome' | 'startedBy'> & { person: string; tasks: number };
type Facet = 'name' | 'state' | 'outcome' | 'person';

const sumOf = (groups: readonly Group[]): number => groups.reduce((sum, { tasks: count }) => sum + count, 0);
const chosenBy = (group: Group, filters: Filters, but?: Facet): boolean =>
  (['name', 'state', 'outcome', 'person'] as const).every(
    facet => facet === but || filters[facet] === undefined || filters[facet] === group[facet],
  );

function facetsOf(groups: readonly Group[], filters: Filters): TaskFacets {
  const counted = <F extends Facet>(facet: F, values: readonly NonNullable<Group[F]>[]) => {
    const left = groups.filter(group => chosenBy(group, filters, facet));
    return values.map(value => ({ value, tasks: sumOf(left.filter(group => group[facet] === value)) })).filter(each => each.tasks > 0);
  };
  const names = new Map(groups.map(({ person, startedBy }) => [person, startedBy]));
  return {
    names: counted('name', taskNames),
    states: counted('state', taskStates),
    outcomes: counted('outcome', taskOutcomes),
    people: counted('person', [...names.keys()])
      .map(each => ({ ...each, name: names.get(each.value)! }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en')),
  };
}

/** Columns of the export: a promise to scripts. */
const listColumns = [
  'task',
  'kind',
  'summary',
  'state',
  'outcome',
  'startedBy',
  'createdAt',
  'startedAt',
  'finishedAt',
  'itemsDone',
  'itemsTotal',
] as const;

/** All tasks that match as a file, newest first. */
export function exportTasks(
  read: Read,
  account: AdmittedAccount,
  { format, ...filters }: QueryOf<typeof tasks.exportTasks>,
): Promise<Download> | Download {
  const batches = read.stream<Row>(
    sql<Row>`select ${columns} from ${source} where ${sql.join(matches(account, filters), sql` and `)} order by t.task_id desc`,
  );
  return tableFile(`${account.accountName}-tasks`, format, listColumns, listRows(batches));
}

async function* listRows(batches: AsyncIterable<Row[]>) {
  for await (const rows of batches) yield rows.map(row => ({ ...row, task: row.taskId, kind: row.name }));
}

async function rowOf(read: Pick<Read, 'rows'>, account: AdmittedAccount, taskId: string): Promise<Row> {
  const [row] = /^\d{1,15}$/.test(taskId)
    ? await read.rows<Row>(sql`select ${columns} from ${source} where t.task_id = ${taskId}::bigint and ${visible(account)}`)
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The task' });
  return row;
}

/** @throws Failure NOT_FOUND, also for tasks of others the caller may not see */
export async function getTask(read: Pick<Read, 'rows'>, account: AdmittedAccount, taskId: string, product: string): Promise<TaskDetail> {
  const row = await rowOf(read, account, taskId);
  const [states, failures] = await Promise.all([
    read.rows<{ state: keyof TaskDetail['counts']; total: number }>(
      sql`select state, count(*)::int as total from whois_task_item where task_id = ${row.taskId} group by state`,
    ),
    read.rows<{
      message: string;
      objects: number;
    }>(sql`select p ->> 'message' as message, count(distinct item_no)::int as objects from whois_task_item, jsonb_array_elements(problems) p
      where task_id = ${row.taskId} and state = 'failed' and p ->> 'severity' = 'error' group by 1 order by 2 desc, 1 limit 20`),
  ]);
  const counts = {
    pending: 0,
    ok: 0,
    unchanged: 0,
    failed: 0,
    skipped: 0,
    ...Object.fromEntries(states.map(({ state, total }) => [state, total])),
  };
  const task = taskOf(row, account, product);
  const over = row.state === 'completed' || row.state === 'cancelled';
  const isBulk = bulk.includes(row.name) && row.input.dryRun !== true && !account.asStaff && mayWorkOn(task.mine, account);
  return {
    ...task,
    counts,
    mode: row.input.mode ?? null,
    dryRun: row.input.dryRun ?? false,
    mayRetry: isBulk && over && counts.failed + counts.skipped > 0,
    mayRevert: isBulk && over && counts.ok > 0,
    request: row.input.request ?? null,
    failures,
  };
}

type ItemRow = Omit<TaskItem, 'before' | 'after'> & { reason: string };
const itemColumns = sql`item_no, operation, class, key, shown, state, done, before_version, after_version, text, reason, problems`;

async function withTexts(read: Pick<Read, 'rows'>, rows: readonly ItemRow[]): Promise<TaskItem[]> {
  const texts = await versionTexts(
    read,
    rows.flatMap(({ class: objectClass, key, beforeVersion, afterVersion }) =>
      [beforeVersion, afterVersion].flatMap(version => (version === null ? [] : [{ class: objectClass, key, version }])),
    ),
  );
  return rows.map(({ reason: _reason, ...row }) => {
    const of = (version: number | null): string | null =>
      version === null ? null : (texts.get(`${row.class} ${row.key} ${version}`) ?? null);
    return { ...row, before: of(row.beforeVersion), after: row.done === 'delete' ? null : of(row.afterVersion) };
  });
}

/** @throws Failure NOT_FOUND */
export async function listTaskItems(
  read: Read,
  account: AdmittedAccount,
  taskId: string,
  { state, offset, limit }: QueryOf<typeof tasks.listTaskItems>,
): Promise<AnswerOf<typeof tasks.listTaskItems>> {
  const task = await rowOf(read, account, taskId);
  const conditions = sql`task_id = ${task.taskId} ${state === undefined ? sql`` : sql`and state = ${state}`}`;
  const [rows, [counted]] = await Promise.all([
    read.rows<ItemRow>(
      sql`select ${itemColumns} from whois_task_item where ${conditions} order by item_no limit ${limit} offset ${offset}`,
    ),
    read.rows<{ total: number }>(sql`select count(*)::int as total from whois_task_item where ${conditions}`),
  ]);
  return { rows: await withTexts(read, rows), total: counted!.total };
}

const reportColumns = ['item', 'class', 'key', 'state', 'done', 'beforeVersion', 'afterVersion', 'message'] as const;

/** What came of each object as a file; `text`: the failed ones, what stands against them in comments, to be mended and sent again. @throws Failure NOT_FOUND */
export async function getTaskReport(
  read: Read,
  account: AdmittedAccount,
  taskId: string,
  format: QueryOf<typeof tasks.getTaskReport>['format'],
  profile: Profile,
): Promise<Download> {
  const task = await rowOf(read, account, taskId);
  const name = `task-${task.taskId}`;
  const rows = (only: string | null): AsyncGenerator<ItemRow[]> =>
    read.stream<ItemRow>(
      sql<ItemRow>`select ${itemColumns} from whois_task_item where task_id = ${task.taskId} ${only === null ? sql`` : sql`and state = ${only}`} order by item_no`,
    );
  if (format === 'text')
    return { fileName: `${name}-failed.txt`, contentType: 'text/plain; charset=utf-8', chunks: failedTexts(rows('failed')) };
  if (format === 'acknowledgement') {
    const about = {
      from: account.accountName,
      at: new Date(task.finishedAt ?? task.createdAt),
      foot: `The whois database ${profile.source} of ${profile.registryName}`,
    };
    return {
      fileName: `${name}-acknowledgement.txt`,
      contentType: 'text/plain; charset=utf-8',
      chunks: acknowledgement(() => acknowledged(rows(null)), about),
    };
  }
  return tableFile(name, format, reportColumns, reportRows(rows(null)));
}

async function* failedTexts(batches: AsyncIterable<ItemRow[]>): AsyncGenerator<string> {
  for await (const rows of batches)
    yield rows
      .map(
        ({ problems, text }) =>
          `${withReasons(
            text,
            problems.filter(({ severity }) => severity === 'error'),
          )}\n`,
      )
      .join('');
}

async function* acknowledged(batches: AsyncIterable<ItemRow[]>): AsyncGenerator<Acknowledged> {
  for await (const rows of batches)
    for (const { state, operation, beforeVersion, ...row } of rows)
      if (state !== 'pending') yield { ...row, state, isThere: beforeVersion !== null, deletes: operation === 'delete' };
}

async function* reportRows(batches: AsyncIterable<ItemRow[]>) {
  for await (const rows of batches)
    yield rows.map(({ itemNo, class: objectClass, shown, state, done, beforeVersion, afterVersion, problems }) => ({
      item: itemNo,
      class: objectClass,
      key: shown,
      state,
      done,
      beforeVersion,
      afterVersion,
      message: problems.map(({ message }) => message).join('; '),
    }));
}

/** @throws Failure NOT_FOUND, NO_PERMISSION for tasks of others, TASK_NOT_CANCELLABLE */
export async function cancelTask(change: Change, account: AdmittedAccount, taskId: string, product: string): Promise<TaskDetail> {
  const row = await rowOf(change, account, taskId);
  if (!mayWorkOn(row.contactId === account.contactId, account)) throw refuse('NO_PERMISSION');
  const cancelled = await change.rows(
    sql`update task set state = 'cancelled', finished_at = ${change.now}::timestamptz where task_id = ${row.taskId} and state = 'queued' returning task_id`,
  );
  if (cancelled.length === 0) throw refuse('TASK_NOT_CANCELLABLE');
  await change.rows(sql`update whois_task_item set state = 'skipped' where task_id = ${row.taskId} and state = 'pending'`);
  await change.note({ task: row.taskId });
  return getTask(change, account, taskId, product);
}

async function itemsToRepeat(
  change: Change,
  account: AdmittedAccount,
  taskId: string,
  states: readonly string[],
): Promise<{ row: Row; items: ItemRow[] }> {
  await writingRights(change, account);
  const row = await rowOf(change, account, taskId);
  if (!mayWorkOn(row.contactId === account.contactId, account)) throw refuse('NO_PERMISSION');
  if (!bulk.includes(row.name) || row.input.dryRun === true) throw refuse('NOTHING_TO_DO', { why: 'this task changed no whois objects' });
  if (row.state === 'queued' || row.state === 'running') throw refuse('NOTHING_TO_DO', { why: 'the task is not over' });
  const items = await change.rows<ItemRow>(
    sql`select ${itemColumns} from whois_task_item where task_id = ${row.taskId} and state = any(${[...states]}::text[]) order by item_no`,
  );
  return { row, items };
}

/** A new task of what failed. @throws Failure NOT_FOUND, NO_PERMISSION, ACCOUNT_SUSPENDED, NOTHING_TO_DO, TOO_MANY_TASKS */
export async function retryTask(
  change: Change,
  account: AdmittedAccount,
  taskId: string,
  { isFresh, limits }: { isFresh: boolean; limits: ObjectLimit },
): Promise<{ taskId: number }> {
  const { row, items } = await itemsToRepeat(change, account, taskId, ['failed', 'skipped']);
  if (items.length === 0) throw refuse('NOTHING_TO_DO', { why: 'no object of the task failed' });
  const updates = items.map(({ operation, text, reason }): WhoisUpdate => ({ operation, text, reason }));
  const given = {
    accountName: account.accountName,
    contactId: account.contactId!,
    mode: row.input.mode ?? 'best-effort',
    dryRun: false,
    isFresh,
    limits,
  } as const;
  return { taskId: await enqueueUpdates(change, updates, { ...given, summary: `Failed objects of task ${row.taskId}, once more` }) };
}

/** A new task that undoes one: every object gets the version before it, unless it was changed since. @throws Failure as `retryTask` */
export async function revertTask(
  change: Change,
  account: AdmittedAccount,
  taskId: string,
  { isFresh, limits }: { isFresh: boolean; limits: ObjectLimit },
): Promise<{ taskId: number }> {
  const { row, items } = await itemsToRepeat(change, account, taskId, ['ok']);
  if (items.length === 0) throw refuse('NOTHING_TO_DO', { why: 'the task changed no object' });
  const texts = await versionTexts(
    change,
    items.flatMap(({ class: objectClass, key, beforeVersion, afterVersion }) =>
      [beforeVersion, afterVersion].flatMap(version => (version === null ? [] : [{ class: objectClass, key, version }])),
    ),
  );
  // What was made last goes first.
  const updates = items.toReversed().map(({ class: objectClass, key, done, beforeVersion, afterVersion }): WhoisUpdate => {
    const before = beforeVersion === null ? '' : texts.get(`${objectClass} ${key} ${beforeVersion}`)!;
    if (done === 'create')
      return {
        operation: 'delete',
        text: texts.get(`${objectClass} ${key} ${afterVersion}`)!,
        reason: `Reverts task ${row.taskId}`,
        expectedVersion: afterVersion,
      };
    return { operation: done === 'delete' ? 'create' : 'modify', text: before, expectedVersion: done === 'delete' ? null : afterVersion };
  });
  const given = {
    accountName: account.accountName,
    contactId: account.contactId!,
    mode: 'best-effort',
    dryRun: false,
    restores: true,
    isFresh,
    limits,
  } as const;
  return { taskId: await enqueueUpdates(change, updates, { ...given, summary: `Undoing of task ${row.taskId}` }) };
}

/** @throws Failure ACCOUNT_NOT_FOUND */
export async function startEcho(
  change: Change,
  { accountName, message, fail }: { accountName: string; message: string; fail: boolean },
): Promise<{ taskId: number }> {
  if (!(await findAccount(change, accountName))) throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
  await change.concerns(accountName);
  const taskId = await change.enqueue({ ...echo, summary: `Echo: ${message}` }, { message, fail });
  await change.updateTable('task').set({ accountName }).where('taskId', '=', taskId).execute();
  return { taskId };
}
