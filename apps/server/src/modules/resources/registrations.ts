import type { AnswerOf, Download, QueryOf } from '@portal/contract';
import type { Registration, resources } from '@portal/contract/resources/resources';
import { type AddressRange, parseRange, printRange, ResourceSyntaxError } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuseField } from '../../platform/failure.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { columnsOf, rangeOf } from './ledger-columns.ts';
import { searchedResource } from './search-text.ts';

type Query = Pick<QueryOf<typeof resources.listRegistrations>, 'kind' | 'parent' | 'q' | 'visibility'>;
type Row = Omit<Registration, 'resource' | 'size'>;

/** Returns whether the caller sees private registrations. Registry staff have the permission during a visit only with one of their own for private data. */
export const maySeePrivate = ({ permissions }: AdmittedAccount): boolean => permissions.has('whois-private-objects-view');

/**
 * A page of what is registered below the account's allocations of one kind, with the free space between it, or that space alone; only matches, without
 * free space, when filtered by text or visibility. Space of registrations the caller may not see is neither listed nor free. @throws Failure INVALID_REQUEST when
 * `parent` isn't a range, or not inside an allocation of the account.
 */
export async function listRegistrations({
  read,
  account,
  query,
}: {
  read: Read;
  account: AdmittedAccount;
  query: QueryOf<typeof resources.listRegistrations>;
}): Promise<AnswerOf<typeof resources.listRegistrations>> {
  const isFiltered = query.q.trim() !== '' || query.visibility !== undefined;
  const withFree = query.free === 'only' || (query.free === 'yes' && !isFiltered);
  const list = registrationsOf(account, query, withFree);
  const listed =
    query.free === 'only'
      ? sql`select * from gap where ${gapMatches(query)}`
      : sql`select * from registration ${withFree ? sql`union all select * from gap` : sql``}`;
  const rows = await read.rows<{ [Name in keyof Row]: Row[Name] | null } & { total: number }>(sql`
    with ${list}, listed as materialized (${listed}),
    page as (select * from listed order by first, (assignment_id is null), level limit ${query.limit} offset ${query.offset})
    select t.total, ${columnsFor(account)} from (select count(*)::int as total from listed) t
    left join page on true left join assignment a using (assignment_id) left join root r on r.delegation_id = page.delegation_id
    order by page.first, (assignment_id is null), page.level`);
  if (query.parent !== undefined && (rows[0]?.total ?? 0) === 0) await checkParent(read, account.accountName, query.kind, query.parent);
  // A page without rows is one of nothing but nulls.
  return {
    rows: rows.filter(row => row.row !== null).map(row => registrationOf(row as Row & { total: number })),
    total: rows[0]?.total ?? 0,
  };
}

/** Columns of the download: stable, documented in the README. */
const fileColumns = [
  'resource', 'first', 'last', 'size', 'netname', 'statusText', 'customer', 'visibility', 'economy', 'registeredOn', 'updatedAt', 'level', 'parent',
] as const; // biome-ignore format: one list

/** All matching registrations as a file. @throws Failure INVALID_REQUEST when `parent` isn't a range */
export const exportRegistrations = async ({ read, account, query }: Act<typeof resources.exportRegistrations>): Promise<Download> =>
  tableFile(`${account.accountName}-${query.kind}-registrations`, query.format, fileColumns, streamRegistrations(read, account, query));

/** All registrations that match, in batches. */
async function* streamRegistrations(read: Read, account: AdmittedAccount, query: Query): AsyncGenerator<Registration[]> {
  const rows = read.stream<Row>(sql<Row>`
    with ${registrationsOf(account, query, false)}
    select ${columnsFor(account)} from registration page join assignment a using (assignment_id) join root r on r.delegation_id = page.delegation_id
    order by page.first, page.level`);
  for await (const batch of rows) yield batch.map(registrationOf);
}

function registrationOf({ row, first, last, ...rest }: Row & { total?: number }): Registration {
  const range = rangeOf(first, last);
  delete rest.total;
  return { ...rest, row, first, last, resource: printRange(range), size: String(range.last - range.first + 1n) };
}

/** A registration is used as delegations are: its direct children are disjoint, so their sizes add up. Those that the caller may not see don't count. */
const columnsFor = (
  account: AdmittedAccount,
) => sql`a.assignment_id::text as registration_id, case when page.first is not null then case when a.assignment_id is null then 'free' else 'registration' end end as row,
  host(page.first) as first, host(page.last) as last, a.netname, upper(a.type) || case when a.portable then ' PORTABLE' else ' NON-PORTABLE' end as status_text, a.customer, a.visibility, a.economy,
  a.registered_on, a.updated_at, page.level, r.parent,
  case when a.type = 'assigned' then a.size when a.type = 'allocated' then (select coalesce(sum(c.size), 0) from assignment c
    where c.delegation_id = a.delegation_id and c.level = a.level + 1 and c.first >= a.first and c.last <= a.last
      and (c.visibility = 'public' or ${maySeePrivate(account)})) end::text as used`;

/**
 * Common table expressions: `root`, the allocations or the parent range; `child`, the direct children of each; `registration`, all matching
 * registrations in them; `gap`, the free space between children, none in an assigned range. Children of one root are disjoint.
 */
function registrationsOf(account: AdmittedAccount, { kind, parent, q, visibility }: Query, withFree: boolean): RawBuilder<unknown> {
  const { accountName } = account;
  const conditions: RawBuilder<unknown>[] = [sql`a.first >= r.first`, sql`a.last <= r.last`, sql`a.level >= r.base`];
  if (!maySeePrivate(account)) conditions.push(sql`a.visibility = 'public'`);
  if (visibility) conditions.push(sql`a.visibility = ${visibility}`);
  const text = q.trim();
  if (text !== '') conditions.push(sql`(${sql.join(textMatches(kind, text), sql` or `)})`);
  const gaps = sql`, child as (
      select r.delegation_id, r.first as start, r.last as finish, r.base, a.first, a.last,
        lag(a.last) over side as before, lead(a.first) over side as after
      from root r left join assignment a on a.delegation_id = r.delegation_id and a.level = r.base and a.first >= r.first and a.last <= r.last
      where not r.taken
      window side as (partition by r.delegation_id order by a.first)),
    gap as (
      select null::bigint as assignment_id, delegation_id, case when before is null then start else before + 1 end as first,
        case when first is null then finish else first - 1 end as last, base as level
      from child where case when first is null then true when before is null then first > start else first > before + 1 end
      union all
      select null, delegation_id, last + 1, finish, base from child where after is null and last < finish)`;
  return sql`root as materialized (${rootsOf(accountName, kind, parent)}),
    registration as (
      select a.assignment_id, a.delegation_id, a.first, a.last, a.level
      from root r join assignment a using (delegation_id) where ${sql.join(conditions, sql` and `)})
    ${withFree ? gaps : sql``}`;
}

function rootsOf(accountName: string, kind: 'ipv4' | 'ipv6', parent: string | undefined): RawBuilder<unknown> {
  const own = sql`d.account_name = ${accountName} and d.kind = ${kind} and d.type = 'allocated' and d.status <> 'closed'`;
  if (parent === undefined)
    return sql`select d.delegation_id, d.first, d.last, d.resource as parent, 0 as base, false as taken from delegation d where ${own}`;
  const { first, last } = columnsOf(readParent(kind, parent));
  return sql`
    select d.delegation_id, ${first}::inet as first, ${last}::inet as last, d.resource as parent,
      coalesce((select max(a.level) + 1 from assignment a where a.delegation_id = d.delegation_id and a.first <= ${first}::inet and a.last >= ${last}::inet), 0) as base,
      exists (select from assignment a where a.delegation_id = d.delegation_id and a.type = 'assigned' and a.first <= ${first}::inet and a.last >= ${last}::inet) as taken
    from delegation d where ${own} and d.first <= ${first}::inet and d.last >= ${last}::inet limit 1`;
}

function readParent(kind: 'ipv4' | 'ipv6', parent: string): AddressRange {
  try {
    const range = parseRange(parent.trim());
    if (range.family === kind) return { family: range.family, first: range.first, last: range.last };
  } catch (error) {
    if (!(error instanceof ResourceSyntaxError)) throw error;
    throw refuseField('parent', error.message);
  }
  throw refuseField('parent', `${parent} is not an ${kind === 'ipv4' ? 'IPv4' : 'IPv6'} range`);
}

async function checkParent(read: Read, accountName: string, kind: 'ipv4' | 'ipv6', parent: string): Promise<void> {
  const roots = await read.rows(rootsOf(accountName, kind, parent) as RawBuilder<unknown>);
  if (roots.length === 0) throw refuseField('parent', `${parent} is not inside an allocation of this account`);
}

/** Whether free space matches: it has no names, only addresses, and nothing in it is public or private. */
function gapMatches({ kind, q, visibility }: Query): RawBuilder<unknown> {
  if (visibility !== undefined) return sql`false`;
  if (q.trim() === '') return sql`true`;
  const sought = searchedResource(q.trim());
  if (sought?.family !== kind) return sql`false`;
  const { first, last } = columnsOf(sought);
  return sql`first <= ${last}::inet and last >= ${first}::inet`;
}

function textMatches(kind: 'ipv4' | 'ipv6', text: string): RawBuilder<unknown>[] {
  const pattern = containsPattern(text);
  const matches = [
    sql`a.resource ilike ${pattern}`,
    sql`a.netname ilike ${pattern}`,
    sql`a.customer ilike ${pattern}`,
    sql`a.descr ilike ${pattern}`,
  ];
  const sought = searchedResource(text);
  if (sought?.family === kind) {
    const { first, last } = columnsOf(sought);
    matches.push(sql`(a.first <= ${last}::inet and a.last >= ${first}::inet)`);
  }
  return matches;
}
