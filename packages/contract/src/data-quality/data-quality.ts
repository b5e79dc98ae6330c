import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { findingKeys, findingSorts, livingStates, personalFindings, plainFindings } from './findings.ts';

const FindingName = z.enum(findingKeys);

/** A row of a finding: something about an account that has to be put right. */
export const FindingRow = z.object({
  /** Null where no single account holds it. */
  accountName: z.nullable(z.string()),
  orgName: z.nullable(z.string()),
  economy: z.nullable(z.string()),
  accountStatus: z.nullable(z.string()),
  /** The object, person or invoice, and what is wrong with it. */
  subject: z.string(),
  detail: z.string(),
  since: z.nullable(z.iso.datetime()),
});
export type FindingRow = z.infer<typeof FindingRow>;

const FindingCard = z.object({
  finding: FindingName,
  /** Rows and accounts now; null for a kept finding before it was first looked for. */
  rows: z.nullable(z.int()),
  accounts: z.nullable(z.int()),
  /** Rows a week ago, or on the first day after that was counted; null where nothing older than a day is known. */
  before: z.nullable(z.object({ rows: z.int(), on: z.iso.date() })),
  /** The latest campaign. */
  campaign: z.nullable(z.object({ startedAt: z.iso.datetime(), people: z.int(), cured: z.nullable(z.int()) })),
});
export type FindingCard = z.infer<typeof FindingCard>;

const filters = {
  /** A part of the account’s name, the organisation’s, or what the row is about. */
  q: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
  economy: z.optional(z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'Enter a two-letter economy code, such as AU' }))),
  state: z.optional(z.enum(livingStates)),
  sort: z._default(z.enum(findingSorts), 'since'),
};
const byQuery = {
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
};
const byBody = {
  offset: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 0),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 20),
};

const FindingList = z.object({
  total: z.int(),
  rows: z.array(FindingRow),
  /** Economies of the rows before any filter, for the choice. */
  economies: z.array(z.string()),
  /** When it was looked for; null for what is found now. */
  asOf: z.nullable(z.iso.datetime()),
});
export type FindingList = z.infer<typeof FindingList>;

/** Findings about the registry’s data and members’ duties, for registry staff. */
export const dataQuality = group('dataQuality', {
  getDataQuality: endpoint({
    method: 'GET',
    path: '/api/staff/data-quality',
    summary: 'Each finding of data quality with its numbers, those of a week ago, and its latest campaign.',
    access: staff('accounts'),
    answer: z.object({
      findings: z.array(FindingCard),
      /** Accounts that are neither closed nor applicants: of these a share is taken. */
      accounts: z.int(),
      /** When kept findings were last looked for; null before the first time. */
      keptAt: z.nullable(z.iso.datetime()),
    }),
  }),
  listFinding: endpoint({
    method: 'GET',
    path: '/api/staff/data-quality/findings/:finding',
    summary: 'The rows of a finding that names no people.',
    access: staff('accounts'),
    query: z.object({ ...filters, ...byQuery }),
    answer: FindingList,
    errors: ['NOT_FOUND'],
  }),
  exportFinding: endpoint({
    method: 'GET',
    path: '/api/staff/data-quality/findings/:finding/rows.csv',
    summary: 'All rows of a finding that names no people, as CSV.',
    access: staff('accounts'),
    query: z.object(filters),
    answer: 'download',
    errors: ['NOT_FOUND'],
  }),
  listPersonalFinding: endpoint({
    method: 'POST',
    path: '/api/staff/data-quality/people',
    summary: 'The people of a finding. Each look is logged as access to personal data.',
    access: staff(['private-data', 'audit']),
    effect: 'reading',
    body: z.object({ finding: z.enum(personalFindings), ...filters, ...byBody }),
    answer: FindingList,
    activity: 'Read contacts of a data quality finding',
  }),
  exportPersonalFinding: endpoint({
    method: 'POST',
    path: '/api/staff/data-quality/people/export',
    summary: 'The people of a finding as the text of a CSV file, at most 20,000. It is logged as access to personal data.',
    access: staff(['private-data', 'audit']),
    effect: 'reading',
    body: z.object({ finding: z.enum(personalFindings), ...filters }),
    answer: z.object({ fileName: z.string(), csv: z.string() }),
    activity: 'Exported contacts of a data quality finding',
  }),
});

/** Whether a name in an address is a finding without people. */
export const isPlainFinding = (name: string): name is (typeof plainFindings)[number] => (plainFindings as readonly string[]).includes(name);
