import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';

/** After this many permanent refusals without a delivery in between, an address counts as unreachable. */
const REFUSALS = 3;

/** Counts a permanent refusal of an address. */
export async function countRefusal(change: Change, address: string, refusal: string): Promise<void> {
  await sql`insert into mail_refusal as r (address, refusals, refusal, refused_at) values (lower(${address}), 1, ${refusal}, ${change.now})
    on conflict (address) do update set refusals = r.refusals + 1, refusal = excluded.refusal, refused_at = excluded.refused_at,
      unreachable_since = case when r.refusals + 1 >= ${REFUSALS} then coalesce(r.unreachable_since, excluded.refused_at) end`.execute(
    change,
  );
}

/** A delivered mail resets the count. */
export async function clearRefusals(change: Change, address: string): Promise<void> {
  await change.deleteFrom('mailRefusal').where('address', '=', address.toLowerCase()).execute();
}

/** Which of these addresses are unreachable, since when, and what their mail server said. */
export async function unreachable(
  read: Read,
  addresses: readonly string[],
): Promise<{ address: string; since: string; refusal: string }[]> {
  if (addresses.length === 0) return [];
  const rows = await read
    .selectFrom('mailRefusal')
    .select(['address', 'unreachableSince', 'refusal'])
    .where('address', 'in', [...new Set(addresses.map(address => address.toLowerCase()))])
    .where('unreachableSince', 'is not', null)
    .orderBy('address')
    .execute();
  return rows.map(({ address, unreachableSince, refusal }) => ({ address, since: unreachableSince!, refusal }));
}
