import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { type Cents, cents } from './money.ts';

/** Returns what an account has paid that no invoice has used. */
export async function creditOf(read: Read, accountName: string): Promise<Cents> {
  const [row] = await read.rows<{ credit: string }>(
    sql`select coalesce(sum(amount), 0)::numeric(14, 2)::text as credit from account_credit where account_name = ${accountName}`,
  );
  return cents(row!.credit);
}
