import {
  containsResource,
  coverRange,
  listGaps,
  listRanges,
  type NumberResource,
  printResource,
  type ResourceSet,
  resourceSetOf,
} from '@portal/number-resources';
import { sql } from 'kysely';
import { type Change, preparedQuery, type Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { columnsOf, type LedgerColumns, resourceOf } from './ledger-columns.ts';

export type PoolState = 'available' | 'reserved';
/** An unallocated block, as in a statistics file. */
export type Pool = LedgerColumns & { state: PoolState; registry: string; economyText: string; dateText: string; extensions: string | null };
export type PoolRow = Pool & { poolId: number };

/** Adds blocks to the pools, a few thousand in one statement. */
export async function addPools(change: Change, pools: readonly Pool[]): Promise<void> {
  if (pools.length === 0) return;
  await change.rows(sql`
    insert into pool (kind, first, last, first_as, last_as, resource, size, state, registry, economy_text, date_text, extensions)
    select * from unnest(${pools.map(p => p.kind)}::text[], ${pools.map(p => p.first)}::inet[], ${pools.map(p => p.last)}::inet[],
      ${pools.map(p => p.firstAs)}::bigint[], ${pools.map(p => p.lastAs)}::bigint[], ${pools.map(p => p.resource)}::text[],
      ${pools.map(p => p.size)}::numeric[], ${pools.map(p => p.state)}::text[], ${pools.map(p => p.registry)}::text[],
      ${pools.map(p => p.economyText)}::text[], ${pools.map(p => p.dateText)}::text[], ${pools.map(p => p.extensions)}::text[])`);
}

/** Removes blocks from the pools. */
export async function removePools(change: Change, poolIds: readonly number[]): Promise<void> {
  if (poolIds.length > 0) await change.rows(sql`delete from pool where pool_id = any(${poolIds}::bigint[])`);
}

/** Returns the remainder of a pool block without these resources. */
export function remaindersOf(pool: Pool, taken: readonly NumberResource[]): Pool[] {
  return listGaps(resourceSetOf(taken), resourceOf(pool)).map(gap => ({ ...pool, ...columnsOf(gap) }));
}

/**
 * Takes a resource out of this registry's available pool for delegation; the rest of its blocks stays. @throws Failure INVALID_REQUEST if some of it is reserved.
 */
export async function takeFromPools(change: Change, resource: NumberResource): Promise<void> {
  const pools = (await findPools(change, resource)).filter(pool => pool.registry === '');
  const reserved = pools.find(pool => pool.state === 'reserved');
  if (reserved)
    throw refuse('INVALID_REQUEST', { detail: `${columnsOf(resource).resource} is not available: ${reserved.resource} is reserved` });
  await removePools(
    change,
    pools.map(pool => pool.poolId),
  );
  await addPools(
    change,
    pools.flatMap(pool => remaindersOf(pool, [resource])),
  );
}

const poolColumns =
  'pool_id, kind, host(first) as first, host(last) as last, first_as, last_as, resource, size::text, state, registry, economy_text, date_text, extensions';
// Pools are disjoint: at most one begins before the resource, all others begin inside it.
const POOLS_OF_NUMBERS =
  preparedQuery<PoolRow>(`select ${poolColumns} from pool where kind = 'asn' and last_as >= $1::bigint and first_as <= $2::bigint and first_as >=
        coalesce((select max(first_as) from pool where kind = 'asn' and first_as <= $1::bigint), $1::bigint) order by first_as limit $3::int`);
const POOLS_OF_ADDRESSES =
  preparedQuery<PoolRow>(`select ${poolColumns} from pool where kind <> 'asn' and last >= $1::inet and first <= $2::inet and first >=
        coalesce((select o.first from pool o where o.kind <> 'asn' and o.first <= $1::inet order by o.first desc limit 1), $1::inet)
        order by pool.first limit $3::int`);

/** The pool blocks that overlap a resource, in order; at most `limit`. */
export async function findPools(read: Pick<Read, 'rows'>, resource: NumberResource, limit = 10_000): Promise<PoolRow[]> {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  return kind === 'asn' ? read.rows(POOLS_OF_NUMBERS(firstAs, lastAs, limit)) : read.rows(POOLS_OF_ADDRESSES(first, last, limit));
}

/** A block of this registry's own pools, with the reason if it is reserved. */
export type OwnPool = PoolRow & { heldFor: string | null; restsUntil: string | null; keptUntil: string | null; reason: string | null };

/** Takes the ledger's lock, so that two changes never choose the same numbers to delegate. The same lock as in `refuse_delegated_pool`. */
export const lockLedger = async (change: Change): Promise<void> => {
  await sql`select pg_advisory_xact_lock(7331004)`.execute(change);
};

const ownColumns = sql`pool_id, kind, host(first) as first, host(last) as last, first_as, last_as, resource, size::text, state, registry, economy_text,
  date_text, extensions, held_for, rests_until::text, kept_until::text, reason`;

/** Lists this registry's own pools of a kind by number, held and quarantined blocks included. */
export const ownPools = (read: Pick<Read, 'rows'>, kind: LedgerColumns['kind']): Promise<OwnPool[]> =>
  read.rows<OwnPool>(sql`select ${ownColumns} from pool where registry = '' and kind = ${kind} order by first, first_as`);

/** Lists this registry's own blocks that overlap a resource, by number. */
export async function ownPoolsMeeting(read: Pick<Read, 'rows'>, resource: NumberResource): Promise<OwnPool[]> {
  const found = await findPools(read, resource);
  return read.rows<OwnPool>(sql`select ${ownColumns} from pool where registry = '' and pool_id = any(${found.map(({ poolId }) => poolId)}::bigint[])
    order by pool.first, first_as`);
}

/** Lists the blocks that are held for a request. */
export const heldFor = (read: Pick<Read, 'rows'>, reference: string): Promise<OwnPool[]> =>
  read.rows<OwnPool>(sql`select ${ownColumns} from pool where held_for = ${reference} order by first, first_as`);

/** Returns the numbers of a kind that can be delegated now: available, neither held nor in quarantine. */
export async function freeSpace(read: Pick<Read, 'rows'>, kind: LedgerColumns['kind']): Promise<ResourceSet> {
  const rows = await read.rows<Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'>>(
    sql`select kind, host(first) as first, host(last) as last, first_as, last_as from pool
      where registry = '' and kind = ${kind} and state = 'available' order by pool.first, pool.first_as`,
  );
  return resourceSetOf(rows.map(resourceOf));
}

type Reason = { heldFor: string } | { restsUntil: string };

async function addReserved(change: Change, resource: NumberResource, reason: Reason): Promise<void> {
  const { kind, first, last, firstAs, lastAs, resource: text, size } = columnsOf(resource);
  await change.rows(sql`insert into pool (kind, first, last, first_as, last_as, resource, size, state, registry, held_for, rests_until)
    values (${kind}, ${first}::inet, ${last}::inet, ${firstAs}, ${lastAs}, ${text}, ${size}::numeric, 'reserved', '',
      ${'heldFor' in reason ? reason.heldFor : null}, ${'restsUntil' in reason ? reason.restsUntil : null}::date)`);
}

/** Holds a free resource for a request, so that no other gets it. @throws Failure INVALID_REQUEST when some of it is not free */
export async function holdForRequest(change: Change, resource: NumberResource, reference: string): Promise<void> {
  const free = await freeSpace(change, resource.family);
  if (!containsResource(free, resource)) throw refuse('INVALID_REQUEST', { detail: `${printResource(resource)} is not free in the pool` });
  await takeFromPools(change, resource);
  await addReserved(change, resource, { heldFor: reference });
}

/** Returns the numbers held for a request to the available pool. */
export async function releaseHeld(change: Change, reference: string): Promise<void> {
  const held = await heldFor(change, reference);
  await removePools(
    change,
    held.map(({ poolId }) => poolId),
  );
  await makeAvailable(change, held.map(resourceOf));
}

/** Takes the numbers held for a request out of the pools, for delegation in the same change. Returns them. */
export async function takeHeld(change: Change, reference: string): Promise<NumberResource[]> {
  const held = await heldFor(change, reference);
  await removePools(
    change,
    held.map(({ poolId }) => poolId),
  );
  return held.map(resourceOf);
}

/** Puts returned space into quarantine until a day; its delegation is closed in the same change, before. */
export const restInPool = (change: Change, resource: NumberResource, restsUntil: string): Promise<void> =>
  addReserved(change, resource, { restsUntil });

/** Ends quarantines and reservations whose day has come. Returns the numbers that are available again. */
export async function endQuarantine(change: Change, today: string): Promise<string[]> {
  const ended = await change.rows<OwnPool>(
    sql`select ${ownColumns} from pool where rests_until <= ${today}::date or kept_until <= ${today}::date`,
  );
  await removePools(
    change,
    ended.map(({ poolId }) => poolId),
  );
  await makeAvailable(change, ended.map(resourceOf));
  return ended.map(({ resource }) => resource);
}

/** Adds numbers to the available pool, merged with their free neighbours, so that large blocks are restored. */
export async function makeAvailable(change: Change, resources: readonly NumberResource[]): Promise<void> {
  for (const kind of new Set(resources.map(({ family }) => family))) {
    const coming = resources.filter(({ family }) => family === kind);
    const own = (await ownPools(change, kind)).filter(({ state }) => state === 'available');
    const joined = listRanges(resourceSetOf([...own.map(resourceOf), ...coming]), kind);
    const kept = new Set(own.map(({ resource }) => resource));
    const wanted = joined.flatMap((range): NumberResource[] => (range.family === 'ipv6' ? coverRange(range) : [range])).map(columnsOf);
    const staying = new Set(wanted.map(({ resource }) => resource).filter(resource => kept.has(resource)));
    await removePools(
      change,
      own.filter(({ resource }) => !staying.has(resource)).map(({ poolId }) => poolId),
    );
    await addPools(
      change,
      wanted
        .filter(({ resource }) => !staying.has(resource))
        .map(columns => ({ ...columns, state: 'available' as const, registry: '', economyText: '', dateText: '', extensions: null })),
    );
  }
}
