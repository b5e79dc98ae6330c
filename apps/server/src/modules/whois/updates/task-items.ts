import type { Download, QueryOf } from '@portal/contract';
import type { TaskDetail, TaskItem, tasks } from '@portal/contract/tasks/tasks';
import { type Acknowledged, acknowledgement, withReasons } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { tableFile } from '../../../platform/table-file.ts';
import type { Profile } from '../../../profile.ts';
import { release } from '../../../release.ts';
import type { RepeatOptions, TaskItems } from '../../tasks/index.ts';
import { writingRights } from '../rights/rights.ts';
import { versionTexts } from '../objects/version-texts.ts';
import type { WhoisUpdate } from '../store/update.ts';
import { enqueueUpdates } from './update-task.ts';

type ItemRow = Omit<TaskItem, 'before' | 'after'> & { reason: string };
const itemColumns = sql`item_no, operation, class, key, shown, state, done, before_version, after_version, text, reason, problems`;

async function withTexts(read: Pick<Read, 'rows'>, rows: readonly ItemRow[]): Promise<TaskItem[]> {
  const texts = await versionTexts(
    read,
    rows.flatMap(({ class: objectClass, key, beforeVersion, afterVersion, state }) =>
      [beforeVersion, afterVersion].flatMap(version =>
        // What was not written may be an object of others.
        version === null ? [] : [{ class: objectClass, key, version, forOthers: state !== 'ok' }],
      ),
    ),
  );
  return rows.map(({ reason: _reason, ...row }) => {
    const of = (version: number | null): string | null =>
      version === null ? null : (texts.get(`${row.class} ${row.key} ${version}`) ?? null);
    return { ...row, before: of(row.beforeVersion), after: row.done === 'delete' ? null : of(row.afterVersion) };
  });
}

async function summarise(read: Pick<Read, 'rows'>, taskId: number): Promise<Pick<TaskDetail, 'counts' | 'failures'>> {
  const [states, failures] = await Promise.all([
    read.rows<{ state: keyof TaskDetail['counts']; total: number }>(
      sql`select state, count(*)::int as total from whois_task_item where task_id = ${taskId} group by state`,
    ),
    read.rows<{
      message: string;
      objects: number;
    }>(sql`select p ->> 'message' as message, count(distinct item_no)::int as objects from whois_task_item, jsonb_array_elements(problems) p
      where task_id = ${taskId} and state = 'failed' and p ->> 'severity' = 'error' group by 1 order by 2 desc, 1 limit 20`),
  ]);
  const none = { pending: 0, ok: 0, unchanged: 0, failed: 0, skipped: 0 };
  return { counts: { ...none, ...Object.fromEntries(states.map(({ state, total }) => [state, total])) }, failures };
}

async function list(
  read: Pick<Read, 'rows'>,
  taskId: number,
  { state, offset, limit }: QueryOf<typeof tasks.listTaskItems>,
): Promise<{ rows: TaskItem[]; total: number }> {
  const conditions = sql`task_id = ${taskId} ${state === undefined ? sql`` : sql`and state = ${state}`}`;
  const [rows, [counted]] = await Promise.all([
    read.rows<ItemRow>(
      sql`select ${itemColumns} from whois_task_item where ${conditions} order by item_no limit ${limit} offset ${offset}`,
    ),
    read.rows<{ total: number }>(sql`select count(*)::int as total from whois_task_item where ${conditions}`),
  ]);
  return { rows: await withTexts(read, rows), total: counted!.total };
}

const reportColumns = ['item', 'class', 'key', 'state', 'done', 'beforeVersion', 'afterVersion', 'message'] as const;

/** `text`: the failed ones with their errors in comments, to be corrected and sent again. */
function fileOf(
  read: Read,
  { taskId, at }: { taskId: number; at: string },
  format: QueryOf<typeof tasks.getTaskReport>['format'],
  profile: Profile,
): Promise<Download> | Download {
  const name = `task-${taskId}`;
  const rows = (only: string | null): AsyncGenerator<ItemRow[]> =>
    read.stream<ItemRow>(
      sql<ItemRow>`select ${itemColumns} from whois_task_item where task_id = ${taskId} ${only === null ? sql`` : sql`and state = ${only}`} order by item_no`,
    );
  if (format === 'text')
    return { fileName: `${name}-failed.txt`, contentType: 'text/plain; charset=utf-8', chunks: failedTexts(rows('failed')) };
  if (format === 'acknowledgement') {
    const footer = `The whois database ${profile.source} of ${profile.registryName}, whois server version ${release}`;
    const about = { at: new Date(at), footer };
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

const itemsIn = (change: Change, taskId: number, states: readonly string[]): Promise<ItemRow[]> =>
  change.rows<ItemRow>(
    sql`select ${itemColumns} from whois_task_item where task_id = ${taskId} and state = any(${[...states]}::text[]) order by item_no`,
  );

/** @throws Failure NO_PERMISSION, ACCOUNT_SUSPENDED, NOTHING_TO_DO, and those of `enqueueUpdates` */
async function retry(change: Change, account: AdmittedAccount, { taskId, mode, limits }: RepeatOptions): Promise<number> {
  await writingRights(change, account);
  const items = await itemsIn(change, taskId, ['failed', 'skipped']);
  if (items.length === 0) throw refuse('NOTHING_TO_DO', { why: 'no objects of the task failed' });
  const updates = items.map(({ operation, text, reason }): WhoisUpdate => ({ operation, text, reason }));
  return enqueueUpdates(change, updates, {
    accountName: account.accountName,
    contactId: account.contactId!,
    mode: mode ?? 'best-effort',
    dryRun: false,
    limits,
    summary: `Failed objects of task ${taskId}, once more`,
  });
}

/** Restores every object to its version before the task, unless it was changed since. @throws Failure as `retry` */
async function undo(change: Change, account: AdmittedAccount, { taskId, limits }: RepeatOptions): Promise<number> {
  await writingRights(change, account);
  const items = await itemsIn(change, taskId, ['ok']);
  if (items.length === 0) throw refuse('NOTHING_TO_DO', { why: 'the task made no changes' });
  const texts = await versionTexts(
    change,
    items.flatMap(({ class: objectClass, key, beforeVersion, afterVersion }) =>
      [beforeVersion, afterVersion].flatMap(version => (version === null ? [] : [{ class: objectClass, key, version }])),
    ),
  );
  // The last created goes first.
  const updates = items.toReversed().map(({ class: objectClass, key, done, beforeVersion, afterVersion }): WhoisUpdate => {
    const before = beforeVersion === null ? '' : texts.get(`${objectClass} ${key} ${beforeVersion}`)!;
    if (done === 'create')
      return {
        operation: 'delete',
        text: texts.get(`${objectClass} ${key} ${afterVersion}`)!,
        reason: `Reverts task ${taskId}`,
        expectedVersion: afterVersion,
      };
    return { operation: done === 'delete' ? 'create' : 'modify', text: before, expectedVersion: done === 'delete' ? null : afterVersion };
  });
  return enqueueUpdates(change, updates, {
    accountName: account.accountName,
    contactId: account.contactId!,
    mode: 'best-effort',
    dryRun: false,
    restores: true,
    limits,
    summary: `Undo of task ${taskId}`,
  });
}

/** The objects of tasks that change many whois objects. */
export const whoisTaskItems: TaskItems = {
  summarise,
  list,
  report: fileOf,
  skipPending: async (change, taskId) => {
    await change.rows(sql`update whois_task_item set state = 'skipped' where task_id = ${taskId} and state = 'pending'`);
  },
  retry,
  undo,
};
