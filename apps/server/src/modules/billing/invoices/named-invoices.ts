import type { Invoice } from '@portal/contract/billing/billing';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** An invoice of an account, by its number. Amounts are decimal text. */
export type NamedInvoice = Pick<Invoice, 'number' | 'kind' | 'currency' | 'total' | 'dueOn' | 'paidOn'> & {
  state: 'issued' | 'partly-paid' | 'paid' | 'cancelled' | 'written-off';
};

/** Returns the invoices of an account of some numbers (`INV-2026-000001`). @param numbers at most 100 */
export const namedInvoices = (read: Read, accountName: string, numbers: readonly string[]): Promise<NamedInvoice[]> =>
  numbers.length === 0
    ? Promise.resolve([])
    : read.rows<NamedInvoice>(sql`select number, kind, currency, total::text, due_on, paid_on, state from invoice
        where number = any (${[...numbers]}::text[]) and account_name = ${accountName}`);
