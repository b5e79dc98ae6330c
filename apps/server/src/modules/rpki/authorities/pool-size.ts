import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** Returns how many one-time keys to keep ready: some for each authority, so none for a registry without RPKI. */
export async function poolSize(read: Pick<Read, 'rows'>, most: number): Promise<number> {
  const [row] = await read.rows<{ members: number }>(
    sql`select count(*)::int as members from rpki_ca where kind = 'member' and state = 'active'`,
  );
  return row!.members === 0 ? 0 : Math.min(most, 20 + 4 * row!.members);
}
