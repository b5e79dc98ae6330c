import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';

/**
 * Whois writes wait for each other until they commit (docs/decisions/0020-whois-journal.md): what a submission looked at stays as it is, and
 * serials are given in the order of commits. A change of the ledger takes the ledger's lock first.
 */
export async function lockWhois(change: Change): Promise<void> {
  await sql`select pg_advisory_xact_lock(7331020)`.execute(change);
}
