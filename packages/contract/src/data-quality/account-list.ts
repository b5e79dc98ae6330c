import * as z from 'zod/mini';
import { accountStatuses, accountTypes } from '../accounts/accounts.ts';
import { plainFindings } from './findings.ts';
import { endpoint, group, staff } from '../endpoint.ts';

/** Balances of an account: something unpaid, something past its due day, or nothing. */
export const accountBalances = ['unpaid', 'overdue', 'settled'] as const;
/** A finding of data quality that the account has, any of them, or none. Findings about people are left to their own pages, where each look is logged. */
export const accountHealths = ['any', 'none', ...plainFindings] as const;
/** Columns that the list can be sorted by; `-` turns the order around. */
export const accountSorts = [
  'account',
  '-account',
  'organisation',
  '-organisation',
  'since',
  '-since',
  'term',
  '-term',
  'owed',
  '-owed',
] as const;
export type AccountSort = (typeof accountSorts)[number];

const Sum = z.object({ currency: z.string(), amount: z.string() });

/** An account as the list of registry staff shows it. */
export const ListedAccount = z.object({
  accountName: z.string(),
  orgName: z.string(),
  economy: z.nullable(z.string()),
  accountType: z.enum(accountTypes),
  accountStatus: z.enum(accountStatuses),
  memberSince: z.nullable(z.iso.date()),
  /** The last day of the term. */
  expiryDate: z.nullable(z.iso.date()),
  /** Unpaid sums by currency; null for those who may not see the books. */
  owed: z.nullable(z.array(Sum)),
  overdue: z.nullable(z.boolean()),
  /** Risk marks that registry staff set and that are in force; 0 of an account of the reader's own. */
  marks: z.int(),
});
export type ListedAccount = z.infer<typeof ListedAccount>;

const filters = {
  /** A part of the account’s name or of the organisation’s, or the beginning of an economy’s name. */
  q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  economy: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter economy code, such as AU' }))),
  kind: z.optional(z.enum(accountTypes)),
  state: z.optional(z.enum(accountStatuses)),
  balance: z.optional(z.enum(accountBalances)),
  health: z.optional(z.enum(accountHealths)),
  /** Only accounts with risk marks that registry staff set. */
  marked: z.optional(z.enum(['yes'])),
  sort: z._default(z.enum(accountSorts), 'account'),
};

/** All accounts of the registry, for registry staff. */
export const accountList = group('dataQuality.accountList', {
  listStaffAccounts: endpoint({
    method: 'GET',
    path: '/api/staff/accounts',
    summary: 'All accounts, closed ones and applicants included, with filters. What an account owes is for those who see the books.',
    access: staff('accounts'),
    query: z.object({
      ...filters,
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 50),
    }),
    answer: z.object({
      rows: z.array(ListedAccount),
      /** Accounts that match, and all there are. */
      total: z.int(),
      all: z.int(),
      /** Unpaid sums of those that match; null for those who may not see the books. */
      owed: z.nullable(z.array(Sum)),
      /** Economies of all accounts with their number, for the choice. */
      economies: z.array(z.object({ economy: z.string(), accounts: z.int() })),
    }),
    errors: ['NO_PERMISSION'],
  }),
  exportStaffAccounts: endpoint({
    method: 'GET',
    path: '/api/staff/accounts.csv',
    summary: 'The accounts that the filters leave, as CSV.',
    access: staff('accounts'),
    query: z.object(filters),
    answer: 'download',
    errors: ['NO_PERMISSION'],
  }),
});
