import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Returns that an act of registry staff about an account waits for a second person, in words without the act, which its contacts don’t know of; null where none does. */
export async function waitingAbout(read: Read, accountName: string): Promise<string | null> {
  const [row] = await read.rows(
    sql`select from proposal where about = ${accountName} and account_name is null and state = 'pending' and expires_at > now() limit 1`,
  );
  return row ? 'they are deciding something about it' : null;
}
