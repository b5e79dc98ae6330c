import type { AnswerOf, BodyOf, QueryOf } from '@portal/contract';
import { utcDay } from '@portal/contract/days';
import {
  countedRecords,
  type ListedSubaccount,
  type nirSubaccounts,
  reopenMonths,
  type SubaccountDetails,
  type SubaccountHolding,
} from '@portal/contract/nir/subaccounts';
import { isRowId } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import type { Profile } from '../../profile.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { searchedResource } from '../resources/index.ts';
import { openEntity } from './entities.ts';
import { cursorOf, readCursor } from './page-cursor.ts';
import { hasNumbers } from './sought-numbers.ts';

type Reader = Pick<Read, 'rows'>;
export type SubaccountRow = Omit<SubaccountDetails, 'openRequests'> & { economy: string };

const columns = sql`s.subaccount_id::text, s.name, s.entity_id::text, e.name as entity, e.local_name as entity_local_name, coalesce(e.economy, '') as economy, s.status, s.contact_name, s.email, s.remarks, s.opened_on::text,
  s.closed_on::text, s.updated_at, s.version, (s.closed_on + make_interval(months => ${reopenMonths}))::date::text as reopen_until,
  held.delegations, held.ipv4, held.ipv6, held.asns`;
const held = sql`cross join lateral (select count(*)::int as delegations, coalesce(sum(d.size) filter (where d.kind = 'ipv4'), 0)::text as ipv4,
  coalesce(sum(d.size) filter (where d.kind = 'ipv6'), 0)::text as ipv6, coalesce(sum(d.size) filter (where d.kind = 'asn'), 0)::text as asns
  from nir_delegation d where d.subaccount_id = s.subaccount_id) held`;
/** SQL: how many whois objects describe the numbers of sub-account `s`. Ranges of AS numbers are short: one request delegates at most a few. */
const objects = sql`cross join lateral (select coalesce(sum(
  (select count(*) from whois_object o where o.class in ('inetnum', 'inet6num') and o.first between d.first and d.last and o.last <= d.last)
    + (select count(*) from whois_object o where o.class in ('route', 'route6') and o.first between d.first and d.last)
    + (select count(*) from whois_object o where o.class = 'domain' and o.first between d.first and d.last and o.last <= d.last)
    + (select count(*) from generate_series(d.first_as, d.last_as) n join whois_object o on o.class = 'aut-num' and o.key = 'as' || n)), 0)::int as objects
  from nir_delegation d where d.subaccount_id = s.subaccount_id) o`;
const tables = sql`subaccount s join nir_entity e on e.entity_id = s.entity_id`;

/** SQL: how much IPv4 sub-account `s` holds beside the limit of the policy for a member, as `subaccountHoldings` name it. */
const holdingOf = ({ requestPolicy: { nirIpv4Limit } }: Pick<Profile, 'requestPolicy'>): RawBuilder<unknown> => {
  const limit = 2 ** (32 - nirIpv4Limit);
  return sql`(select case when coalesce(sum(d.size), 0) = 0 then 'none' when sum(d.size) <= ${limit / 2} then 'one' when sum(d.size) <= ${limit} then 'two' else 'more' end
  from nir_delegation d where d.subaccount_id = s.subaccount_id and d.kind = 'ipv4')`;
};

const holdsOf = {
  ipv6: sql`and exists (select 1 from nir_delegation d where d.subaccount_id = s.subaccount_id and d.kind = 'ipv6')`,
  'no-ipv6': sql`and not exists (select 1 from nir_delegation d where d.subaccount_id = s.subaccount_id and d.kind = 'ipv6')`,
  asn: sql`and exists (select 1 from nir_delegation d where d.subaccount_id = s.subaccount_id and d.kind = 'asn')`,
};

/** SQL: the condition of the list's filters. Numbers find who holds any of them. */
function matchingOf(
  accountName: string,
  { q, status, holds, changedSince }: QueryOf<typeof nirSubaccounts.countSubaccounts>,
): RawBuilder<unknown> {
  const pattern = containsPattern(q.toLowerCase());
  const holders = q === '' ? null : holdersOf(accountName, q);
  return sql`s.account_name = ${accountName} ${status === 'all' ? sql`` : sql`and s.status = ${status}`} ${
    changedSince === undefined ? sql`` : sql`and s.updated_at >= ${changedSince}::date at time zone 'UTC'`
  } ${holds === undefined ? sql`` : holdsOf[holds]} ${
    q === ''
      ? sql``
      : sql`and (lower(s.name) like ${pattern} or lower(e.name) like ${pattern} or lower(e.handle) like ${pattern} or s.email ilike ${pattern} ${holders ? sql`or s.subaccount_id in (${holders})` : sql``})`
  }`;
}

/** SQL: the ids of sub-accounts that hold any of the numbers of a text; null if it names none. */
function holdersOf(accountName: string, text: string): RawBuilder<unknown> | null {
  const sought = searchedResource(text);
  return (
    sought &&
    sql`select d.subaccount_id from nir_delegation d where d.account_name = ${accountName} and d.kind = ${sought.family} and ${hasNumbers(accountName, sought)}`
  );
}

/** Counts the sub-accounts that match by their holdings and first characters. */
export async function countSubaccounts({
  read,
  account: { accountName },
  query,
  registry: { profile },
}: Act<typeof nirSubaccounts.countSubaccounts>): Promise<AnswerOf<typeof nirSubaccounts.countSubaccounts>> {
  const rows = await read.rows<{ letter: string; holding: SubaccountHolding; count: number }>(sql`
    select left(s.name, 1) as letter, ${holdingOf(profile)} as holding, count(*)::int as count from ${tables}
    where ${matchingOf(accountName, query)} group by 1, 2 order by 1`);
  const sum = (wanted: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(wanted).reduce((total, { count }) => total + count, 0);
  const of = (name: SubaccountHolding): number => sum(({ holding }) => holding === name);
  const letters = [...new Set(rows.map(({ letter }) => letter))];
  return {
    total: sum(() => true),
    holdings: { none: of('none'), one: of('one'), two: of('two'), more: of('more') },
    // Names are longer than one character, so that all that begin with it come after it.
    letters: letters.map(letter => ({ letter, count: sum(row => row.letter === letter), after: cursorOf(letter) })),
  };
}

/** Counts the records that the pages of a national registry list. */
export async function countRecords({
  read,
  account: { accountName },
  registry: { profile },
}: Act<typeof nirSubaccounts.countRecords>): Promise<AnswerOf<typeof nirSubaccounts.countRecords>> {
  const most = countedRecords + 1;
  const [counts] = await read.rows<Omit<AnswerOf<typeof nirSubaccounts.countRecords>, 'ipv4Limit'>>(sql`select
    (select count(*)::int from (select 1 from subaccount where account_name = ${accountName} limit ${most}) s) as subaccounts,
    (select count(*)::int from (select 1 from nir_delegation where account_name = ${accountName} limit ${most}) d) as delegations,
    (select count(*)::int from (select 1 from nir_entity where account_name = ${accountName} and merged_into is null limit ${most}) e) as entities`);
  return { ...counts!, ipv4Limit: profile.requestPolicy.nirIpv4Limit };
}

/** Sub-accounts of a national registry by name, with their holdings. */
export async function listSubaccounts({
  read,
  account: { accountName },
  query: { holding, after, limit, ...filter },
  registry: { profile },
}: Act<typeof nirSubaccounts.listSubaccounts>): Promise<AnswerOf<typeof nirSubaccounts.listSubaccounts>> {
  const matching = sql`${matchingOf(accountName, filter)} ${holding === undefined ? sql`` : sql`and ${holdingOf(profile)} = ${holding}`}`;
  const [name] = after === undefined ? [] : readCursor(after, 1);
  const rows = await read.rows<SubaccountRow & { objects: number }>(sql`
    select ${columns}, o.objects from (select s.* from ${tables} where ${matching} ${name === undefined ? sql`` : sql`and s.name > ${name}`}
      order by s.name limit ${limit + 1}) s join nir_entity e on e.entity_id = s.entity_id ${held} ${objects} order by s.name`);
  const [counted] = await read.rows<{ total: number }>(sql`select count(*)::int as total from ${tables} where ${matching}`);
  const page = rows.slice(0, limit);
  return { rows: page.map(rowOf), next: rows.length > limit ? cursorOf(page.at(-1)!.name) : null, total: counted!.total };
}

const rowOf = ({
  subaccountId,
  name,
  entityId,
  entity,
  entityLocalName,
  status,
  delegations,
  ipv4,
  ipv6,
  asns,
  objects,
  openedOn,
  closedOn,
  updatedAt,
}: SubaccountRow & { objects: number }): ListedSubaccount => ({
  subaccountId,
  name,
  entityId,
  entity,
  entityLocalName,
  status,
  delegations,
  ipv4,
  ipv6,
  asns,
  objects,
  openedOn,
  closedOn,
  updatedAt,
});

/** @throws Failure NOT_FOUND */
async function subaccountRow(read: Reader, accountName: string, subaccountId: string): Promise<SubaccountRow> {
  const [row] = isRowId(subaccountId)
    ? await read.rows<SubaccountRow>(
        sql`select ${columns} from ${tables} ${held} where s.account_name = ${accountName} and s.subaccount_id = ${subaccountId}::bigint`,
      )
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The sub-account' });
  return row;
}

/** The same, locked, so that its delegations don't change meanwhile. @throws Failure NOT_FOUND */
export async function lockSubaccount(change: Change, accountName: string, subaccountId: string): Promise<SubaccountRow> {
  const { subaccountId: id } = await subaccountRow(change, accountName, subaccountId);
  await change.rows(sql`select 1 from subaccount where subaccount_id = ${id}::bigint for update`);
  return subaccountRow(change, accountName, id);
}

/** A sub-account that can receive delegations. @throws Failure NOT_FOUND, SUBACCOUNT_CLOSED */
export async function openSubaccount(change: Change, accountName: string, subaccountId: string): Promise<SubaccountRow> {
  const row = await lockSubaccount(change, accountName, subaccountId);
  if (row.status === 'closed') throw refuse('SUBACCOUNT_CLOSED', { name: row.name }).at('subaccountId');
  return row;
}

/** Open sub-accounts by name. */
export async function subaccountsNamed(read: Reader, accountName: string, names: readonly string[]): Promise<Map<string, SubaccountRow>> {
  const rows = await read.rows<SubaccountRow>(
    sql`select ${columns} from ${tables} ${held} where s.account_name = ${accountName} and s.name = any(${[...new Set(names)]}::text[])`,
  );
  return new Map(rows.map(row => [row.name, row]));
}

/** Open requests for a sub-account. Supplied by the module `requests`, which comes later in the line-up. */
async function countRequests(read: Reader, subaccountId: string, { modules }: Pick<Registry, 'modules'>): Promise<number> {
  let count = 0;
  for (const { countSubaccountRequests } of modules) count += (await countSubaccountRequests?.(read, subaccountId)) ?? 0;
  return count;
}

/** One sub-account. @throws Failure NOT_FOUND */
export async function getSubaccount({
  read,
  account: { accountName },
  params: { subaccountId },
  registry,
}: {
  read: Reader;
  account: { accountName: string };
  params: { subaccountId: string };
  registry: Pick<Registry, 'modules'>;
}): Promise<SubaccountDetails> {
  const { economy: _economy, ...row } = await subaccountRow(read, accountName, subaccountId);
  return { ...row, openRequests: await countRequests(read, row.subaccountId, registry) };
}

async function refuseTaken(change: Change, accountName: string, name: string, except: string | null = null): Promise<void> {
  const [taken] = await change.rows(sql`select 1 from subaccount where account_name = ${accountName} and name = ${name}
    and subaccount_id is distinct from ${except}::bigint`);
  if (taken) throw refuse('SUBACCOUNT_EXISTS', { name }).at('name');
}

/** Opens a sub-account. @throws Failure SUBACCOUNT_EXISTS, NOT_FOUND or ENTITY_MERGED for its organisation */
export async function addSubaccount({
  change,
  account: { accountName },
  body: { entityId, ...facts },
  registry,
}: {
  change: Change;
  account: { accountName: string };
  body: BodyOf<typeof nirSubaccounts.addSubaccount>;
  registry: Pick<Registry, 'modules'>;
}): Promise<SubaccountDetails> {
  await openEntity(change, accountName, entityId);
  await refuseTaken(change, accountName, facts.name);
  const { subaccountId } = await change
    .insertInto('subaccount')
    .values({ ...facts, entityId: Number(entityId), accountName, openedOn: utcDay(change.now), updatedAt: change.now })
    .returning('subaccountId')
    .executeTakeFirstOrThrow();
  await change.note({ subaccount: facts.name });
  return getSubaccount({ read: change, account: { accountName }, params: { subaccountId: String(subaccountId) }, registry });
}

/** Changes the details of a sub-account. @throws Failure SUBACCOUNT_EXISTS, NOT_FOUND, STALE with the present record, ENTITY_MERGED */
export async function changeSubaccount({
  change,
  account,
  params,
  body: { version, entityId, ...facts },
  registry,
}: Act<typeof nirSubaccounts.changeSubaccount>): Promise<SubaccountDetails> {
  const { accountName } = account;
  const { subaccountId } = params;
  const row = await lockSubaccount(change, accountName, subaccountId);
  if (row.version !== version)
    throw refuseWithCurrent(await getSubaccount({ read: change, account, params, registry }), 'STALE', { what: row.name });
  if (entityId !== row.entityId) await openEntity(change, accountName, entityId);
  await refuseTaken(change, accountName, facts.name, subaccountId);
  await change
    .updateTable('subaccount')
    .set({ ...facts, entityId: Number(entityId), version: version + 1, updatedAt: change.now })
    .where('subaccountId', '=', Number(subaccountId))
    .execute();
  await change.note({ subaccount: facts.name, ...(facts.name !== row.name && { was: row.name }) });
  return getSubaccount({ read: change, account, params, registry });
}

/** Closes a sub-account without delegations and open requests. @throws Failure NOT_FOUND, SUBACCOUNT_IN_USE */
export async function closeSubaccount({
  change,
  account,
  params,
  registry,
}: {
  change: Change;
  account: { accountName: string };
  params: { subaccountId: string };
  registry: Pick<Registry, 'modules'>;
}): Promise<SubaccountDetails> {
  const { subaccountId } = params;
  const row = await lockSubaccount(change, account.accountName, subaccountId);
  const requests = await countRequests(change, subaccountId, registry);
  const what = [
    row.delegations > 0 && `${row.delegations} ${row.delegations === 1 ? 'delegation' : 'delegations'}`,
    requests > 0 && `${requests} open ${requests === 1 ? 'request' : 'requests'}`,
  ].filter(Boolean);
  if (what.length > 0) throw refuse('SUBACCOUNT_IN_USE', { name: row.name, what: what.join(' and ') });
  if (row.status === 'open') {
    await change.rows(sql`update subaccount set status = 'closed', closed_on = ${utcDay(change.now)}::date, version = version + 1,
      updated_at = ${change.now}::timestamptz where subaccount_id = ${subaccountId}::bigint`);
    await change.note({ subaccount: row.name });
  }
  return getSubaccount({ read: change, account, params, registry });
}

/** Opens a closed sub-account again, within a year. @throws Failure NOT_FOUND, REOPEN_TOO_LATE */
export async function reopenSubaccount({
  change,
  account,
  params,
  registry,
}: Act<typeof nirSubaccounts.reopenSubaccount>): Promise<SubaccountDetails> {
  const { subaccountId } = params;
  const row = await lockSubaccount(change, account.accountName, subaccountId);
  if (row.reopenUntil !== null && row.reopenUntil < utcDay(change.now))
    throw refuse('REOPEN_TOO_LATE', { name: row.name, day: row.closedOn! });
  if (row.status === 'closed') {
    await change.rows(sql`update subaccount set status = 'open', closed_on = null, version = version + 1, updated_at = ${change.now}::timestamptz
      where subaccount_id = ${subaccountId}::bigint`);
    await change.note({ subaccount: row.name });
  }
  return getSubaccount({ read: change, account, params, registry });
}
