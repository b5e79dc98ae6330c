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

/** How long what is owed is due, at the end of a month. */
export const receivableAges = {
  'not-due': 'Not due yet',
  'to-30': '1 to 30 days',
  'to-60': '31 to 60 days',
  'to-90': '61 to 90 days',
  older: 'More than 90 days',
} as const;
export type ReceivableAge = keyof typeof receivableAges;
const ages = Object.keys(receivableAges) as [ReceivableAge, ...ReceivableAge[]];
const age = z.enum(ages);

/** Accounts of the general ledger, whose codes the profile has (`accountCodes`). */
export const postingAccountNames = {
  receivable: 'Receivables',
  credit: 'Member credit',
  bank: 'Bank',
  card: 'Card provider',
  deferred: 'Deferred fees',
  membershipFees: 'Membership fees',
  transferFees: 'Transfer fees',
  otherFees: 'Other fees',
  tax: 'Tax to pay',
  badDebt: 'Write-offs',
} as const;
export type PostingAccount = keyof typeof postingAccountNames;

/** Steps against an account that doesn't pay its renewal, in their order. */
export const overdueSteps = ['suspension', 'secondReminder', 'closingWarning', 'closing'] as const;
export type OverdueStep = (typeof overdueSteps)[number];

/** Files of the general ledger: plain, and as each program imports journals. */
export const postingFormats = { csv: 'CSV', odoo: 'Odoo', erpnext: 'ERPNext', xero: 'Xero' } as const;
export type PostingFormat = keyof typeof postingFormats;
const postingFormat = z.enum(Object.keys(postingFormats) as [PostingFormat, ...PostingFormat[]]);

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
  /** `codes`: of the accounts of the general ledger that it comes to there. */
  accounts: z.array(
    z.object({
      account: ledgerAccount,
      codes: z.array(z.string()),
      before: z.string(),
      debit: z.string(),
      credit: z.string(),
      after: z.string(),
    }),
  ),
  /** The invoices of the month, with the numbers of the first and the last one; null while it has none. */
  invoices: z.nullable(z.object({ count: z.int(), first: z.string(), last: z.string() })),
  checks: z.array(
    z.object({ check: z.enum(Object.keys(closingChecks) as [ClosingCheck, ...ClosingCheck[]]), passed: z.boolean(), says: z.string() }),
  ),
});
export type BookMonthSheet = z.infer<typeof BookMonthSheet>;

/** Receivables, deferred fees and tax, at the end of a month or in it. */
export const BookReports = z.object({
  month: Month,
  taxName: z.string(),
  /** Unpaid amounts at its end, by how long they are due. */
  receivables: z.array(z.object({ age, invoices: z.int(), amount: z.string() })),
  /** By policy, what follows when a renewal isn't paid: days after its invoice is due. */
  steps: z.array(z.object({ step: z.enum(overdueSteps), days: z.int() })),
  /** All of it: the balance of the receivables in the ledger. */
  owed: z.string(),
  /** Fees of terms that are not earned yet: before the month, charged and earned in it, and after it; `ahead`: when the rest is earned. */
  deferred: z.object({
    before: z.string(),
    charged: z.string(),
    earned: z.string(),
    after: z.string(),
    ahead: z.array(z.object({ month: Month, amount: z.string() })),
  }),
  /** Charges, less what was credited, by rate such as `0.1000`; null where no tax applies. */
  tax: z.array(z.object({ rate: z.nullable(z.string()), documents: z.int(), net: z.string(), tax: z.string() })),
});
export type BookReports = z.infer<typeof BookReports>;

/** A document behind a number of the books: an entry of the month, or an invoice of which something is owed. */
export const BookDocument = z.object({
  day: z.iso.date(),
  accountName: z.string(),
  document: z.string(),
  description: z.string(),
  amount: z.string(),
});
export type BookDocument = z.infer<typeof BookDocument>;

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
  getBookReports: endpoint({
    method: 'GET',
    path: '/api/staff/books/:month/reports',
    summary: 'What is owed at the end of a month by age, its deferred fees and when they are earned, and its tax by rate.',
    access: staff(['billing', 'payments', 'write-offs']),
    answer: BookReports,
    errors: ['NOT_FOUND'],
  }),
  listBookDocuments: endpoint({
    method: 'GET',
    path: '/api/staff/books/:month/documents',
    summary:
      'The documents behind a number of the books, 100 at a time: of a side of an account, of a rate of tax, or invoices by how long they are due.',
    access: staff(['billing', 'payments', 'write-offs']),
    query: z.object({
      account: z.optional(ledgerAccount),
      side: z.optional(z.enum(['debit', 'credit'])),
      /** `all`: invoices of every age. */
      age: z.optional(z.enum([...ages, 'all'])),
      /** A rate such as `0.1000`, or `none`. */
      rate: z.optional(z.string().check(z.regex(/^(none|[01](\.\d{1,4})?)$/, { error: 'Enter a rate such as 0.1000, or none' }))),
      page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000)), 1),
    }),
    /** `sum` and `count` are of all of them. */
    answer: z.object({ count: z.int(), sum: z.string(), rows: z.array(BookDocument) }),
    errors: ['NOT_FOUND'],
  }),
  exportPostings: endpoint({
    method: 'GET',
    path: '/api/staff/books/:month/postings',
    summary:
      'The general ledger of a month, or until another one, by account code and with deferred fees, as CSV or as an accounting program imports it.',
    access: staff(['billing', 'payments', 'write-offs']),
    query: z.object({ until: z.optional(Month), format: z._default(postingFormat, 'csv') }),
    answer: 'download',
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
