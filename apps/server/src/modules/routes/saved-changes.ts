import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import {
  listedItems,
  type RouteChangeDetails,
  type RouteChangeItem,
  type RouteChangeRow,
  type RouteFacts,
  type routes,
  undoHours,
} from '@portal/contract/routes/routes';
import { sql } from 'kysely';
import { type Change, type Read, sendAhead } from '../../platform/database/index.ts';
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
  summary: string;
  waiting: number;
  undoes: string | null;
  undoneBy: string | null;
};

const columns = sql`c.route_change_id::text as change_id, c.activity_id::int as activity_id, c.kind, c.made_by, c.made_at, c.version, c.summary, c.waiting, c.undoes::text,
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
  summary: change.summary,
  waiting: change.waiting,
  undoUntil: undoUntil(change, now),
  undoneBy: change.undoneBy,
  undoes: change.undoes,
});

type ItemsPage = Pick<RouteChangeDetails, 'items' | 'total' | 'next'>;

/** Some routes of a change. A change may have thousands, which are more than the event loop takes over in one turn. */
async function itemsOf(
  read: Pick<Read, 'rows'>,
  changeId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<ItemsPage> {
  const [page] = await read.rows<{ items: RouteChangeItem[]; total: number }>(sql`select jsonb_array_length(items) as total,
      coalesce((select jsonb_agg(i.item order by i.place) from jsonb_array_elements(c.items) with ordinality as i (item, place)
        where i.place > ${offset} and i.place <= ${offset + limit}), '[]') as items
    from route_change c where route_change_id = ${changeId}::bigint`);
  const { items, total } = page!;
  const next = offset + items.length;
  return { items, total, next: items.length > 0 && next < total ? next : null };
}

const detailsOf = async (
  read: Pick<Read, 'rows'>,
  change: ChangeRow,
  { now, offset = 0, limit = listedItems }: { now: number; offset?: number; limit?: number },
): Promise<RouteChangeDetails> => ({
  ...rowOf(change, now),
  activityId: change.activityId,
  ...(await itemsOf(read, change.changeId, { offset, limit })),
});

/** The items as JSON, a page of them at a time. */
function* portionsOf(items: readonly RouteChangeItem[]): Generator<string> {
  for (let at = 0; at < items.length; at += listedItems) yield JSON.stringify(items.slice(at, at + listedItems));
}

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
  const summary = summaryOf(items, of.kind);
  const waiting = items.flatMap(({ results }) => results).filter(({ done }) => done === 'waits').length;
  const portions = await sendAhead(change, portionsOf(items));
  const [row] = await change.rows<{
    changeId: string;
  }>(sql`insert into route_change (account_name, activity_id, contact_id, made_by, made_at, kind, version, summary, waiting, items, undoes)
    values (${of.accountName}, ${change.activityId}, ${of.contactId}::uuid, ${of.madeBy}, ${change.now}::timestamptz, ${of.kind}, ${of.version},
      ${summary}, ${waiting}, ${sql.join(
        portions.map(portion => sql`${portion}::jsonb`),
        sql` || `,
      )}, ${of.undoes}::bigint) returning route_change_id::text as change_id`);
  await change.rows(sql`update route_list set version = ${of.version} where account_name = ${of.accountName}`);
  await change.note({ routes: summary, changeId: row!.changeId });
  return readChange(change, { accountName: of.accountName, changeId: row!.changeId, now: new Date(change.now) });
}

async function changeRow(read: Pick<Read, 'rows'>, accountName: string, changeId: string): Promise<ChangeRow> {
  const id = isRowId(changeId) ? changeId : '-1';
  const [row] = await read.rows<ChangeRow>(
    sql`select ${columns} from route_change c where c.account_name = ${accountName} and c.route_change_id = ${id}::bigint`,
  );
  if (!row) throw refuse('NOT_FOUND', { what: 'This change' });
  return row;
}

/** One change with the result for each object of a page. @throws Failure NOT_FOUND */
export const readChange = async (
  read: Pick<Read, 'rows'>,
  { accountName, changeId, now, offset = 0 }: { accountName: string; changeId: string; now: Date; offset?: number },
): Promise<RouteChangeDetails> => detailsOf(read, await changeRow(read, accountName, changeId), { now: now.getTime(), offset });

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

/** Changes that a page which is out of date shows, and routes of each. */
const SINCE = 20;
const SINCE_ITEMS = 20;

/** Returns the changes after a version of the list, for a page that is out of date. */
export async function changesSince(change: Change, accountName: string, version: number): Promise<RouteChangeDetails[]> {
  const rows =
    await change.rows<ChangeRow>(sql`select ${columns} from route_change c where c.account_name = ${accountName} and c.version > ${version}
    order by c.route_change_id desc limit ${SINCE}`);
  const found: RouteChangeDetails[] = [];
  for (const row of rows) found.push(await detailsOf(change, row, { now: Date.parse(change.now), limit: SINCE_ITEMS }));
  return found;
}

/** Returns what undoes a change, from its last route on: the required state before, the state after, and whether the route was adopted. */
export async function oppositeOf(
  read: Pick<Read, 'rows'>,
  changeId: string,
): Promise<{ was: RouteFacts | null; becomes: RouteFacts | null; isAdoption: boolean }[]> {
  const items: RouteChangeItem[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await itemsOf(read, changeId, { offset, limit: listedItems });
    items.push(...page.items);
    offset = page.next;
  }
  return items.map(({ action, before, after }) => ({ was: after, becomes: before, isAdoption: action === 'adopt' })).toReversed();
}
