import type { RawBuilder } from 'kysely';
import { type Change, lockByName } from './database/index.ts';
import { type Failure, refuseWith } from './failure.ts';

/**
 * A rate limit. `of` names what is counted: module, purpose and owner, such as `tickets.opened-12`. `counted` is a query for one number,
 * `count`; `seconds` says after how long to try again.
 */
export type CountedLimit = { of: `${string}.${string}`; limit: number; counted: RawBuilder<{ count: number }>; seconds: number };

/**
 * Refuses what exceeds a limit. Changes under the same limit are serialised until they end, so concurrent ones can't exceed it together. If several
 * limits apply, those of the person are always taken first, so that two changes can't deadlock.
 * @throws Failure TOO_MANY_REQUESTS
 */
export async function refuseBeyond(change: Change, { of, limit, counted, seconds }: CountedLimit): Promise<void> {
  await countInTurn(change, of);
  const [done] = await change.rows<{ count: number }>(counted);
  if (Number(done!.count) >= limit) throw tooMany(seconds);
}

/** Serialises changes under the same limit, where the limit has a refusal of its own. */
export const countInTurn = (change: Change, of: CountedLimit['of']): Promise<void> => lockByName(change, of);

/** The refusal when a limit is exceeded. */
export const tooMany = (seconds: number): Failure =>
  refuseWith({ 'retry-after': String(seconds) }, 'TOO_MANY_REQUESTS', { seconds: String(seconds) });
