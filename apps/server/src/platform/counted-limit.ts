import type { RawBuilder } from 'kysely';
import { type Change, lockByName } from './database/index.ts';
import { type Failure, refuseWith } from './failure.ts';

/**
 * A limit of how often something is done in a time. `of` names what is counted: module, purpose and whose it is, such as `tickets.opened-12`. `counted` is a query for one number,
 * `count`; `seconds` says after how long to try again.
 */
export type CountedLimit = { of: `${string}.${string}`; limit: number; counted: RawBuilder<{ count: number }>; seconds: number };

/**
 * Refuses what goes beyond a limit. Changes that count the same are counted one after the other, until their ends: many at the same moment don't exceed it together.
 * Where several limits count, those of the person come before those of others, everywhere, so that no two changes wait for each other.
 * @throws Failure TOO_MANY_REQUESTS
 */
export async function refuseBeyond(change: Change, { of, limit, counted, seconds }: CountedLimit): Promise<void> {
  await countInTurn(change, of);
  const [done] = await change.rows<{ count: number }>(counted);
  if (Number(done!.count) >= limit) throw tooMany(seconds);
}

/** Makes changes that count the same wait for each other, where a limit has a refusal of its own. */
export const countInTurn = (change: Change, of: CountedLimit['of']): Promise<void> => lockByName(change, of);

/** The refusal of what is done too often. */
export const tooMany = (seconds: number): Failure =>
  refuseWith({ 'retry-after': String(seconds) }, 'TOO_MANY_REQUESTS', { seconds: String(seconds) });
