import { createHash } from 'node:crypto';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import type { Read } from '../../../platform/database/index.ts';
import { tableFile } from '../../../platform/table-file.ts';
import { type JournalEntry, journalOf, ledgerAccounts } from '../invoices/ledger.ts';

/** Columns of a journal. Amounts are decimal numbers in `currency`: what rises in an account is positive, and each line sums up to zero. */
const journalColumns = ['day', 'accountName', 'document', 'description', 'currency', ...ledgerAccounts] as const;

/** The first and the last day of a month. */
export type Days = { from: string; to: string };

/** The first day after a month. */
export const monthAfter = ({ to }: Days): string => daysAfter(to, 1);

/** First and last day of a month such as `2026-10`. */
export const daysOfMonth = (month: string): Days => ({
  from: `${month}-01`,
  to: daysAfter(monthsAfter(`${month}-01`, 1), -1),
});

/** A journal as CSV, the number of its entries, and its SHA-256. */
export type Journal = { entries: number; text: string; sha256: string };

/** Returns the journal of a month from the documents as they are. */
export async function computedJournal(read: Pick<Read, 'rows'>, month: string): Promise<Journal> {
  const rows = await journalOf(read, daysOfMonth(month));
  const batches = async function* (): AsyncGenerator<JournalEntry[]> {
    yield rows;
  };
  const { chunks } = tableFile('journal', 'csv', journalColumns, batches());
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(String(chunk));
  const text = parts.join('');
  return { entries: rows.length, text, sha256: createHash('sha256').update(text).digest('hex') };
}
