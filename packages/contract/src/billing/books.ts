import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { limitScopes, type LimitScope, type StaffLimit, staffLimitNames } from '../staff-limits.ts';

/** Accounts of the ledger, with their names. */
export const ledgerAccountNames = {
  receivable: 'Receivables',
  credit: 'Member credit',
  bank: 'Bank and card provider',
  revenue: 'Fees',
  tax: 'Tax',
  badDebt: 'Write-offs',
} as const;
export type LedgerAccount = keyof typeof ledgerAccountNames;
const ledgerAccount = z.enum(Object.keys(ledgerAccountNames) as [LedgerAccount, ...LedgerAccount[]]);

/** Conditions of a month before it is closed. */
export const closingChecks = {
  balance: 'Every entry balances',
  numbers: 'Numbers of invoices, credit notes and reversals have no gap',
  transfers: 'Every transfer of the bank is recorded or set aside',
} as const;
export type ClosingCheck = keyof typeof closingChecks;

/** A month, such as `2026-10`. */
const Month = z.string().check(z.regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/, { error: 'Enter a month, such as 2026-10' }));

const BookMonth = z.object({
  month: Month,
  /** Null while it is open. */
  closed: z.nullable(
    z.object({
      closedBy: z.string(),
      confirmedBy: z.string(),
      closedAt: z.iso.datetime(),
      entries: z.int(),
      /** Of the journal, which an auditor gets as the same bytes whenever they ask. */
      sha256: z.string(),
    }),
  ),
});
export type BookMonth = z.infer<typeof BookMonth>;

/** The months of the books, and what one person may still do alone. */
export const Books = z.object({
  today: z.iso.date(),
  currency: z.string(),
  /** The first day that something can be dated on; null while no month is closed. */
  firstOpenDay: z.nullable(z.iso.date()),
  /** The latest month that can be closed now; null where none can. */
  closable: z.nullable(Month),
  /** From the first month with an entry until this one. */
  months: z.array(BookMonth),
  /** The reader's own limits, and those of everyone: decimal amounts, or numbers of days or accounts. */
  limits: z.array(
    z.object({
      name: z.enum(staffLimitNames as [StaffLimit, ...StaffLimit[]]),
      scope: z.enum(Object.keys(limitScopes) as [LimitScope, ...LimitScope[]]),
      days: z.int(),
      recorded: z.string(),
      most: z.string(),
    }),
  ),
});
export type Books = z.infer<typeof Books>;

/** A month by account of the ledger: amounts in the currency of the registry, what rises in the account and what falls. */
export const BookMonthSheet = z.object({
  month: Month,
  entries: z.int(),
  accounts: z.array(z.object({ account: ledgerAccount, before: z.string(), debit: z.string(), credit: z.string(), after: z.string() })),
  checks: z.array(
    z.object({ check: z.enum(Object.keys(closingChecks) as [ClosingCheck, ...ClosingCheck[]]), passed: z.boolean(), says: z.string() }),
  ),
});
export type BookMonthSheet = z.infer<typeof BookMonthSheet>;

export const books = group('billing.books', {
  getBooks: endpoint({
    method: 'GET',
    path: '/api/staff/books',
    summary:
      'The months of the books, which of them are closed, by the same two people and with which hash, and what the reader may still do alone.',
    access: staff(['billing', 'payments', 'write-offs']),
    answer: Books,
  }),
  getBookMonth: endpoint({
    method: 'GET',
    path: '/api/staff/books/:month',
    summary: 'A month of the books by account of the ledger, and what has to be true before it is closed.',
    access: staff(['billing', 'payments', 'write-offs']),
    answer: BookMonthSheet,
    errors: ['NOT_FOUND'],
  }),
  exportJournal: endpoint({
    method: 'GET',
    path: '/api/staff/books/:month/journal',
    summary: 'The journal of a month as CSV: each document as an entry whose sum is zero. Of a closed month, the same bytes every time.',
    access: staff(['billing', 'payments', 'write-offs']),
    answer: 'download',
    errors: ['NOT_FOUND'],
  }),
  closeMonths: endpoint({
    method: 'POST',
    path: '/api/staff/books/closing',
    summary:
      'Close a month, and all open ones before it, with a second person: nothing is dated into them any more, and their journals stay as they are.',
    access: staff('billing'),
    effect: 'money',
    limit: 'two people',
    body: z.object({ until: Month }),
    answer: Books,
    errors: ['MONTH_OPEN'],
    secondPersonWhen: 'books, always',
    activity: 'Closed months of the books',
  }),
});
