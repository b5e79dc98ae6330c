import { listGaps, type NumberResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { columnsOf, type LedgerColumns, resourceOf } from './ledger-columns.ts';

export type PoolState = 'available' | 'reserved';
/** A block without a holder, as a statistics file prints it. */
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
 * Takes a resource out of this registry's available pool, so that it can be delegated; blocks around it stay.
 * @throws Failure INVALID_REQUEST when some of it is reserved.
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

/** The pool blocks that have numbers in common with a resource, in order; at most `limit`. */
export async function findPools(read: Pick<Read, 'rows'>, resource: NumberResource, limit = 10_000): Promise<PoolRow[]> {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  const columns = sql`pool_id, kind, host(first) as first, host(last) as last, first_as, last_as, resource, size::text, state, registry, economy_text, date_text, extensions`;
  // Pools are disjoint: one may begin before the resource, all others begin inside it.
  return kind === 'asn'
    ? read.rows<PoolRow>(sql`select ${columns} from pool where kind = 'asn' and last_as >= ${firstAs} and first_as <= ${lastAs} and first_as >=
        coalesce((select max(first_as) from pool where kind = 'asn' and first_as <= ${firstAs}), ${firstAs}) order by first_as limit ${limit}`)
    : read.rows<PoolRow>(sql`select ${columns} from pool where kind <> 'asn' and last >= ${first}::inet and first <= ${last}::inet and first >=
        coalesce((select o.first from pool o where o.kind <> 'asn' and o.first <= ${first}::inet order by o.first desc limit 1), ${first}::inet)
        order by pool.first limit ${limit}`);
}
