import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import { type Task, type TaskDetail, type TaskFacets, taskOutcomes, type tasks, taskStates } from '@portal/contract/tasks/tasks';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { tableFile } from '../../platform/table-file.ts';
import { TaskKinds } from './member-tasks.ts';

type Row = Omit<Task, 'kind' | 'mine' | 'mayCancel' | 'link'> & {
  contactId: string | null;
  input: { mode?: 'atomic' | 'best-effort'; dryRun?: boolean; request?: string | null };
};

/** Name of the person who started a task, and its value in the filter. */
const starter = sql`coalesce(c.full_name, 'The registry')`;
const personOf = sql`coalesce(c.contact_id::text, 'registry')`;
const columns = sql`t.task_id, t.name, t.summary, t.state, t.outcome, t.created_at, t.started_at, t.finished_at, t.items_done, t.items_total, t.error, t.input,
  ${starter} as started_by, a.contact_id`;
const source = sql`task t join activity a using (activity_id) left join contact c on c.contact_id::text = a.contact_id`;

/** Own tasks; those of others for contacts who may see resources. */
const visible = (
  { accountName, contactId, permissions, asStaff }: AdmittedAccount,
  kinds: TaskKinds,
) => sql`t.account_name = ${accountName} and t.name = any(${kinds.names}::text[])
  ${permissions.has('resources-view') || asStaff ? sql`` : sql`and a.contact_id = ${contactId}`}`;

/** The address of a task's page. */
const linkOf = (product: string, page: string, taskId: number): string => `/task/My${product}/${page}/1/details?id=${taskId}`;

function taskOf({ input: _input, contactId, ...row }: Row, account: AdmittedAccount, kinds: TaskKinds, product: string): Task {
  const { kind, page } = kinds.of(row.name);
  const mine = contactId !== null && contactId === account.contactId;
  return {
    ...row,
    kind,
    mine,
    mayCancel: row.state === 'queued' && mayWorkOn(mine, account),
    link: linkOf(product, page, row.taskId),
  };
}

const mayWorkOn = (mine: boolean, account: AdmittedAccount): boolean => mine || account.contactTypes.includes('corporate');

type Filters = Omit<QueryOf<typeof tasks.listTasks>, 'after' | 'limit'>;

/** Returns the condition on an account's tasks from the filters other than those of `TaskFacets`. */
function within(account: AdmittedAccount, kinds: TaskKinds, { kind, from, to }: Filters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [visible(account, kinds)];
  if (kind === 'bulk') conditions.push(sql`t.name = any(${kinds.bulkNames}::text[])`);
  if (from !== undefined) conditions.push(sql`t.created_at >= ${from}::date`);
  if (to !== undefined) conditions.push(sql`t.created_at < ${to}::date + 1`);
  return conditions;
}

function matches(account: AdmittedAccount, kinds: TaskKinds, filters: Filters): RawBuilder<unknown>[] {
  const { name, state, outcome, person } = filters;
  const conditions = within(account, kinds, filters);
  if (name !== undefined) conditions.push(sql`t.name = ${name}`);
  if (state !== undefined) conditions.push(sql`t.state = ${state}`);
  if (outcome !== undefined) conditions.push(sql`t.outcome = ${outcome}`);
  if (person !== undefined) conditions.push(sql`${personOf} = ${person}`);
  return conditions;
}

/** A page of the matching tasks of an account, newest first, with counts for every other choice. */
export async function listTasks({
  read,
  account,
  query: { after, limit, ...filters },
  registry: { modules, profile },
}: {
  read: Read;
  account: AdmittedAccount;
  query: QueryOf<typeof tasks.listTasks>;
  registry: Pick<Registry, 'modules' | 'profile'>;
}): Promise<AnswerOf<typeof tasks.listTasks>> {
  const kinds = new TaskKinds(modules);
  const conditions = matches(account, kinds, filters);
  if (after !== undefined) conditions.push(sql`t.task_id < ${after}`);
  const [rows, groups] = await Promise.all([
    read.rows<Row>(
      sql`select ${columns} from ${source} where ${sql.join(conditions, sql` and `)} order by t.task_id desc limit ${limit + 1}`,
    ),
    read.rows<Group>(sql`select t.name, t.state, t.outcome, ${personOf} as person, min(${starter}) as started_by, count(*)::int as tasks
      from ${source} where ${sql.join(within(account, kinds, filters), sql` and `)} group by t.name, t.state, t.outcome, ${personOf}`),
  ]);
  return {
    rows: rows.slice(0, limit).map(row => taskOf(row, account, kinds, profile.product)),
    more: rows.length > limit,
    total: sumOf(groups.filter(group => chosenBy(group, filters))),
    facets: facetsOf(groups, kinds, filters),
  };
}

type Group = Pick<Task, 'name' | 'state' | 'outcome' | 'startedBy'> & { person: string; tasks: number };
type Facet = 'name' | 'state' | 'outcome' | 'person';

const sumOf = (groups: readonly Group[]): number => groups.reduce((sum, { tasks: count }) => sum + count, 0);
const chosenBy = (group: Group, filters: Filters, but?: Facet): boolean =>
  (['name', 'state', 'outcome', 'person'] as const).every(
    facet => facet === but || filters[facet] === undefined || filters[facet] === group[facet],
  );

function facetsOf(groups: readonly Group[], kinds: TaskKinds, filters: Filters): TaskFacets {
  const counted = <F extends Facet>(facet: F, values: readonly NonNullable<Group[F]>[]) => {
    const left = groups.filter(group => chosenBy(group, filters, facet));
    return values.map(value => ({ value, tasks: sumOf(left.filter(group => group[facet] === value)) })).filter(each => each.tasks > 0);
  };
  const names = new Map(groups.map(({ person, startedBy }) => [person, startedBy]));
  return {
    names: counted('name', kinds.names).map(each => ({ ...each, kind: kinds.of(each.value).kind })),
    states: counted('state', taskStates),
    outcomes: counted('outcome', taskOutcomes),
    people: counted('person', [...names.keys()])
      .map(each => ({ ...each, name: names.get(each.value)! }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en')),
  };
}

/** Columns of the export, stable for scripts. */
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
export async function exportTasks({
  read,
  account,
  query: { format, ...filters },
  registry: { modules },
}: Act<typeof tasks.exportTasks>): Promise<Download> {
  const kinds = new TaskKinds(modules);
  const batches = read.stream<Row>(
    sql<Row>`select ${columns} from ${source} where ${sql.join(matches(account, kinds, filters), sql` and `)} order by t.task_id desc`,
  );
  return tableFile(`${account.accountName}-tasks`, format, listColumns, listRows(batches));
}

async function* listRows(batches: AsyncIterable<Row[]>) {
  for await (const rows of batches) yield rows.map(row => ({ ...row, task: row.taskId, kind: row.name }));
}

async function rowOf(read: Pick<Read, 'rows'>, account: AdmittedAccount, taskId: string, kinds: TaskKinds): Promise<Row> {
  const [row] = isRowId(taskId)
    ? await read.rows<Row>(sql`select ${columns} from ${source} where t.task_id = ${taskId}::bigint and ${visible(account, kinds)}`)
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The task' });
  return row;
}

/** @throws Failure NOT_FOUND, also for tasks of others the caller may not see */
export async function getTask({
  read,
  account,
  params: { taskId },
  registry: { modules, profile },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  params: { taskId: string };
  registry: Pick<Registry, 'modules' | 'profile'>;
}): Promise<TaskDetail> {
  const kinds = new TaskKinds(modules);
  const row = await rowOf(read, account, taskId, kinds);
  const { items } = kinds.of(row.name);
  const { counts, failures } = items
    ? await items.summarise(read, row.taskId)
    : { counts: { pending: 0, ok: 0, unchanged: 0, failed: 0, skipped: 0 }, failures: [] };
  const task = taskOf(row, account, kinds, profile.product);
  const over = row.state === 'completed' || row.state === 'cancelled';
  const mayRepeat = over && row.input.dryRun !== true && !account.asStaff && mayWorkOn(task.mine, account);
  return {
    ...task,
    hasItems: items !== null,
    counts,
    mode: row.input.mode ?? null,
    dryRun: row.input.dryRun ?? false,
    mayRetry: mayRepeat && items?.retry !== undefined && counts.failed + counts.skipped > 0,
    mayRevert: mayRepeat && items?.undo !== undefined && counts.ok > 0,
    request: row.input.request ?? null,
    failures,
  };
}

/** @throws Failure NOT_FOUND */
export async function listTaskItems({
  read,
  account,
  params: { taskId },
  query,
  registry: { modules },
}: Act<typeof tasks.listTaskItems>): Promise<AnswerOf<typeof tasks.listTaskItems>> {
  const kinds = new TaskKinds(modules);
  const task = await rowOf(read, account, taskId, kinds);
  return kinds.of(task.name).items?.list(read, task.taskId, query) ?? { rows: [], total: 0 };
}

/** Returns the results of a task's items as a file. @throws Failure NOT_FOUND, also for a task without items */
export async function getTaskReport({
  read,
  account,
  params: { taskId },
  query: { format },
  registry: { modules, profile },
}: Act<typeof tasks.getTaskReport>): Promise<Download> {
  const kinds = new TaskKinds(modules);
  const row = await rowOf(read, account, taskId, kinds);
  const { items } = kinds.of(row.name);
  if (!items) throw refuse('NOT_FOUND', { what: 'A report of this task' });
  const task = { taskId: row.taskId, accountName: account.accountName, at: row.finishedAt ?? row.createdAt };
  return items.report(read, task, format, profile);
}

/** @throws Failure NOT_FOUND, NO_PERMISSION for tasks of others, TASK_NOT_CANCELLABLE */
export async function cancelTask({ change, account, params, registry }: Act<typeof tasks.cancelTask>): Promise<TaskDetail> {
  const kinds = new TaskKinds(registry.modules);
  const row = await rowOf(change, account, params.taskId, kinds);
  if (!mayWorkOn(row.contactId === account.contactId, account)) throw refuse('NO_PERMISSION');
  const cancelled = await change.rows(
    sql`update task set state = 'cancelled', finished_at = ${change.now}::timestamptz where task_id = ${row.taskId} and state = 'queued' returning task_id`,
  );
  if (cancelled.length === 0) throw refuse('TASK_NOT_CANCELLABLE');
  await kinds.of(row.name).items?.skipPending(change, row.taskId);
  await change.note({ task: row.taskId });
  return getTask({ read: change, account, params, registry });
}

type Repeating = {
  change: Change;
  account: AdmittedAccount;
  params: { taskId: string };
  registry: Pick<Registry, 'modules' | 'profile' | 'config'>;
};

/** Makes a new task from the failed items. @throws Failure NOT_FOUND, NO_PERMISSION, NOTHING_TO_DO, and those of the module of the task */
export const retryTask = (act: Repeating): Promise<{ taskId: number; link: string }> => repeatTask(act, 'retry');

/** Makes a task that undoes the done items. @throws Failure as `retryTask` */
export const revertTask = (act: Repeating): Promise<{ taskId: number; link: string }> => repeatTask(act, 'undo');

/** Makes a task from another one, by the module of the task. */
async function repeatTask(
  { change, account, params: { taskId }, registry: { modules, profile, config } }: Repeating,
  how: 'retry' | 'undo',
): Promise<{ taskId: number; link: string }> {
  const kinds = new TaskKinds(modules);
  const row = await rowOf(change, account, taskId, kinds);
  if (!mayWorkOn(row.contactId === account.contactId, account)) throw refuse('NO_PERMISSION');
  const repeat = kinds.of(row.name).items?.[how];
  if (!repeat || row.input.dryRun === true) throw refuse('NOTHING_TO_DO', { why: 'this task made no changes' });
  if (row.state === 'queued' || row.state === 'running') throw refuse('NOTHING_TO_DO', { why: 'the task hasn’t finished' });
  const made = await repeat(change, account, { taskId: row.taskId, mode: row.input.mode ?? null, limits: config });
  const { name } = await rowOf(change, account, String(made), kinds);
  return { taskId: made, link: linkOf(profile.product, kinds.of(name).page, made) };
}
