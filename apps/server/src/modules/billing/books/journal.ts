import { createHash } from 'node:crypto';
import { daysAfter, monthsAfter } from '@portal/contract/days';
import { breathing } from '../../../platform/breathing.ts';
import type { Read } from '../../../platform/database/index.ts';
import { tableFile } from '../../../platform/table-file.ts';
import { type JournalEntry, journalOf, ledgerAccounts, streamJournal } from '../invoices/ledger.ts';

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

/** Entries read, written and hashed before others may have their turn: about a millisecond's. A month of renewals has tens of thousands. */
const PORTION = 200;

/** A reader of entries in portions, or at least of all of them. */
type Reader = Pick<Read, 'stream'> | (Pick<Read, 'rows'> & { stream?: undefined });

async function* entriesOf(read: Reader, days: Days): AsyncGenerator<JournalEntry[], void, void> {
  if (read.stream !== undefined) return yield* streamJournal(read, days, PORTION);
  const entries = await journalOf(read, days);
  for (let at = 0; at < entries.length; at += PORTION) yield entries.slice(at, at + PORTION);
}

/** Returns the journal of a month from the documents as they are, as CSV in portions. @param count gets how many entries each portion has */
export function journalPortions(read: Reader, month: string, count: (entries: number) => void = () => {}): AsyncIterable<string> {
  const batches = async function* (): AsyncGenerator<JournalEntry[]> {
    const breathe = breathing();
    for await (const entries of entriesOf(read, daysOfMonth(month))) {
      count(entries.length);
      yield entries;
      await breathe();
    }
  };
  return tableFile('journal', 'csv', journalColumns, batches()).chunks as AsyncIterable<string>;
}

/** Returns the journal of a month, whole. */
export async function computedJournal(read: Reader, month: string): Promise<Journal> {
  const parts: string[] = [];
  const { entries, sha256 } = await hashJournal(read, month, part => parts.push(part));
  return { entries, text: parts.join(''), sha256 };
}

/** Counts and hashes the journal of a month. @param take gets each portion */
export async function hashJournal(read: Reader, month: string, take: (part: string) => void = () => {}): Promise<Omit<Journal, 'text'>> {
  const hash = createHash('sha256');
  let entries = 0;
  for await (const part of journalPortions(read, month, more => void (entries += more))) {
    hash.update(part);
    take(part);
  }
  return { entries, sha256: hash.digest('hex') };
}
