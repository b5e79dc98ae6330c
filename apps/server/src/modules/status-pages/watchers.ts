import type { AnswerOf } from '@portal/contract';
import { isRowId } from '@portal/contract/row-ids';
import { maxWatchers, type Watcher, type watchers } from '@portal/contract/status-pages/watchers';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { isCurrent, placesOf } from './outside-report.ts';
import { newWatcherToken } from './watcher-tokens.ts';
import type { OutsideReport } from './outside-checks.ts';

/** A revoked watcher is listed for so many days. */
const REVOKED_DAYS = 90;

type Row = Omit<Watcher, 'state' | 'lastUse'> & { receivedAt: string | null; sentFrom: string | null; report: OutsideReport | null };

async function watchersWhere(read: Read, now: Date, rest: RawBuilder<unknown>): Promise<Watcher[]> {
  const rows = await read.rows<Row>(sql`
    select w.watcher_id::text as watcher_id, w.place, w.token_prefix as prefix, l.full_name as created_by, w.created_at, w.revoked_at,
      r.received_at, host(r.sent_from) as sent_from, r.report
    from watcher w join login l using (login_id) left join watcher_report r using (watcher_id) ${rest}`);
  return rows.map(({ receivedAt, sentFrom, report, ...row }) => ({
    ...row,
    state: row.revokedAt !== null ? 'revoked' : report === null ? 'new' : isCurrent(report, now) ? 'reporting' : 'silent',
    lastUse: receivedAt === null ? null : { at: receivedAt, address: sentFrom! },
  }));
}

/** Watchers with a token, those that work first. */
export async function listWatchers({
  read,
  registry: { now, config },
}: Act<typeof watchers.listWatchers>): Promise<AnswerOf<typeof watchers.listWatchers>> {
  const rows = await watchersWhere(
    read,
    now,
    sql`where w.revoked_at is null or w.revoked_at > ${now.toISOString()}::timestamptz - make_interval(days => ${REVOKED_DAYS})
      order by w.revoked_at is not null, w.watcher_id`,
  );
  return { rows, fetched: placesOf(config) };
}

/** Refuses a place that another watcher has. */
async function refuseTaken(change: Change, config: Pick<Config, 'watchers'>, place: string, except: string | null = null): Promise<void> {
  const [taken] = await change.rows(
    sql`select 1 from watcher where lower(place) = lower(${place}) and revoked_at is null and watcher_id is distinct from ${except}::bigint`,
  );
  if (taken || placesOf(config).some(each => each.toLowerCase() === place.toLowerCase()))
    throw refuse('WATCHER_PLACE_TAKEN', { place }).at('place');
}

/** Creates a watcher with its token, which is answered once. @throws Failure WATCHER_PLACE_TAKEN, TOO_MANY_WATCHERS */
export async function addWatcher({
  change,
  body: { place },
  caller: { loginId },
  registry: { now, config },
}: Act<typeof watchers.addWatcher>): Promise<AnswerOf<typeof watchers.addWatcher>> {
  await lockByName(change, 'statusPages.watchers');
  await refuseTaken(change, config, place);
  const [active] = await change.rows<{ count: number }>(sql`select count(*)::int as count from watcher where revoked_at is null`);
  if (active!.count + config.watchers.length >= maxWatchers) throw refuse('TOO_MANY_WATCHERS', { most: String(maxWatchers) });
  const { token, hash, prefix } = newWatcherToken();
  const { watcherId } = await change
    .insertInto('watcher')
    .values({ place, tokenHash: hash, tokenPrefix: prefix, loginId, createdAt: change.now })
    .returning('watcherId')
    .executeTakeFirstOrThrow();
  await change.note({ place });
  return { watcher: await readWatcher(change, now, String(watcherId)), token };
}

async function readWatcher(read: Read, now: Date, watcherId: string): Promise<Watcher> {
  const [row] = isRowId(watcherId) ? await watchersWhere(read, now, sql`where w.watcher_id = ${watcherId}::bigint`) : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The watcher' });
  return row;
}

/** Locks a watcher that isn't revoked. @throws Failure NOT_FOUND, ALREADY_RESOLVED */
async function lockWorking(change: Change, now: Date, watcherId: string): Promise<Watcher> {
  if (isRowId(watcherId)) await change.rows(sql`select 1 from watcher where watcher_id = ${watcherId}::bigint for no key update`);
  const row = await readWatcher(change, now, watcherId);
  if (row.state === 'revoked') throw refuse('ALREADY_RESOLVED', { what: `The watcher ${row.place}` });
  return row;
}

/** Names a watcher anew. @throws Failure NOT_FOUND, ALREADY_RESOLVED, NOTHING_TO_DO, WATCHER_PLACE_TAKEN */
export async function renameWatcher({
  change,
  params: { watcherId },
  body: { place },
  registry: { now, config },
}: Act<typeof watchers.renameWatcher>): Promise<Watcher> {
  await lockByName(change, 'statusPages.watchers');
  const before = await lockWorking(change, now, watcherId);
  if (before.place === place) throw refuse('NOTHING_TO_DO', { why: 'the watcher has this name already' });
  await refuseTaken(change, config, place, watcherId);
  await change.rows(sql`update watcher set place = ${place} where watcher_id = ${watcherId}::bigint`);
  await change.note({ place, before: before.place });
  return readWatcher(change, now, watcherId);
}

/** Revokes the token of a watcher: its next report is refused, whichever process gets it. @throws Failure NOT_FOUND, ALREADY_RESOLVED */
export async function revokeWatcher({
  change,
  params: { watcherId },
  registry: { now },
}: Act<typeof watchers.revokeWatcher>): Promise<Watcher> {
  const { place } = await lockWorking(change, now, watcherId);
  await change.rows(sql`update watcher set revoked_at = ${change.now}::timestamptz where watcher_id = ${watcherId}::bigint`);
  await change.note({ place });
  return readWatcher(change, now, watcherId);
}
