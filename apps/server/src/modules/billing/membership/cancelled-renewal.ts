import type { StaffAccountBilling } from '@portal/contract/billing/billing';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import type { Term } from './term.ts';

/** Returns whether the renewal of a term was cancelled, or written off before its account was reactivated, so that nothing is billed for it, and whether staff asked for another invoice. */
export async function againOf(read: Read, accountName: string, term: Term | undefined): Promise<StaffAccountBilling['again']> {
  if (!term?.invoice?.settled) return null;
  const [row] = await read.rows<{ asked: boolean }>(sql`select exists (select from renewal_again r
      where r.account_name = i.account_name and r.invoice_id is null) as asked
    from invoice i where i.number = ${term.invoice.number} and i.state in ('cancelled', 'written-off') and i.account_name = ${accountName}`);
  return row ? (row.asked ? 'asked' : 'possible') : null;
}
