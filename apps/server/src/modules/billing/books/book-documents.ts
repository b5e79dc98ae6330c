import type { AnswerOf } from '@portal/contract';
import type { BookDocument, books, LedgerAccount } from '@portal/contract/billing/books';
import { type RawBuilder, sql } from 'kysely';
import { refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { allEntries } from '../invoices/ledger.ts';
import { owedOn } from './book-reports.ts';
import { refuseMonth } from './book-months.ts';
import { daysOfMonth } from './journal.ts';

const PAGE = 100;

/** Columns of the ledger by account. */
const column: Record<LedgerAccount, RawBuilder<unknown>> = {
  receivable: sql`e.receivable`,
  credit: sql`e.credit`,
  bank: sql`e.bank`,
  revenue: sql`e.revenue`,
  tax: sql`e.tax`,
  badDebt: sql`e.bad_debt`,
};

type Asked = Act<typeof books.listBookDocuments>['query'];

/** SQL: all documents of a number, as rows of day, account, document, description and amount. @throws Failure INVALID_REQUEST where it isn't one number */
function documentsOf({ account, side, age, rate }: Asked, { from, to }: { from: string; to: string }): RawBuilder<unknown> {
  if ([account, age, rate].filter(each => each !== undefined).length !== 1)
    throw refuseField('account', 'Choose an account, an age or a rate');
  if (age !== undefined)
    return sql`${owedOn(to)}, found as (select due_on as day, 1 as place, invoice_id as id, account_name, number as document, org_name as description, amount
      from owed where ${age}::text in ('all', age))`;
  const inMonth = sql`e.day between ${from}::date and ${to}::date`;
  if (rate !== undefined)
    return sql`${allEntries}, found as (select e.day, e.place, e.id, e.account_name, e.document, e.description, -e.tax as amount from entry e join invoice i using (invoice_id)
      where ${inMonth} and (e.revenue <> 0 or e.tax <> 0) and i.tax_rate is not distinct from ${rate === 'none' ? null : rate}::numeric)`;
  const of = column[account!];
  const isOf = side === undefined ? sql`${of} <> 0` : side === 'debit' ? sql`${of} > 0` : sql`${of} < 0`;
  return sql`${allEntries}, found as (select e.day, e.place, e.id, e.account_name, e.document, e.description, ${side === 'credit' ? sql`-${of}` : of} as amount
    from entry e where ${inMonth} and ${isOf})`;
}

/** Returns the documents behind a number of the books, the oldest first. @throws Failure NOT_FOUND, INVALID_REQUEST */
export async function listBookDocuments({
  read,
  params: { month },
  query,
  registry: { today },
}: Act<typeof books.listBookDocuments>): Promise<AnswerOf<typeof books.listBookDocuments>> {
  refuseMonth(month, today);
  const found = documentsOf(query, daysOfMonth(month));
  const [[all], rows] = await Promise.all([
    read.rows<{ count: number; sum: string }>(
      sql`${found} select count(*)::int as count, coalesce(sum(amount), 0)::numeric(14, 2)::text as sum from found`,
    ),
    read.rows<BookDocument>(sql`${found} select day::text, account_name, document, description, amount::numeric(14, 2)::text from found
      order by day, place, id limit ${PAGE} offset ${(query.page - 1) * PAGE}`),
  ]);
  return { ...all!, rows };
}
