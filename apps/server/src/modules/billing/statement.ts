import type { Download, QueryOf } from '@portal/contract';
import type { billing } from '@portal/contract/billing/billing';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuseField } from '../../platform/failure.ts';
import { tableFile } from '../../platform/table-file.ts';
import { type Cents, cents, printCents } from './money.ts';

/** Columns of a statement; amounts are decimal numbers in `currency`. A positive balance is owed by the member, a negative one is its credit. */
const columns = ['day', 'document', 'description', 'currency', 'charged', 'received', 'balance'] as const;
type Line = Record<(typeof columns)[number], string>;
type Entry = Omit<Line, 'balance' | 'charged' | 'received'> & { amount: string };

/**
 * The statement of an account between two days, both in it: what was charged, cancelled and received, with the balance after each line, and the balance brought
 * forward as the first one. Use of credit moves nothing: it was received before. @throws Failure INVALID_REQUEST when it ends before it begins
 */
export async function exportStatement(
  read: Read,
  accountName: string,
  { from, to, format }: QueryOf<typeof billing.exportStatement>,
  currency: string,
): Promise<Download> {
  if (from !== undefined && to !== undefined && to < from) throw refuseField('to', `Choose a date on or after ${from}`);
  const entries = await read.rows<Entry>(sql`
    select day::text, document, description, currency, amount::text from (
      select issued_on as day, 1 as place, number as document, 'Invoice' as description, currency, total as amount, invoice_id as id
        from invoice where account_name = ${accountName}
      union all
      select (cancelled_at at time zone 'UTC')::date, 2, number, 'Cancelled: ' || cancel_reason, currency, -total, invoice_id
        from invoice where account_name = ${accountName} and state = 'CANCELLED'
      union all
      select p.received_on, 3, i.number, 'Payment, ' || p.reference, i.currency, -p.amount, p.payment_id
        from payment p join invoice i using (invoice_id) where p.account_name = ${accountName} and p.method = 'bank transfer') each
    order by day, place, id`);
  return tableFile(`statement-${accountName}`, format, columns, batches(linesOf(entries, { from, to, currency })));
}

function linesOf(
  entries: readonly Entry[],
  { from, to, currency }: { from: string | undefined; to: string | undefined; currency: string },
): Line[] {
  let balance: Cents = 0n;
  const lines: Line[] = [];
  for (const { day, document, description, currency: of, amount } of entries) {
    if (to !== undefined && day > to) break;
    const value = cents(amount);
    if (from !== undefined && lines.length === 0 && day >= from) lines.push(forward(from, balance, currency));
    balance += value;
    if (from !== undefined && day < from) continue;
    lines.push({
      day,
      document,
      description,
      currency: of,
      charged: value > 0n || description.startsWith('Cancelled') ? printCents(value) : '',
      received: value < 0n && !description.startsWith('Cancelled') ? printCents(-value) : '',
      balance: printCents(balance),
    });
  }
  if (from !== undefined && lines.length === 0) lines.push(forward(from, balance, currency));
  return lines;
}

const forward = (day: string, balance: Cents, currency: string): Line => ({
  day,
  document: '',
  description: 'Balance brought forward',
  currency,
  charged: '',
  received: '',
  balance: printCents(balance),
});

async function* batches(lines: Line[]): AsyncGenerator<Line[]> {
  yield lines;
}
