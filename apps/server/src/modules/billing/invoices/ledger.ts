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

/** SQL: nothing, as an amount. Of one type in all parts of the union, the planner leaves out parts in which a column that is asked for has nothing. */
const nil = sql`0::numeric`;

/** SQL: entries of documents of invoices `i`, and of what belongs to none, as rows of `entry`. @param isOf which invoices @param others what belongs to none */
const entries = (
  isOf: RawBuilder<unknown>,
  others: RawBuilder<unknown>,
) => sql`entry (account_name, invoice_id, by_card, day, place, id, document, description, currency, cancels, receivable, credit, bank, revenue, tax, bad_debt) as (
      select i.account_name, i.invoice_id, false, issued_on, 1, i.invoice_id, number, 'Invoice', currency, false, total, ${nil}, ${nil}, -subtotal, -i.tax, ${nil} from invoice i where ${isOf}
      union all
      select i.account_name, i.invoice_id, false, (cancelled_at at time zone 'UTC')::date, 2, i.invoice_id, number, 'Cancelled: ' || cancel_reason, currency, true,
          back.amount - (total - credited), -back.amount, ${nil}, i.subtotal - noted.subtotal, i.tax - noted.tax, ${nil}
        from invoice i
        cross join lateral (select coalesce(sum(amount), 0) as amount from account_credit c where c.cancelled_invoice_id = i.invoice_id) back
        -- What credit notes took off before is in their entries.
        cross join lateral (select coalesce(sum(n.subtotal), 0) as subtotal, coalesce(sum(n.tax), 0) as tax from credit_note n where n.invoice_id = i.invoice_id) noted
        where state = 'cancelled' and credited < total and ${isOf}
      union all
      select n.account_name, n.invoice_id, false, n.issued_on, 3, credit_note_id, n.number, 'Credit note for ' || i.number || ': ' || reason, i.currency, true, freed.amount - n.total,
          -freed.amount, ${nil}, n.subtotal, n.tax, ${nil}
        from credit_note n join invoice i using (invoice_id)
        cross join lateral (select coalesce(sum(amount), 0) as amount from account_credit c where c.credit_note_id = n.credit_note_id) freed where ${isOf}
      union all
      select p.account_name, p.invoice_id, method = 'card', received_on, 4, p.payment_id, i.number, case method when 'credit' then 'Account credit used' else 'Payment, ' || reference end, i.currency,
          false, -(p.amount - coalesce(rest.amount, 0)), -coalesce(rest.amount, 0) + case method when 'credit' then p.amount else 0 end,
          case method when 'credit' then 0 else p.amount end, ${nil}, ${nil}, ${nil}
        from payment p join invoice i using (invoice_id)
        -- Few payments left something over: joined, not looked up for each.
        left join (select payment_id, sum(amount) as amount from account_credit where payment_id is not null group by payment_id) rest
          on rest.payment_id = p.payment_id and p.method <> 'credit' where ${isOf}
      union all
      select account_name, null::bigint, false, refunded_on, 5, refund_id, '', 'Refund, ' || reference, currency, false, ${nil}, amount, -amount, ${nil}, ${nil}, ${nil} from refund where ${others}
      union all
      select i.account_name, i.invoice_id, false, written_off_on, 6, i.invoice_id, number, 'Written off: ' || write_off_reason, currency, true, -written_off, ${nil}, ${nil}, ${nil}, ${nil}, written_off
        from invoice i where state = 'written-off' and ${isOf}
      union all
      select r.account_name, p.invoice_id, p.method = 'card', reversed_on, 7, payment_reversal_id, r.number, 'Payment of ' || i.number || ' reversed: ' || reason, i.currency, false, r.amount - from_credit,
          from_credit, -r.amount, ${nil}, ${nil}, ${nil}
        from payment_reversal r join payment p using (payment_id) join invoice i using (invoice_id) where ${isOf})`;

/** SQL: every document as an entry, as the rows of `entry`: of an invoice, unless it is a refund; `by_card`: its money is the card provider’s. */
export const allEntries = sql`with ${entries(sql`true`, sql`true`)}`;

/** SQL: the same of the invoices `i` for which this is true. */
export const entriesWhere = (isOf: RawBuilder<unknown>) => sql`with ${entries(isOf, sql`false`)}`;

/** SQL: the same of a few invoices alone. @param chosen selects their ids */
export const entriesOf = (chosen: RawBuilder<unknown>) =>
  sql`with chosen as materialized (${chosen}), ${entries(sql`i.invoice_id in (select invoice_id from chosen)`, sql`false`)}`;

const journalWhere = (where: RawBuilder<unknown>): RawBuilder<JournalEntry> => sql<JournalEntry>`${allEntries}
    select account_name, day::text, document, description, currency, cancels, receivable::numeric(14, 2)::text, credit::numeric(14, 2)::text,
      bank::numeric(14, 2)::text, revenue::numeric(14, 2)::text, tax::numeric(14, 2)::text, bad_debt::numeric(14, 2)::text
    from entry where ${where} order by day, place, id`;

/**
 * Returns the ledger of an account, the oldest document first: invoices, credit notes, payments and their reversals, use of credit, refunds and write-offs. The fee of a
 * case that ended before these had credit notes is reversed by its cancellation, and its payments become credit.
 */
export const ledgerOf = (read: Pick<Read, 'rows'>, accountName: string): Promise<LedgerEntry[]> =>
  read.rows(journalWhere(sql`account_name = ${accountName}`));

/** Returns the ledger of all accounts between two days, both included, in the same order. */
export const journalOf = (read: Pick<Read, 'rows'>, { from, to }: { from: string; to: string }): Promise<JournalEntry[]> =>
  read.rows(journalWhere(sql`entry.day between ${from}::date and ${to}::date`));

/** Returns the same in portions, for many entries. */
export const streamJournal = (
  read: Pick<Read, 'stream'>,
  { from, to }: { from: string; to: string },
  portion: number,
): AsyncGenerator<JournalEntry[], void, void> => read.stream(journalWhere(sql`entry.day between ${from}::date and ${to}::date`), portion);

/** An account of the ledger between two days: what it held before them, and what rose and fell in it, as decimal text. */
export type LedgerSums = { account: (typeof ledgerAccounts)[number]; before: string; debit: string; credit: string };

/** SQL: what a column of `entry` comes to before some days, and what rose and fell in them, as decimal text. */
const sumsOf = (
  amount: RawBuilder<unknown>,
  from: string,
) => sql`array[coalesce(sum(${amount}) filter (where day < ${from}::date), 0)::numeric(14, 2)::text,
  coalesce(sum(${amount}) filter (where day >= ${from}::date and ${amount} > 0), 0)::numeric(14, 2)::text,
  coalesce(-sum(${amount}) filter (where day >= ${from}::date and ${amount} < 0), 0)::numeric(14, 2)::text]`;

/** Returns the sums of each account of the ledger over all members between two days, both included; zero of an account that was never used. */
export async function ledgerSums(read: Pick<Read, 'rows'>, { from, to }: { from: string; to: string }): Promise<LedgerSums[]> {
  // One pass over years of documents: a row for each account of each would be six times as many.
  const [row] = await read.rows<Record<LedgerSums['account'], [before: string, debit: string, credit: string]>>(sql`${allEntries}
    select ${sumsOf(sql`receivable`, from)} as receivable, ${sumsOf(sql`credit`, from)} as credit, ${sumsOf(sql`bank`, from)} as bank,
      ${sumsOf(sql`revenue`, from)} as revenue, ${sumsOf(sql`tax`, from)} as tax, ${sumsOf(sql`bad_debt`, from)} as bad_debt
    from entry where day <= ${to}::date`);
  return ledgerAccounts.map(account => {
    const [before, debit, credit] = row![account];
    return { account, before, debit, credit };
  });
}

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
