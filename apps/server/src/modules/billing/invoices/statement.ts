import type { Download } from '@portal/contract';
import type { billing } from '@portal/contract/billing/billing';
import type { Read } from '../../../platform/database/index.ts';
import { refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { tableFile } from '../../../platform/table-file.ts';
import { type LedgerEntry, ledgerOf } from './ledger.ts';
import { type Cents, cents, printCents } from '../money.ts';

/** Columns of a statement; amounts are decimal numbers in `currency`. A positive balance is owed by the member, a negative one is its credit. */
export const statementColumns = ['day', 'document', 'description', 'currency', 'charged', 'received', 'balance'] as const;
export type StatementLine = Record<(typeof statementColumns)[number], string>;
type Entry = Pick<LedgerEntry, 'day' | 'document' | 'description' | 'currency' | 'cancels'> & { value: Cents };

/** First and last day of a statement, both included. */
export type StatementTime = { from?: string | undefined; to?: string | undefined };

/** @throws Failure INVALID_REQUEST for a period that ends before it begins */
export function refuseTime({ from, to }: StatementTime): void {
  if (from !== undefined && to !== undefined && to < from) throw refuseField('to', `Choose a date on or after ${from}`);
}

/**
 * Returns the statement of an account between two days: what was charged, credited, received, refunded (as a negative receipt) and written off, with
 * the balance after each line,
 * and the balance brought forward as the first one. Using credit changes no balance: the money was received before. @throws Failure INVALID_REQUEST when it ends
 * before it begins
 */
export async function statementLines(
  read: Read,
  accountName: string,
  { from, to }: StatementTime,
  currency: string,
): Promise<StatementLine[]> {
  refuseTime({ from, to });
  const entries = (await ledgerOf(read, accountName)).flatMap(({ receivable, credit, ...entry }) => {
    const value = cents(receivable) + cents(credit);
    return value === 0n ? [] : [{ ...entry, value }];
  });
  return linesOf(entries, { from, to, currency });
}

/** The statement of an account as a table. @throws Failure INVALID_REQUEST when it ends before it begins */
export async function exportStatement({
  read,
  account: { accountName },
  query: { from, to, format },
  registry: {
    profile: { currency },
  },
}: Act<typeof billing.exportStatement>): Promise<Download> {
  const lines = await statementLines(read, accountName, { from, to }, currency);
  return tableFile(`statement-${accountName}`, format, statementColumns, batches(lines));
}

function linesOf(
  entries: readonly Entry[],
  { from, to, currency }: { from: string | undefined; to: string | undefined; currency: string },
): StatementLine[] {
  let balance: Cents = 0n;
  const lines: StatementLine[] = [];
  for (const { day, document, description, currency: of, cancels, value } of entries) {
    if (to !== undefined && day > to) break;
    if (from !== undefined && lines.length === 0 && day >= from) lines.push(forward(from, balance, currency));
    balance += value;
    if (from !== undefined && day < from) continue;
    lines.push({
      day,
      document,
      description,
      currency: of,
      charged: (value > 0n && document !== '') || cancels ? printCents(value) : '',
      received: (value < 0n && !cancels) || document === '' ? printCents(-value) : '',
      balance: printCents(balance),
    });
  }
  if (from !== undefined && lines.length === 0) lines.push(forward(from, balance, currency));
  return lines;
}

const forward = (day: string, balance: Cents, currency: string): StatementLine => ({
  day,
  document: '',
  description: 'Balance brought forward',
  currency,
  charged: '',
  received: '',
  balance: printCents(balance),
});

async function* batches(lines: StatementLine[]): AsyncGenerator<StatementLine[]> {
  yield lines;
}
