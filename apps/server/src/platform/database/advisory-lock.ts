import { sql } from 'kysely';
import type { Change } from './read-change.ts';

/** Module and purpose of a lock: `billing.invoiceNumbers`. */
export type LockName = `${string}.${string}`;

/**
 * Locks a name until the change ends; other changes that lock it wait. For work that must not run twice at a time and has no row to lock, such as giving
 * the next number of a series. The key is a 64-bit hash of the name, so that modules share no list of numbers and no two of them share a lock.
 */
export async function lockByName(change: Change, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(change);
}
