import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import type { Delegation, resources } from '@portal/contract/resources/resources';
import { coverRange, type NumberResource, printAsNumber, printPrefix } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { actorNameOf } from '../accounts/index.ts';
import { historyWords } from './history-words.ts';
import { columnsOf, type LedgerColumns, resourceOf } from './ledger-columns.ts';
import { lockedPartsIn } from './locked-parts.ts';
import { searchedResource } from './search-text.ts';

type Filters = Pick<QueryOf<typeof resources.listDelegations>, 'kind' | 'q' | 'type' | 'status' | 'economy'>;
type Order = Pick<QueryOf<typeof resources.listDelegations>, 'sort' | 'direction'>;

export type DelegationRow = LedgerColumns &
  Pick<Delegation, 'type' | 'status' | 'source' | 'delegatedOn' | 'economy' | 'holdUntil'> & {
    delegationId: string;
    portable: boolean;
    used: string;
    registrations: number;
  };

/** The columns of a delegation, and of its registrations when `usage` is joined as `u`. */
export const delegationColumns = sql`d.delegation_id::text, d.kind, host(d.first) as first, host(d.last) as last, d.first_as, d.last_as, d.resource,
  d.size::text, d.type, d.status, d.source, d.portable, d.delegated_on, d.economy, d.hold_until`;
export const usageColumns = sql`coalesce(u.used, 0)::text as used, coalesce(u.registrations, 0)::int as registrations`;
/**
 * Direct children are disjoint, so their sizes add up to the used space. Looked up per row, because without statistics, as in a new embedded
 * database, the planner would scan all sums for each row.
 */
export const usageOfEach = sql`left join lateral (select sum(size) filter (where level = 0) as used, count(*) as registrations
  from assignment a where a.delegation_id = d.delegation_id) u on true`;

/** A row as a delegation of the contract. */
export function delegationOf(row: DelegationRow): Delegation {
  const resource = resourceOf(row);
  return {
    delegationId: row.delegationId,
    kind: row.kind,
    resource: row.resource,
    first: row.first ?? printAsNumber(row.firstAs ?? 0),
    last: row.last ?? printAsNumber(row.lastAs ?? 0),
    prefixes: resource.family === 'asn' ? [] : coverRange(resource).map(printPrefix),
    size: row.size,
    type: row.type,
    statusText: statusText(resource, row),
    status: row.status,
    source: row.source,
    delegatedOn: row.delegatedOn,
    economy: row.economy,
    holdUntil: row.holdUntil,
    used: row.used,
    registrations: row.registrations,
  };
}

/** Returns the `status` attribute of inetnum and inet6num. */
const statusText = (resource: NumberResource, { type, portable }: DelegationRow): string | null =>
  resource.family === 'asn' ? null : `${type.toUpperCase()} ${portable ? 'PORTABLE' : 'NON-PORTABLE'}`;

function matching(accountName: string, { kind, q, type, status, economy }: Filters): RawBuilder<unknown> {
  const conditions = [
    sql`d.account_name = ${accountName}`,
    sql`d.kind = ${kind}`,
    status ? sql`d.status = ${status}` : sql`d.status <> 'closed'`,
  ];
  if (type) conditions.push(sql`d.type = ${type}`);
  if (economy) conditions.push(sql`d.economy = ${economy.toUpperCase()}`);
  const text = q.trim();
  if (text !== '') conditions.push(sql`(${sql.join(textMatches(kind, text), sql` or `)})`);
  return sql.join(conditions, sql` and `);
}

function textMatches(kind: Filters['kind'], text: string): RawBuilder<unknown>[] {
  const matches = [sql`d.resource ilike ${containsPattern(text)}`];
  if (/^[a-z]{2}$/i.test(text)) matches.push(sql`d.economy = ${text.toUpperCase()}`);
  const sought = searchedResource(text);
  if (sought?.family === kind) {
    const { first, last, firstAs, lastAs } = columnsOf(sought);
    matches.push(
      kind === 'asn'
        ? sql`(d.first_as <= ${lastAs} and d.last_as >= ${firstAs})`
        : sql`(d.first <= ${last}::inet and d.last >= ${first}::inet)`,
    );
  }
  return matches;
}

const sortColumns = {
  resource: sql`d.first`,
  size: sql`d.size`,
  type: sql`d.type`,
  delegatedOn: sql`d.delegated_on`,
  economy: sql`d.economy`,
  used: sql`coalesce(u.used, 0)`,
  holdUntil: sql`d.hold_until`,
  registrations: sql`coalesce(u.registrations, 0)`,
  status: sql`d.status`,
} as const satisfies Record<Order['sort'], RawBuilder<unknown>>;

/** Numerically, never by text; rows without a value last; ties by number. */
function orderOf({ sort, direction }: Order): RawBuilder<unknown> {
  const way = direction === 'desc' ? sql`desc` : sql`asc`;
  const numbers = sort === 'resource' ? sql`d.first ${way}, d.first_as ${way}` : sql`d.first, d.first_as`;
  return sort === 'resource' ? numbers : sql`${sortColumns[sort]} ${way} nulls last, ${numbers}`;
}

/** A page of the account's delegations of one kind, closed ones only when filtered by status; `total` and `size` cover all matches. */
export async function listDelegations({
  read,
  account: { accountName },
  query,
}: Act<typeof resources.listDelegations>): Promise<AnswerOf<typeof resources.listDelegations>> {
  const where = matching(accountName, query);
  const byUsage = query.sort === 'used' || query.sort === 'registrations';
  const [totals, rows] = await Promise.all([
    read.rows<{ total: number; size: string }>(
      sql`select count(*)::int as total, coalesce(sum(d.size), 0)::text as size from delegation d where ${where}`,
    ),
    read.rows<DelegationRow>(sql`
      select ${delegationColumns}, ${usageColumns} from (
        select d.* from delegation d ${byUsage ? usageOfEach : sql``}
        where ${where} order by ${orderOf(query)} limit ${query.limit} offset ${query.offset}) d
      ${usageOfEach} order by ${orderOf(query)}`),
  ]);
  const [{ total, size } = { total: 0, size: '0' }] = totals;
  return { rows: rows.map(delegationOf), total, size };
}

/** Columns of the download: stable, documented in the README. */
const fileColumns = [
  'resource', 'first', 'last', 'size', 'type', 'statusText', 'status', 'source', 'delegatedOn', 'economy', 'holdUntil', 'used', 'registrations',
] as const; // biome-ignore format: one list

/** All delegations that match as a file. */
export const exportDelegations = async ({
  read,
  account: { accountName },
  query,
}: Act<typeof resources.exportDelegations>): Promise<Download> =>
  tableFile(`${accountName}-${query.kind}-delegations`, query.format, fileColumns, streamDelegations(read, accountName, query));

/** All delegations that match, in batches. */
async function* streamDelegations(read: Read, accountName: string, query: Filters & Order): AsyncGenerator<Delegation[]> {
  const rows = read.stream<DelegationRow>(
    sql<DelegationRow>`select ${delegationColumns}, ${usageColumns} from delegation d ${usageOfEach}
      where ${matching(accountName, query)} order by ${orderOf(query)}`,
  );
  for await (const batch of rows) yield batch.map(delegationOf);
}

type HistoryRow = {
  at: string;
  action: string;
  by: string | null;
  operation: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown>;
};

/** One delegation of the account, open or closed, with its history. @throws Failure NOT_FOUND */
export async function getDelegation({
  read,
  account: { accountName },
  params: { delegationId },
}: Act<typeof resources.getDelegation>): Promise<AnswerOf<typeof resources.getDelegation>> {
  const [row] = isRowId(delegationId)
    ? await read.rows<DelegationRow>(sql`
        select ${delegationColumns}, ${usageColumns} from delegation d ${usageOfEach}
        where d.delegation_id = ${delegationId}::bigint and d.account_name = ${accountName}`)
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The delegation' });
  // Periods and people of other holders are not shown.
  const changes = await read.rows<HistoryRow>(sql`
    select y.happened_at as at, ${historyWords(accountName)} as action, r.operation, r.before, r.after,
      ${actorNameOf('y', accountName)} as by
    from row_change r join activity y using (activity_id)
    where r.table_name = 'delegation' and coalesce(r.after, r.before) ->> 'delegation_id' = ${delegationId}
      and ${accountName} in (r.before ->> 'account_name', r.after ->> 'account_name')
    order by r.activity_id desc, r.row_change_id desc limit 500`);
  return {
    delegation: delegationOf(row),
    lockedParts: row.status === 'closed' ? [] : await lockedPartsIn(read, accountName, resourceOf(row)),
    history: changes.map(({ at, by, ...change }) => ({ at, summary: summaryOf(change), by: by ?? 'Registry' })),
  };
}

const columnNames: Record<string, string> = {
  status: 'status',
  type: 'type',
  source: 'source',
  portable: 'portable',
  delegated_on: 'delegated on',
  hold_until: 'hold until',
  economy: 'economy',
};

/** Earlier and later holders are not named, because they are other members. */
function summaryOf({ action, operation, before, after }: Pick<HistoryRow, 'action' | 'operation' | 'before' | 'after'>): string {
  if (operation !== 'UPDATE' || !before) return action;
  const words = (value: unknown): string => (typeof value === 'string' || typeof value === 'boolean' ? String(value) : 'none');
  const parts = Object.entries(columnNames)
    .filter(([column]) => before[column] !== after[column])
    .map(([column, name]) => `${name} ${words(before[column])} → ${words(after[column])}`);
  if (before.account_name !== after.account_name) parts.push('holder changed');
  return parts.length === 0 ? action : `${action}: ${parts.join(', ')}`;
}
