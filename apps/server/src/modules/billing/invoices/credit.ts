import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { type Cents, cents } from '../money.ts';

/** Refunds of credit. */
export type RefundRow = { refundedOn: string; currency: string; amount: string; reference: string; reason: string };

/** Returns the refunds of an account, the newest first. */
export const refundsOf = (read: Read, accountName: string): Promise<RefundRow[]> =>
  read.rows(sql<RefundRow>`select refunded_on, currency, amount::text, reference, reason from refund
    where account_name = ${accountName} order by refunded_on desc, refund_id desc limit 200`);

/** Returns the unused credit of an account. */
export async function creditOf(read: Pick<Read, 'rows'>, accountName: string): Promise<Cents> {
  const [row] = await read.rows<{ credit: string }>(
    sql`select coalesce(sum(amount), 0)::numeric(14, 2)::text as credit from account_credit where account_name = ${accountName}`,
  );
  return cents(row!.credit);
}
