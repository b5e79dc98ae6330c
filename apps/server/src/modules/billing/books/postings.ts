import type { AnswerOf, Download } from '@portal/contract';
import { type books, postingAccountNames, type PostingAccount, type PostingFormat } from '@portal/contract/billing/books';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { tableFile } from '../../../platform/table-file.ts';
import type { Profile } from '../../../profile.ts';
import { allEntries } from '../invoices/ledger.ts';
import { cents, printCents } from '../money.ts';
import { deferredOf } from './book-reports.ts';
import { monthsFrom, refuseMonth } from './book-months.ts';
import { type Days, daysOfMonth } from './journal.ts';

/** A line of an entry in the general ledger: positive in debit, negative in credit. The lines of a document come to zero. */
export type Posting = {
  /** Tells the entries of a day apart. */
  entry: string;
  day: string;
  document: string;
  account: PostingAccount;
  /** Empty for what is of all members together. */
  accountName: string;
  description: string;
  currency: string;
  amount: string;
};

/** Most months of a file. */
const MAX_MONTHS = 24;

/**
 * Returns the entries of the general ledger of a month: those of each document, in the order of the journal, and at its end the fees that it earned. Fees of a term are
 * deferred when they are charged; others are earned then.
 */
export async function postingsOf(read: Pick<Read, 'rows'>, month: string, currency: string): Promise<Posting[]> {
  const { from, to }: Days = daysOfMonth(month);
  const documents = await read.rows<Posting>(sql`${allEntries}
    select e.place || '-' || e.id as entry, e.day::text as day, coalesce(nullif(e.document, ''), e.description) as document, side.account, e.account_name, e.description, e.currency,
      side.amount::numeric(14, 2)::text as amount
    from entry e left join invoice i using (invoice_id)
      cross join lateral (values (1, 'receivable', receivable), (2, 'credit', credit), (3, case when by_card then 'card' else 'bank' end, bank),
        (4, case when i.kind in ('renewal', 'sign-up') then 'deferred' when i.kind = 'transfer' then 'transferFees' else 'otherFees' end, revenue),
        (5, 'tax', e.tax), (6, 'badDebt', bad_debt)) side (sequence, account, amount)
    where e.day between ${from}::date and ${to}::date and side.amount <> 0 order by e.day, e.place, e.id, side.sequence`);
  const { earned } = await deferredOf(read, { from, to });
  if (cents(earned) === 0n) return documents;
  const release = {
    entry: 'earned',
    day: to,
    document: `EARNED-${month}`,
    accountName: '',
    description: `Fees earned in ${month}`,
    currency,
  };
  return [
    ...documents,
    { ...release, account: 'deferred', amount: earned },
    { ...release, account: 'membershipFees', amount: printCents(-cents(earned)) },
  ];
}

const debitOf = (amount: string): string => (amount.startsWith('-') ? '' : amount);
const creditOf = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : '');
type Cells = Record<string, string>;
type Codes = Profile['accountCodes'];
type Written = { columns: readonly string[]; rows: (postings: readonly Posting[], codes: Codes) => Cells[] };

/** Rows of which the first of each entry names it; the others are its further lines. */
const nested = (postings: readonly Posting[], head: (posting: Posting) => Cells, line: (posting: Posting) => Cells): Cells[] =>
  postings.map((posting, place) => {
    const before = postings[place - 1];
    const isFirst = before?.entry !== posting.entry;
    const names = head(posting);
    return { ...(isFirst ? names : Object.fromEntries(Object.keys(names).map(name => [name, '']))), ...line(posting) };
  });

const erpNextLine = (name: string): string => `${name} (Accounting Entries)`;

/**
 * How each program takes a journal: Odoo the fields of `account.move`, ERPNext the columns of its data import, Xero those of its template for manual journals, of which a
 * file has at most 300 lines: there a month is one entry.
 */
const formats: Record<PostingFormat, Written> = {
  csv: {
    columns: ['day', 'document', 'accountCode', 'account', 'accountName', 'description', 'currency', 'debit', 'credit'],
    rows: (postings, codes) =>
      postings.map(({ day, document, account, accountName, description, currency, amount }) => ({
        day,
        document,
        accountCode: codes[account],
        account: postingAccountNames[account],
        accountName,
        description,
        currency,
        debit: debitOf(amount),
        credit: creditOf(amount),
      })),
  },
  odoo: {
    columns: ['date', 'ref', 'line_ids/account_id', 'line_ids/name', 'line_ids/debit', 'line_ids/credit'],
    rows: (postings, codes) =>
      nested(
        postings,
        ({ day, document }) => ({ date: day, ref: document }),
        ({ account, accountName, description, amount }) => ({
          'line_ids/account_id': codes[account],
          'line_ids/name': accountName === '' ? description : `${accountName}: ${description}`,
          'line_ids/debit': debitOf(amount) || '0.00',
          'line_ids/credit': creditOf(amount) || '0.00',
        }),
      ),
  },
  erpnext: {
    columns: [
      'Entry Type',
      'Posting Date',
      'User Remark',
      ...['Account', 'Party Type', 'Party', 'Debit', 'Credit', 'User Remark'].map(erpNextLine),
    ],
    rows: (postings, codes) =>
      nested(
        postings,
        ({ day, document }) => ({ 'Entry Type': 'Journal Entry', 'Posting Date': day, 'User Remark': document }),
        ({ account, accountName, description, amount }) => ({
          [erpNextLine('Account')]: codes[account],
          // Entries of receivables name a customer there.
          [erpNextLine('Party Type')]: account === 'receivable' ? 'Customer' : '',
          [erpNextLine('Party')]: account === 'receivable' ? accountName : '',
          [erpNextLine('Debit')]: debitOf(amount) || '0.00',
          [erpNextLine('Credit')]: creditOf(amount) || '0.00',
          [erpNextLine('User Remark')]: description,
        }),
      ),
  },
  xero: {
    columns: ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
    rows: (postings, codes) => {
      const sums = new Map<string, { month: string; account: PostingAccount; amount: bigint; isDebit: boolean }>();
      for (const { day, account, amount } of postings) {
        const [month, isDebit] = [day.slice(0, 7), !amount.startsWith('-')];
        const key = `${month} ${account} ${isDebit}`;
        const sum = sums.get(key) ?? { month, account, amount: 0n, isDebit };
        sums.set(key, { ...sum, amount: sum.amount + cents(amount) });
      }
      return [...sums.values()]
        .sort((a, b) => (a.month < b.month ? -1 : a.month > b.month ? 1 : 0))
        .map(({ month, account, amount }) => ({
          '*Narration': `Registry ${month}`,
          '*Date': daysOfMonth(month).to.split('-').reverse().join('/'),
          Description: postingAccountNames[account],
          '*AccountCode': codes[account],
          '*TaxRate': codes.xeroTaxRate,
          '*Amount': printCents(amount),
        }));
    },
  },
};

/** Returns the general ledger's entries of a month, or of several, as an accounting program reads them. @throws Failure NOT_FOUND, INVALID_REQUEST */
export async function exportPostings({
  read,
  params: { month },
  query: { until = month, format },
  registry: { today, profile },
}: Act<typeof books.exportPostings>): Promise<AnswerOf<typeof books.exportPostings>> {
  refuseMonth(month, today);
  refuseMonth(until, today);
  const months = monthsFrom(month, until);
  if (months.length === 0) throw refuseField('until', `Choose ${month} or a later month`);
  if (months.length > MAX_MONTHS) throw refuseField('until', `Choose at most ${MAX_MONTHS} months`);
  const { columns, rows } = formats[format];
  const batches = async function* (): AsyncGenerator<Cells[]> {
    for (const each of months) yield rows(await postingsOf(read, each, profile.currency), profile.accountCodes);
  };
  const name = `${format === 'csv' ? 'general-ledger' : format}-${month}${until === month ? '' : `-${until}`}`;
  return tableFile(name, 'csv', columns, batches()) satisfies Download;
}
