import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { endpoint, group, largeBody, staff } from '../endpoint.ts';
import { problemOfMarkdown } from '../markdown.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';
import { largestWhole } from '../whole-numbers.ts';

/** Who is asked to accept a text. */
export const askedPeople = {
  logins: 'Everyone with a login',
  corporate: 'Corporate contacts, for their accounts',
  applicants: 'Applicants for membership',
} as const;
export type Asked = keyof typeof askedPeople;
export const askedNames = Object.keys(askedPeople) as [Asked, ...Asked[]];

const LegalVersion = z.object({
  /** Null for a draft. */
  version: z.nullable(z.int()),
  state: z.enum(['draft', 'coming', 'in-force', 'old', 'withdrawn']),
  title: z.string(),
  changes: z.string(),
  asks: z.array(z.enum(askedNames)),
  renews: z.boolean(),
  graceDays: z.int(),
  blocks: z.boolean(),
  validFrom: z.iso.date(),
  reason: z.string(),
  preparedBy: z.string(),
  preparedAt: z.iso.datetime(),
  proposedBy: z.nullable(z.string()),
  confirmedBy: z.nullable(z.string()),
  confirmedAt: z.nullable(z.iso.datetime()),
});
export type LegalVersion = z.infer<typeof LegalVersion>;

/** How many of those who are asked by the version in force accepted it, or one before that is enough. */
const Progress = z.object({ accepted: z.int(), missing: z.int() });

const LegalText = z.object({
  text: z.string(),
  title: z.string(),
  inForce: z.nullable(LegalVersion),
  coming: z.nullable(LegalVersion),
  draft: z.nullable(LegalVersion),
  people: Progress,
  accounts: Progress,
});
export type LegalText = z.infer<typeof LegalText>;

export const LegalTextDetails = z.object({
  ...LegalText.shape,
  today: z.iso.date(),
  /** Grows with each save of the draft; 0 without one. */
  edition: z.int(),
  /** The text of the draft; empty without one. */
  draftBody: z.string(),
  /** The newest version that was confirmed, and its text: what a draft is compared with. */
  latest: z.nullable(z.object({ version: z.int(), title: z.string(), body: z.string() })),
  /** Newest first, without the draft; with how many accepted each. */
  versions: z.array(z.object({ ...LegalVersion.shape, body: z.string(), people: z.int(), accounts: z.int() })),
});
export type LegalTextDetails = z.infer<typeof LegalTextDetails>;

export const Acceptance = z.object({
  kind: z.enum(['person', 'account']),
  /** The person or the account. */
  name: z.string(),
  /** The e-mail address of the person, or the organisation. */
  detail: z.string(),
  /** The version accepted last; null for none. */
  version: z.nullable(z.int()),
  /** Who accepted for the account; empty for a person. */
  by: z.string(),
  at: z.nullable(z.iso.datetime()),
});
export type Acceptance = z.infer<typeof Acceptance>;

/** The name of a text in addresses. */
const Text = z
  .string()
  .check(
    z.trim(),
    z.regex(/^[a-z][a-z0-9-]{1,29}$/, { error: 'Enter 2 to 30 small letters, digits and hyphens, such as terms-of-service' }),
  );

/** A draft as it is written. */
export const LegalDraft = z.object({
  edition: z.int().check(z.minimum(0), z.maximum(largestWhole)),
  title: oneLine(100, 3, 'Enter a title of at least 3 characters'),
  body: severalLines(60_000, 20).check(
    z.superRefine((body, context) => {
      const problem = problemOfMarkdown(body);
      if (problem !== null) context.addIssue({ code: 'custom', message: `In the text, ${problem}` });
    }),
  ),
  changes: severalLines(1000),
  asks: z.array(z.enum(askedNames)).check(z.maxLength(askedNames.length)),
  renews: z.boolean(),
  graceDays: z
    .int({ error: 'Enter a number of days, such as 30' })
    .check(z.minimum(0, { error: 'Enter a number of days, such as 30' }), z.maximum(365, { error: 'Enter at most 365 days' })),
  blocks: z.boolean(),
  validFrom: calendarDay('2028-01-01'),
  reason: oneLine(500, 3, 'Say why in a few words'),
});
export type LegalDraft = z.infer<typeof LegalDraft>;

const filters = {
  state: z._default(z.enum(['missing', 'accepted']), 'missing'),
  /** Part of a name, an address or an organisation. */
  q: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
};

const path = '/api/staff/legal/:text';
const access = staff('policy');
/** Who accepted is private data: a look is an act, and auditors may look. */
const looks = staff(['policy', 'audit']);

/** Legal texts for registry staff. */
export const legal = group('legal', {
  listLegalTexts: endpoint({
    method: 'GET',
    path: '/api/staff/legal',
    summary: 'Legal texts with the version in force, the one to come, the draft, and how many accepted.',
    access,
    answer: z.object({ texts: z.array(LegalText) }),
  }),
  getLegalText: endpoint({
    method: 'GET',
    path,
    summary: 'One legal text with its draft and all its versions.',
    access,
    answer: LegalTextDetails,
    errors: ['NOT_FOUND'],
  }),
  startLegalText: endpoint({
    method: 'POST',
    path: '/api/staff/legal',
    summary: 'Write the draft of a new legal text. Its name stays in its public address.',
    access,
    effect: 'drafts',
    largestBody: largeBody,
    body: z.extend(LegalDraft, { text: Text }),
    answer: LegalTextDetails,
    errors: ['LEGAL_STATE', 'LEGAL_DAY'],
    activity: 'Wrote the draft of a legal text',
  }),
  saveLegalDraft: endpoint({
    method: 'PUT',
    path: `${path}/draft`,
    summary: 'Write the draft of the next version of a legal text, or change it.',
    access,
    effect: 'drafts',
    largestBody: largeBody,
    body: LegalDraft,
    answer: LegalTextDetails,
    errors: ['NOT_FOUND', 'STALE', 'LEGAL_DAY'],
    activity: 'Saved the draft of a legal text',
  }),
  discardLegalDraft: endpoint({
    method: 'DELETE',
    path: `${path}/draft`,
    summary: 'Discard the draft of a legal text. Its versions stay.',
    access,
    effect: 'drafts',
    errors: ['NOT_FOUND', 'LEGAL_STATE'],
    activity: 'Discarded the draft of a legal text',
  }),
  confirmLegalDraft: endpoint({
    method: 'POST',
    path: `${path}/confirm`,
    summary: 'Confirm the draft of a legal text: it is the next version from its day on. A second person approves it.',
    access,
    effect: 'statements',
    body: z.object({ edition: z.int().check(z.minimum(1), z.maximum(largestWhole)) }),
    answer: LegalTextDetails,
    errors: ['NOT_FOUND', 'STALE', 'LEGAL_STATE', 'LEGAL_DAY'],
    secondPersonWhen: 'a version of a legal text, always',
    activity: 'Confirmed a version of a legal text',
  }),
  withdrawLegalVersion: endpoint({
    method: 'POST',
    path: `${path}/withdraw`,
    summary: 'Withdraw the version of a legal text that is to come, before its day. A second person approves it.',
    access,
    effect: 'statements',
    body: z.object({ version: z.int().check(z.minimum(1), z.maximum(largestWhole)) }),
    answer: LegalTextDetails,
    errors: ['NOT_FOUND', 'LEGAL_STATE'],
    secondPersonWhen: 'a version of a legal text, always',
    activity: 'Withdrew a version of a legal text',
  }),
  listAcceptances: endpoint({
    method: 'POST',
    path: `${path}/acceptances`,
    summary: 'Who accepted the version of a legal text that is in force, or hasn’t yet. Each look is logged as access to personal data.',
    access: looks,
    effect: 'reading',
    body: z.object({
      ...filters,
      offset: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 25),
    }),
    answer: z.object({ rows: z.array(Acceptance), total: z.int() }),
    errors: ['NOT_FOUND'],
    activity: 'Read who accepted a legal text',
  }),
  exportAcceptances: endpoint({
    method: 'POST',
    path: `${path}/acceptances/export`,
    summary: 'The same list as the text of a CSV file, at most 20,000 rows. It is logged as access to personal data.',
    access: looks,
    effect: 'reading',
    body: z.object(filters),
    answer: z.object({ fileName: z.string(), csv: z.string() }),
    errors: ['NOT_FOUND'],
    activity: 'Exported who accepted a legal text',
  }),
});
