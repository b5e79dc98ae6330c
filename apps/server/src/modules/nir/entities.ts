import type { AnswerOf, BodyOf } from '@portal/contract';
import { DAY_MS, instantAfter, instantBefore, utcDay } from '@portal/contract/days';
import { type NirEntity, type NirEntityDetails, type nirEntities, unmergeDays } from '@portal/contract/nir/entities';
import { isRowId } from '@portal/contract/row-ids';
import { formatCount } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { containsPattern } from '../../platform/search-text.ts';
import type { Profile } from '../../profile.ts';
import type { EntityRow } from './entity-row.ts';
import { pushToWhois, whoisOf } from './entity-whois.ts';
import { cursorOf, readCursor } from './page-cursor.ts';

type Reader = Pick<Read, 'rows'>;

const columns = sql`e.entity_id::text, e.name, e.local_name, e.registration_number, e.address, coalesce(e.economy, '') as economy, e.phone, e.email, e.handle,
  e.remarks, e.version, e.updated_at, e.merged_into::text, e.merged_at, e.merged_subaccounts::text[],
  (select count(*)::int from subaccount s where s.entity_id = e.entity_id) as subaccounts`;

/** Organisations of a national registry that were not merged into another, by name. */
export async function listEntities({
  read,
  account: { accountName },
  query: { q, after, limit },
}: Act<typeof nirEntities.listEntities>): Promise<AnswerOf<typeof nirEntities.listEntities>> {
  const pattern = containsPattern(q.toLowerCase());
  const matching = sql`e.account_name = ${accountName} and e.merged_into is null ${
    q === ''
      ? sql``
      : sql`and (lower(e.name) like ${pattern} or e.local_name ilike ${pattern} or e.registration_number ilike ${pattern} or e.handle ilike ${pattern})`
  }`;
  const [name, id] = after === undefined ? [] : readCursor(after, 2);
  if (id !== undefined && !isRowId(id)) readCursor('', 2);
  const rows = await read.rows<EntityRow>(sql`select ${columns} from nir_entity e where ${matching}
    ${id === undefined ? sql`` : sql`and (lower(e.name), e.entity_id) > (${name}, ${id}::bigint)`}
    order by lower(e.name), e.entity_id limit ${limit + 1}`);
  const [counted] = await read.rows<{ total: number }>(sql`select count(*)::int as total from nir_entity e where ${matching}`);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(rowOf),
    next: rows.length > limit && last ? cursorOf(await lowered(read, last.name), last.entityId) : null,
    total: counted!.total,
  };
}

/** Lower-cased by the database, because JavaScript treats some letters differently. */
const lowered = async (read: Reader, text: string): Promise<string> =>
  (await read.rows<{ text: string }>(sql`select lower(${text}::text) as text`))[0]!.text;

const rowOf = ({ entityId, name, localName, registrationNumber, economy, handle, subaccounts, updatedAt }: EntityRow): NirEntity => ({
  entityId,
  name,
  localName,
  registrationNumber,
  economy,
  handle,
  subaccounts,
  updatedAt,
});

/** @throws Failure NOT_FOUND */
async function entityRow(read: Reader, accountName: string, entityId: string): Promise<EntityRow> {
  const [row] = isRowId(entityId)
    ? await read.rows<EntityRow>(
        sql`select ${columns} from nir_entity e where e.account_name = ${accountName} and e.entity_id = ${entityId}::bigint`,
      )
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The organisation' });
  return row;
}

async function lockEntity(change: Change, accountName: string, entityId: string): Promise<EntityRow> {
  const { entityId: id } = await entityRow(change, accountName, entityId);
  await change.rows(sql`select 1 from nir_entity where entity_id = ${id}::bigint for update`);
  return entityRow(change, accountName, id);
}

/** An organisation that sub-accounts can belong to. @throws Failure NOT_FOUND, ENTITY_MERGED */
export async function openEntity(change: Change, accountName: string, entityId: string): Promise<EntityRow> {
  const row = await lockEntity(change, accountName, entityId);
  await refuseMerged(change, accountName, row);
  return row;
}

async function refuseMerged(read: Reader, accountName: string, row: EntityRow): Promise<void> {
  if (row.mergedInto !== null)
    throw refuse('ENTITY_MERGED', { name: row.name, into: (await entityRow(read, accountName, row.mergedInto)).name });
}

/** One organisation with its sub-accounts, duplicates and whois object. @throws Failure NOT_FOUND */
export async function getEntity({
  read,
  account: { accountName },
  params: { entityId },
  registry: { profile },
}: {
  read: Reader;
  account: { accountName: string };
  params: { entityId: string };
  registry: Pick<Registry, 'profile'>;
}): Promise<NirEntityDetails> {
  const row = await entityRow(read, accountName, entityId);
  const members = await read.rows<NirEntityDetails['members'][number]>(
    sql`select subaccount_id::text, name, status from subaccount where entity_id = ${entityId}::bigint order by name limit 500`,
  );
  const merged = await read.rows<{ entityId: string; name: string; mergedAt: string }>(
    sql`select entity_id::text, name, merged_at from nir_entity where merged_into = ${entityId}::bigint order by merged_at desc limit 100`,
  );
  const into = row.mergedInto === null ? null : await entityRow(read, accountName, row.mergedInto);
  const { address, phone, email, remarks, version } = row;
  return {
    ...rowOf(row),
    address,
    phone,
    email,
    remarks,
    version,
    members,
    whois: await whoisOf(read, row),
    merged: merged.map(each => ({ ...each, until: utcDay(instantAfter(each.mergedAt, unmergeDays * DAY_MS)) })),
    mergedInto: into && { entityId: into.entityId, name: into.name },
    warning: await limitWarning(read, entityId, profile),
  };
}

/** The limit of the last pool applies to an organisation with all its sub-accounts. */
async function limitWarning(read: Reader, entityId: string, { requestPolicy }: Profile): Promise<string | null> {
  const [row] = await read.rows<{
    size: string;
  }>(sql`select coalesce(sum(d.size), 0)::text as size from nir_delegation d join subaccount s using (subaccount_id)
    where s.entity_id = ${entityId}::bigint and d.kind = 'ipv4' and d.pool = 'registry'`);
  const limit = 1n << BigInt(32 - requestPolicy.ipv4Limit);
  const held = BigInt(row!.size);
  return held > limit
    ? `Its sub-accounts hold ${formatCount(held)} addresses of the registry’s last pool together; the limit is ${formatCount(limit)}.`
    : null;
}

type Facts = BodyOf<typeof nirEntities.addEntity>;

/** Records an organisation. */
export async function addEntity({
  change,
  account: { accountName },
  body: facts,
  registry: { profile },
}: {
  change: Change;
  account: { accountName: string };
  body: Facts;
  registry: Pick<Registry, 'profile'>;
}): Promise<NirEntityDetails> {
  const { entityId } = await change
    .insertInto('nirEntity')
    .values({ ...facts, economy: facts.economy || null, accountName, updatedAt: change.now })
    .returning('entityId')
    .executeTakeFirstOrThrow();
  await change.note({ entity: facts.name });
  return getEntity({ read: change, account: { accountName }, params: { entityId: String(entityId) }, registry: { profile } });
}

/** Changes the record of an organisation. @throws Failure NOT_FOUND, STALE with the present record, ENTITY_MERGED */
export async function changeEntity({
  change,
  account: { accountName },
  params: { entityId },
  body: { version, ...facts },
  registry: { profile },
}: Act<typeof nirEntities.changeEntity>): Promise<NirEntityDetails> {
  const row = await openEntity(change, accountName, entityId);
  if (row.version !== version)
    throw refuseWithCurrent(
      await getEntity({ read: change, account: { accountName }, params: { entityId }, registry: { profile } }),
      'STALE',
      { what: row.name },
    );
  await change
    .updateTable('nirEntity')
    .set({ ...facts, ...(facts.economy !== undefined && { economy: facts.economy || null }), version: version + 1, updatedAt: change.now })
    .where('entityId', '=', Number(entityId))
    .execute();
  await change.note({ entity: facts.name });
  return getEntity({ read: change, account: { accountName }, params: { entityId }, registry: { profile } });
}

/** Deletes the record of an organisation that no sub-account belongs to. @throws Failure NOT_FOUND, ENTITY_IN_USE */
export async function deleteEntity({
  change,
  account: { accountName },
  params: { entityId },
}: Act<typeof nirEntities.deleteEntity>): Promise<void> {
  const row = await lockEntity(change, accountName, entityId);
  const [others] = await change.rows<{ count: number }>(
    sql`select count(*)::int as count from nir_entity where merged_into = ${entityId}::bigint`,
  );
  const count = row.subaccounts + others!.count;
  if (count > 0) throw refuse('ENTITY_IN_USE', { name: row.name, count: String(count) });
  await change.rows(sql`delete from nir_entity where entity_id = ${entityId}::bigint`);
  await change.note({ entity: row.name });
}

/** Merges a duplicate into another organisation. @throws Failure NOT_FOUND, ENTITY_MERGED, INVALID_REQUEST for itself */
export async function mergeEntity({
  change,
  account: { accountName },
  params: { entityId },
  body: { into },
  registry: { profile },
}: Act<typeof nirEntities.mergeEntity>): Promise<NirEntityDetails> {
  if (into === entityId) throw refuseField('into', 'Choose another organisation');
  // In the order of their ids, so that two merges of one pair don't deadlock.
  const rows = new Map<string, EntityRow>();
  for (const id of [entityId, into].toSorted((a, b) => Number(a) - Number(b))) rows.set(id, await openEntity(change, accountName, id));
  const moved = await change.rows<{ subaccountId: string }>(sql`update subaccount set entity_id = ${into}::bigint, version = version + 1,
    updated_at = ${change.now}::timestamptz where entity_id = ${entityId}::bigint returning subaccount_id::text`);
  await change.rows(sql`update nir_entity set merged_into = ${into}::bigint, merged_at = ${change.now}::timestamptz,
    merged_subaccounts = ${moved.map(({ subaccountId }) => subaccountId)}::bigint[], version = version + 1, updated_at = ${change.now}::timestamptz
    where entity_id = ${entityId}::bigint`);
  await change.note({ entity: rows.get(entityId)!.name, into: rows.get(into)!.name, subaccounts: moved.length });
  return getEntity({ read: change, account: { accountName }, params: { entityId: into }, registry: { profile } });
}

/** Separates a merged organisation again. @throws Failure NOT_FOUND also for one that was not merged, UNMERGE_TOO_LATE */
export async function unmergeEntity({
  change,
  account: { accountName },
  params: { entityId },
  registry: { profile },
}: Act<typeof nirEntities.unmergeEntity>): Promise<NirEntityDetails> {
  const row = await lockEntity(change, accountName, entityId);
  if (row.mergedInto === null || row.mergedAt === null) throw refuse('NOT_FOUND', { what: 'The merge' });
  if (row.mergedAt < instantBefore(change.now, unmergeDays * DAY_MS)) throw refuse('UNMERGE_TOO_LATE', { name: row.name });
  const back =
    await change.rows(sql`update subaccount set entity_id = ${entityId}::bigint, version = version + 1, updated_at = ${change.now}::timestamptz
    where subaccount_id = any(${row.mergedSubaccounts ?? []}::bigint[]) and entity_id = ${row.mergedInto}::bigint returning 1`);
  await change.rows(sql`update nir_entity set merged_into = null, merged_at = null, merged_subaccounts = null, version = version + 1,
    updated_at = ${change.now}::timestamptz where entity_id = ${entityId}::bigint`);
  await change.note({ entity: row.name, subaccounts: back.length });
  return getEntity({ read: change, account: { accountName }, params: { entityId }, registry: { profile } });
}

/** Copies the record of an organisation into its whois object. @throws Failure NOT_FOUND, INVALID_REQUEST with the reasons of whois */
export async function pushEntity({ change, account, params, registry }: Act<typeof nirEntities.pushEntity>): Promise<NirEntityDetails> {
  await pushToWhois(change, account, await entityRow(change, account.accountName, params.entityId), registry);
  return getEntity({ read: change, account, params, registry });
}
