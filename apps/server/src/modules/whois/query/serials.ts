import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';

/** The first and the last serial of the journal; 0 while it is empty. */
export async function readSerials(db: Database): Promise<{ first: number; last: number }> {
  const [row] = await db.read.rows<{ first: number; last: number }>(
    sql`select coalesce(min(serial), 0) as first, coalesce(max(serial), 0) as last from whois_journal`,
  );
  return row ?? { first: 0, last: 0 };
}
