import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';

/** Accounts of the ledger: what members owe, their credit, the bank, fees and tax charged, and written-off debts. */
export const ledgerAccounts = ['receivable', 'credit', 'bank', 'revenue', 'tax', 'badDebt'] as const;

/**
 * One document in the double-entry ledger of an account: amounts that rise (positive) and fall (negative) on each side, as decimal text. Their sum is
 * zero. The member's balance is the sum of `receivable` and `credit`.
 */
export type LedgerEntry = { day: string; document: string; description: string; currency: string; cancels: boolean } & Record<
  (typeof ledgerAccounts)[number],
  string
>;

/** An entry of the journal of all accounts. */
export type JournalEntry = LedgerEntry & { accountName: string };

/** SQL: every document as an entry, as the rows of `entry`: of an invoice, unless it is a refund; `by_card`: its money is the card provider’s. */
export const allEntries = sql`with entry (account_name, invoice_id, by_card, day, place, id, document, description, currency, cancels, receivable, credit, bank, revenue, tax, bad_debt) as (
      select i.account_name, i.invoice_id, false, issued_on, 1, invoice_id, number, 'Invoice', currency, false, total, 0, 0, -subtotal, -i.tax, 0 from invoice i
      union all
      select i.account_name, i.invoice_id, false, (cancelled_at at time zone 'UTC')::date, 2, invoice_id, number, 'Cancelled: ' || cancel_reason, currency, true,
          back.amount - (total - credited), -back.amount, 0, i.subtotal - noted.subtotal, i.tax - noted.tax, 0
        from invoice i
        cross join lateral (select coalesce(sum(amount), 0) as amount from account_credit c where c.cancelled_invoice_id = i.invoice_id) back
        -- What credit notes took off before is in their entries.
        cross join lateral (select coalesce(sum(n.subtotal), 0) as subtotal, coalesce(sum(n.tax), 0) as tax from credit_note n where n.invoice_id = i.invoice_id) noted
        where state = 'cancelled' and credited < total
      union all
      select n.account_name, n.invoice_id, false, n.issued_on, 3, credit_note_id, n.number, 'Credit note for ' || i.number || ': ' || reason, i.currency, true, freed.amount - n.total,
          -freed.amount, 0, n.subtotal, n.tax, 0
        from credit_note n join invoice i using (invoice_id)
        cross join lateral (select coalesce(sum(amount), 0) as amount from account_credit c where c.credit_note_id = n.credit_note_id) freed
      union all
      select p.account_name, p.invoice_id, method = 'card', received_on, 4, payment_id, i.number, case method when 'credit' then 'Account credit used' else 'Payment, ' || reference end, i.currency,
          false, -(p.amount - rest.amount), -rest.amount + case method when 'credit' then p.amount else 0 end,
          case method when 'credit' then 0 else p.amount end, 0, 0, 0
        from payment p join invoice i using (invoice_id)
        cross join lateral (select coalesce(sum(amount), 0) as amount from account_credit c
          where c.payment_id = p.payment_id and p.method <> 'credit') rest
      union all
      select account_name, null, false, refunded_on, 5, refund_id, '', 'Refund, ' || reference, currency, false, 0, amount, -amount, 0, 0, 0 from refund
      union all
      select account_name, invoice_id, false, written_off_on, 6, invoice_id, number, 'Written off: ' || write_off_reason, currency, true, -written_off, 0, 0, 0, 0, written_off
        from invoice where state = 'written-off'
      union all
      select r.account_name, p.invoice_id, p.method = 'card', reversed_on, 7, payment_reversal_id, r.number, 'Payment of ' || i.number || ' reversed: ' || reason, i.currency, false, r.amount - from_credit,
          from_credit, -r.amount, 0, 0, 0
        from payment_reversal r join payment p using (payment_id) join invoice i using (invoice_id))`;

const entriesWhere = (where: RawBuilder<unknown>): RawBuilder<JournalEntry> => sql<JournalEntry>`${allEntries}
    select account_name, day::text, document, description, currency, cancels, receivable::numeric(14, 2)::text, credit::numeric(14, 2)::text,
      bank::numeric(14, 2)::text, revenue::numeric(14, 2)::text, tax::numeric(14, 2)::text, bad_debt::numeric(14, 2)::text
    from entry where ${where} order by day, place, id`;

/**
 * Returns the ledger of an account, the oldest document first: invoices, credit notes, payments and their reversals, use of credit, refunds and write-offs. The fee of a
 * case that ended before these had credit notes is reversed by its cancellation, and its payments become credit.
 */
export const ledgerOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<LedgerEntry[]> =>
  read.rows(entriesWhere(sql`account_name = ${accountName}`));

/** Returns the ledger of all accounts between two days, both included, in the same order. */
export const journalOf = (read: Pick<Read, 'rows'>, { from, to }: { from: string; to: string }): Promise<JournalEntry[]> =>
  read.rows(entriesWhere(sql`entry.day between ${from}::date and ${to}::date`));

/** Returns the same in portions, for many entries. */
export const streamJournal = (
  read: Pick<Read, 'stream'>,
  { from, to }: { from: string; to: string },
  portion: number,
): AsyncGenerator<JournalEntry[], void, void> => read.stream(entriesWhere(sql`entry.day between ${from}::date and ${to}::date`), portion);

/** An account of the ledger between two days: what it held before them, and what rose and fell in it, as decimal text. */
export type LedgerSums = { account: (typeof ledgerAccounts)[number]; before: string; debit: string; credit: string };

/** Returns the sums of each account of the ledger over all members between two days, both included; none of an account that was never used. */
export const ledgerSums = (read: Pick<Read, 'rows'>, { from, to }: { from: string; to: string }): Promise<LedgerSums[]> =>
  read.rows(sql<LedgerSums>`${allEntries}
    select side.account, coalesce(sum(side.amount) filter (where day < ${from}::date), 0)::numeric(14, 2)::text as before,
      coalesce(sum(side.amount) filter (where day >= ${from}::date and side.amount > 0), 0)::numeric(14, 2)::text as debit,
      coalesce(-sum(side.amount) filter (where day >= ${from}::date and side.amount < 0), 0)::numeric(14, 2)::text as credit
    from entry cross join lateral (values ('receivable', receivable), ('credit', credit), ('bank', bank), ('revenue', revenue), ('tax', tax), ('badDebt', bad_debt))
      side (account, amount)
    where day <= ${to}::date group by side.account`);

/** Returns how many entries there are between two days, both included, and how many of them don't balance. */
export async function countEntries(
  read: Pick<Read, 'rows'>,
  { from, to }: { from: string; to: string },
): Promise<{ entries: number; unbalanced: number }> {
  const [row] = await read.rows(sql<{ entries: number; unbalanced: number }>`${allEntries}
    select count(*)::int as entries, (count(*) filter (where receivable + credit + bank + revenue + tax + bad_debt <> 0))::int as unbalanced
    from entry where day between ${from}::date and ${to}::date`);
  return row!;
}
