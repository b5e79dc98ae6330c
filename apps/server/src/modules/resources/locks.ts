import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import type { ResourceLock, resourceLocks } from '@portal/contract/resources/locks';
import { type NumberResource, parseResource } from '@portal/number-resources';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import { type Change, type Database, ownActivity, preparedQuery, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { Failure, refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { findAccount, lockOwnAccount } from '../accounts/index.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';
import { columnsOf } from './ledger-columns.ts';
import { refuseLocked } from './locked-parts.ts';
import { resourcesTexts } from './mail-texts.ts';

type Locks = AnswerOf<typeof resourceLocks.listLocks>;
type Row = Omit<ResourceLock, 'release'> & {
  accountName: string;
  requestedAt: string | null;
  requester: string | null;
  requestedBy: string | null;
  confirmedBy: string | null;
  byStaff: boolean;
  releasesAt: string | null;
};

const MAX = 1000;
const what = { what: 'The lock' };
const path = '/resources/transfer_request_select';

const rowsWhere = (
  where: RawBuilder<unknown>,
): RawBuilder<Row> => sql<Row>`select k.resource_lock_id::text as lock_id, k.account_name, d.resource,
    k.locked_at, l.full_name as locked_by, k.requested_at, k.requested_by as requester, r.full_name as requested_by, c.full_name as confirmed_by, k.by_staff,
    k.releases_at
  from resource_lock k join delegation d using (delegation_id) join login l on l.login_id = k.locked_by left join login r on r.login_id = k.requested_by
  left join login c on c.login_id = k.confirmed_by
  where k.released_at is null and d.status <> 'closed' and ${where} order by d.kind, d.first, d.first_as limit ${MAX}`;

/** Lists the locks of an account. @param loginId the reader */
export async function listLocks({
  read,
  account: { accountName },
  caller: { loginId },
  registry,
}: {
  read: Pick<Read, 'rows'>;
  account: { accountName: string };
  caller: { loginId: string | null };
  registry: Pick<Registry, 'profile'>;
}): Promise<Locks> {
  const rows = await read.rows(rowsWhere(sql`k.account_name = ${accountName}`));
  return {
    delayHours: registry.profile.lockReleaseHours,
    rows: rows.map(({ lockId, resource, lockedAt, lockedBy, ...row }) => ({
      lockId,
      resource,
      lockedAt,
      lockedBy,
      release:
        row.requestedAt === null
          ? null
          : {
              requestedAt: row.requestedAt,
              requestedBy: row.requestedBy!,
              isMine: row.requester === loginId,
              confirmedBy: row.byStaff ? 'Registry staff' : row.confirmedBy,
              releasesAt: row.releasesAt!,
            },
    })),
  };
}

/** The resources of an account that it has locked, ordered by number. */
export const lockedResources = async (read: Pick<Read, 'rows'>, accountName: string): Promise<string[]> =>
  (await read.rows(rowsWhere(sql`k.account_name = ${accountName}`))).map(({ resource }) => resource);

const LOCK_OF_NUMBERS = preparedQuery(`select 1 from delegation d join resource_lock k using (delegation_id)
    where d.kind = 'asn' and d.status <> 'closed' and k.released_at is null and d.first_as <= $1::bigint and d.last_as >= $2::bigint limit 1`);
const LOCK_OF_ADDRESSES = preparedQuery(`select 1 from delegation d join resource_lock k using (delegation_id)
    where d.kind = $1::text and d.status <> 'closed' and k.released_at is null and d.first <= $2::inet and d.last >= $3::inet limit 1`);

/** Returns whether its holder locked the delegation around these numbers against transfer and return; RDAP publishes it too. */
export async function isLocked(read: Pick<Read, 'rows'>, resource: NumberResource): Promise<boolean> {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  const [row] = await read.rows(kind === 'asn' ? LOCK_OF_NUMBERS(firstAs, lastAs) : LOCK_OF_ADDRESSES(kind, first, last));
  return row !== undefined;
}

/** As `listLocks`, of any account. @throws Failure NOT_FOUND */
export async function listStaffLocks({
  read,
  caller: { loginId },
  params: { accountName },
  registry,
}: Act<typeof resourceLocks.listStaffLocks>): Promise<Locks> {
  if (!(await findAccount(read, accountName))) throw refuse('NOT_FOUND', { what: 'The account' });
  return listLocks({ read, account: { accountName }, caller: { loginId }, registry });
}

/** Locks delegations. Already locked ones stay locked, and a requested release continues. @throws Failure NOT_HOLDER, RESOURCE_LOCKED by a transfer or return */
export async function addLocks({
  change,
  account,
  caller,
  body: { resources },
  registry,
}: Act<typeof resourceLocks.addLocks>): Promise<Locks> {
  const { accountName } = account;
  await lockOwnAccount(change, account);
  const texts = [...new Set(resources.map(text => text.trim()))];
  const found = await change.rows<{
    delegationId: number;
    resource: string;
  }>(sql`select delegation_id, resource from delegation
    where account_name = ${accountName} and registry = '' and status <> 'closed' and resource = any(${texts}::text[]) for update`);
  const missing = texts.find(text => !found.some(({ resource }) => resource === text));
  if (missing !== undefined) throw refuse('NOT_HOLDER', { resource: missing, account: accountName }).at('resources');
  await refuseLocked(
    change,
    found.map(({ resource }) => parseResource(resource)),
  ).catch((error: unknown) => {
    throw error instanceof Failure ? error.at('resources') : error;
  });
  const added = await change.rows<{
    delegationId: number;
  }>(sql`insert into resource_lock (account_name, delegation_id, locked_at, locked_by)
    select ${accountName}, id, ${change.now}::timestamptz, ${caller.loginId} from unnest(${found.map(({ delegationId }) => delegationId)}::bigint[]) id
    on conflict do nothing returning delegation_id`);
  const names = found.filter(row => added.some(({ delegationId }) => delegationId === row.delegationId)).map(({ resource }) => resource);
  if (names.length > 0) {
    await change.note({ resources: names });
    await notifyCorporateContacts(change, {
      topic: 'account.security',
      accountName,
      text: resourcesTexts.written('locked', {
        names: shortened(names),
        names2: names.join(', '),
        lockReleaseHours: registry.profile.lockReleaseHours,
      }),
      path,
      act: 'View locks',
    });
  }
  return listLocks({ read: change, account: { accountName }, caller, registry });
}

/** Locks the row of an open lock. @throws Failure NOT_FOUND */
async function lockRow(change: Change, lockId: string, accountName: string | null): Promise<Row> {
  if (isRowId(lockId)) {
    await change.rows(sql`select 1 from resource_lock where resource_lock_id = ${Number(lockId)} for update`);
    const [row] = await change.rows(rowsWhere(sql`k.resource_lock_id = ${Number(lockId)}`));
    if (row && (accountName === null || row.accountName === accountName)) return row;
  }
  throw refuse('NOT_FOUND', what);
}

const stateRefusal = (row: Row) =>
  refuse('RELEASE_STATE', {
    resource: row.resource,
    state:
      row.requestedAt === null
        ? 'no one has asked for its release'
        : row.confirmedBy === null
          ? 'its release waits for a second person'
          : 'its release is confirmed',
  });

/** Requests the release of a lock. @throws Failure NOT_FOUND, RELEASE_STATE if it is already requested */
export async function requestRelease({
  change,
  account: { accountName },
  caller,
  params: { lockId },
  registry,
}: Act<typeof resourceLocks.requestRelease>): Promise<Locks> {
  const row = await lockRow(change, lockId, accountName);
  if (row.requestedAt !== null) throw stateRefusal(row);
  const releasesAt = instantAfter(change.now, registry.profile.lockReleaseHours * HOUR_MS);
  await change.rows(sql`update resource_lock set requested_at = ${change.now}::timestamptz, requested_by = ${caller.loginId},
    releases_at = ${releasesAt}::timestamptz where resource_lock_id = ${Number(lockId)}`);
  await change.note({ resource: row.resource, releasesAt });
  await notifyCorporateContacts(change, {
    topic: 'account.security',
    accountName,
    text: resourcesTexts.written('releaseLockRequested', { resource: row.resource, lockReleaseHours: registry.profile.lockReleaseHours }),
    path,
    act: 'Confirm or keep the lock',
    answerBy: releasesAt,
  });
  return listLocks({ read: change, account: { accountName }, caller, registry });
}

async function confirm(change: Change, row: Row, caller: Caller, byStaff: boolean): Promise<void> {
  if (row.requestedAt === null || row.confirmedBy !== null) throw stateRefusal(row);
  if (row.requester === caller.loginId) throw refuse('OWN_REQUEST');
  await change.rows(
    sql`update resource_lock set confirmed_by = ${caller.loginId}, by_staff = ${byStaff} where resource_lock_id = ${Number(row.lockId)}`,
  );
  await change.note({ resource: row.resource, releasesAt: row.releasesAt });
  await notifyCorporateContacts(change, {
    topic: 'account.security',
    accountName: row.accountName,
    text: resourcesTexts.written('releaseLockConfirmed', { resource: row.resource, until: row.releasesAt! }),
    path,
    act: 'View locks',
  });
}

/** Confirms a release requested by another contact. @throws Failure NOT_FOUND, RELEASE_STATE, OWN_REQUEST */
export async function confirmRelease({
  change,
  account: { accountName },
  caller,
  params: { lockId },
  registry,
}: Act<typeof resourceLocks.confirmRelease>): Promise<Locks> {
  await confirm(change, await lockRow(change, lockId, accountName), caller, false);
  return listLocks({ read: change, account: { accountName }, caller, registry });
}

/** Confirms a release as registry staff who aren't contacts of the account. @throws Failure NOT_FOUND, RELEASE_STATE, OWN_REQUEST */
export async function confirmStaffRelease({
  change,
  caller,
  params: { lockId },
  registry,
}: Act<typeof resourceLocks.confirmStaffRelease>): Promise<Locks> {
  const row = await lockRow(change, lockId, null);
  const [own] = await change.rows(
    sql`select 1 from contact where account_name = ${row.accountName} and login_id = ${caller.loginId} limit 1`,
  );
  if (own) throw refuse('OWN_REQUEST');
  await change.concerns(row.accountName);
  await confirm(change, row, caller, true);
  return listLocks({
    read: change,
    account: { accountName: row.accountName },
    caller,
    registry,
  });
}

/** Cancels the requested release of a lock. @throws Failure NOT_FOUND, RELEASE_STATE without a request */
export async function cancelRelease({
  change,
  account: { accountName },
  caller,
  params: { lockId },
  registry,
}: Act<typeof resourceLocks.cancelRelease>): Promise<Locks> {
  const row = await lockRow(change, lockId, accountName);
  if (row.requestedAt === null) throw stateRefusal(row);
  await change.rows(sql`update resource_lock set requested_at = null, requested_by = null, confirmed_by = null, by_staff = false, releases_at = null
    where resource_lock_id = ${Number(lockId)}`);
  await change.note({ resource: row.resource });
  return listLocks({ read: change, account: { accountName }, caller, registry });
}

/** Ends the locks whose release two people requested and whose delay is over. The lock stays while the login of one of them is frozen or disabled. */
export async function releaseLocks(db: Database, now: Date): Promise<void> {
  const due = sql`k.confirmed_by is not null and k.releases_at <= ${now.toISOString()}::timestamptz
    and r.frozen_at is null and r.disabled_at is null and c.frozen_at is null and c.disabled_at is null`;
  await eachAlone(
    await db.read.rows(rowsWhere(due)),
    ({ resource, accountName }) => `lock of ${resource} of ${accountName}`,
    ({ lockId, accountName }) =>
      db.change(ownActivity('resources.releaseLock', 'Released a lock', accountName), async change => {
        await change.rows(sql`select 1 from resource_lock where resource_lock_id = ${Number(lockId)} for update`);
        const [row] = await change.rows(rowsWhere(sql`k.resource_lock_id = ${Number(lockId)} and ${due}`));
        if (!row) return;
        await change.rows(
          sql`update resource_lock set released_at = ${now.toISOString()}::timestamptz where resource_lock_id = ${Number(lockId)}`,
        );
        await change.note({ resource: row.resource });
        await notifyCorporateContacts(change, {
          topic: 'account.security',
          accountName,
          text: resourcesTexts.written('noLongerLocked', { resource: row.resource }),
          path,
          act: 'View locks',
        });
      }),
  );
}

const shortened = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
