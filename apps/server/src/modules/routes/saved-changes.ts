import type { AnswerOf } from '@portal/contract';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import {
  type RouteChangeDetails,
  type RouteChangeItem,
  type RouteChangeRow,
  type RouteFacts,
  type routes,
  undoHours,
} from '@portal/contract/routes/routes';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { formatCount } from '@portal/number-resources';
import type { Act } from '../../platform/http/endpoints.ts';

/** A stored change. */
type ChangeRow = {
  changeId: string;
  activityId: number;
  kind: RouteChangeRow['kind'];
  madeBy: string;
  madeAt: string;
  version: number;
  items: RouteChangeItem[];
  undoes: string | null;
  undoneBy: string | null;
};

const columns = sql`c.route_change_id::text as change_id, c.activity_id::int as activity_id, c.kind, c.made_by, c.made_at, c.version, c.items, c.undoes::text,
  (select u.route_change_id::text from route_change u where u.undoes = c.route_change_id) as undone_by`;

const count = (items: readonly RouteChangeItem[], ...actions: RouteChangeItem['action'][]): number =>
  items.filter(({ action }) => actions.includes(action)).length;

/** `Added 2 routes, deleted 1` */
function summaryOf(items: readonly RouteChangeItem[], kind: RouteChangeRow['kind'] = 'save'): string {
  const parts = [
    { done: 'added', routes: count(items, 'add') },
    { done: 'adopted', routes: count(items, 'adopt') },
    { done: 'changed', routes: count(items, 'change') },
    { done: 'deleted', routes: count(items, 'remove') },
  ].filter(part => part.routes > 0);
  const words = parts
    .map(({ done, routes: number }, index) => `${done} ${formatCount(number)}${index > 0 ? '' : number === 1 ? ' route' : ' routes'}`)
    .join(', ');
  return kind === 'undo' ? `Undid a change: ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Until when a change can be undone, or null. */
const undoUntil = ({ madeAt, undoneBy }: ChangeRow, now: number): string | null => {
  const until = instantAfter(madeAt, undoHours * HOUR_MS);
  return undoneBy === null && Date.parse(until) > now ? until : null;
};

const rowOf = (change: ChangeRow, now: number): RouteChangeRow => ({
  changeId: change.changeId,
  kind: change.kind,
  madeBy: change.madeBy,
  madeAt: change.madeAt,
  summary: summaryOf(change.items, change.kind),
  waiting: change.items.flatMap(({ results }) => results).filter(({ done }) => done === 'waits').length,
  undoUntil: undoUntil(change, now),
  undoneBy: change.undoneBy,
  undoes: change.undoes,
});

const detailsOf = (change: ChangeRow, now: number): RouteChangeDetails => ({
  ...rowOf(change, now),
  activityId: change.activityId,
  items: change.items,
});

/** Records a change in the log of the account's routes. */
export async function recordChange(
  change: Change,
  of: {
    accountName: string;
    contactId: string | null;
    madeBy: string;
    kind: RouteChangeRow['kind'];
    version: number;
    undoes: string | null;
  },
  items: readonly RouteChangeItem[],
): Promise<RouteChangeDetails> {
  const [row] = await change.rows<{
    changeId: string;
  }>(sql`insert into route_change (account_name, activity_id, contact_id, made_by, made_at, kind, version, items, undoes)
    values (${of.accountName}, ${change.activityId}, ${of.contactId}::uuid, ${of.madeBy}, ${change.now}::timestamptz, ${of.kind}, ${of.version}, ${JSON.stringify(items)}::jsonb,
      ${of.undoes}::bigint) returning route_change_id::text as change_id`);
  await change.rows(sql`update route_list set version = ${of.version} where account_name = ${of.accountName}`);
  await change.note({ routes: summaryOf(items, of.kind), changeId: row!.changeId });
  return readChange(change, of.accountName, row!.changeId, new Date(change.now));
}

async function changeRow(read: Pick<Read, 'rows'>, accountName: string, changeId: string): Promise<ChangeRow> {
  const id = /^\d{1,15}$/.test(changeId) ? changeId : '-1';
  const [row] = await read.rows<ChangeRow>(
    sql`select ${columns} from route_change c where c.account_name = ${accountName} and c.route_change_id = ${id}::bigint`,
  );
  if (!row) throw refuse('NOT_FOUND', { what: 'This change' });
  return row;
}

/** One change with the result for each object. @throws Failure NOT_FOUND */
export const readChange = async (read: Pick<Read, 'rows'>, accountName: string, changeId: string, now: Date): Promise<RouteChangeDetails> =>
  detailsOf(await changeRow(read, accountName, changeId), now.getTime());

/** Changes of an account's routes, newest first. */
export async function listChanges({
  read,
  account: { accountName },
  query: { before, limit },
  registry: { now: today },
}: Act<typeof routes.listChanges>): Promise<AnswerOf<typeof routes.listChanges>> {
  const rows = await read.rows<ChangeRow>(sql`select ${columns} from route_change c where c.account_name = ${accountName}
    ${before === undefined ? sql`` : sql`and c.route_change_id < ${before}`} order by c.route_change_id desc limit ${limit + 1}`);
  const now = today.getTime();
  return { rows: rows.slice(0, limit).map(row => rowOf(row, now)), more: rows.length > limit };
}

/** Returns the changes after a version of the list, for a page that is out of date. */
export async function changesSince(change: Change, accountName: string, version: number): Promise<RouteChangeDetails[]> {
  const rows =
    await change.rows<ChangeRow>(sql`select ${columns} from route_change c where c.account_name = ${accountName} and c.version > ${version}
    order by c.route_change_id desc limit 20`);
  return rows.map(row => detailsOf(row, Date.parse(change.now)));
}

/** The inverse of a change: the required state before, and the state after. */
export const oppositeOf = ({ items }: RouteChangeDetails): { was: RouteFacts | null; becomes: RouteFacts | null }[] =>
  items.map(({ before, after }) => ({ was: after, becomes: before })).toReversed();
