import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';

/** Who reads what is kept and for how long; those who decide memberships place holds. */
export const privacyReaders = ['private-data', 'memberships'] as const;

/** A kind of personal data that ends after a time which the registry sets. */
export const EndingKind = z.object({
  kind: z.string(),
  /** The data, as its person would call it. */
  data: z.string(),
  purpose: z.string(),
  months: z.int(),
  /** From when the time runs, such as `after it was written`. */
  from: z.string(),
  /** A shorter period of the profile, and when it begins to count; null without one. */
  shorter: z.nullable(z.object({ months: z.int(), at: z.iso.datetime() })),
  /** Since when runs wait for two people, because a large part of the data would be deleted; null when they don’t. */
  waitsSince: z.nullable(z.iso.datetime()),
  /** Rows whose time is over and which the next run deletes; 1,000 stands for as many or more. */
  over: z.int(),
  /** Rows whose time is over and which a legal hold keeps; 1,000 stands for as many or more. */
  held: z.int(),
  /** When the time of the oldest row that isn’t over ends; null without one. */
  nextOn: z.nullable(z.iso.date()),
  /** Rows that ended in the last 30 days. */
  ended: z.int(),
});
export type EndingKind = z.infer<typeof EndingKind>;

/** Data of an account or a person that isn’t deleted for now. */
export const LegalHold = z.object({
  legalHoldId: z.string(),
  kind: z.enum(['account', 'login']),
  /** The account, or the user name. */
  about: z.string(),
  /** The organisation, or the person. */
  name: z.string(),
  reason: z.string(),
  placedBy: z.string(),
  placedAt: z.iso.datetime(),
});
export type LegalHold = z.infer<typeof LegalHold>;

/** How long personal data is kept, and what may not be deleted for now. */
export const privacy = group('privacy', {
  getRetention: endpoint({
    method: 'GET',
    path: '/api/staff/privacy',
    summary:
      'Each kind of personal data that ends after a time: what the next run deletes, what a legal hold keeps, and what ended lately. Nothing is deleted by reading it.',
    access: staff(privacyReaders),
    answer: z.object({
      kinds: z.array(EndingKind),
      holds: z.array(LegalHold),
      /** When the last run deleted or found nothing; null before the first. */
      lastRunAt: z.nullable(z.iso.datetime()),
      /** Why the last run failed; null when it didn’t. */
      failure: z.nullable(z.string()),
      /** Why nothing is deleted by this clock; null where it is right. */
      clock: z.nullable(z.string()),
      /** The most rows that one run deletes of a kind. */
      perRun: z.int(),
    }),
  }),
  exportRetention: endpoint({
    method: 'GET',
    path: '/api/staff/privacy/kinds.csv',
    summary: 'All kinds of personal data with how long they are kept and why, as CSV: a record of processing.',
    access: staff(privacyReaders),
    answer: 'download',
  }),
  placeHold: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/holds',
    summary:
      'Keep data of an account or a person whose time is over, until two people release it. What members change or remove themselves isn’t held, nor what the portal deletes within a year by itself, such as sessions and messages about listings.',
    access: staff('memberships'),
    effect: 'protection',
    body: z.object({
      kind: z.enum(['account', 'login']),
      about: z.string().check(z.trim(), z.minLength(1), z.maxLength(64)),
      reason: oneLine(500, 3),
    }),
    answer: LegalHold,
    errors: ['NOT_FOUND', 'NOTHING_TO_DO'],
    activity: 'Placed a legal hold',
  }),
  agreeToEnding: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/kinds/:kind/agree',
    summary: 'Let runs delete a large part of a kind of data for 30 days, where they wait for two people.',
    access: staff('memberships'),
    effect: 'records',
    secondPerson: 'always',
    body: z.object({ reason: oneLine(500, 3) }),
    errors: ['NOT_FOUND', 'SECOND_PERSON', 'NO_SECOND_PERSON'],
    activity: 'Agreed to delete a large part of personal data',
  }),
  releaseHold: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/holds/:legalHoldId/release',
    summary: 'Release a legal hold. What is over by then is deleted with the next run.',
    access: staff('memberships'),
    effect: 'records',
    secondPerson: 'always',
    body: z.object({ reason: oneLine(500, 3) }),
    errors: ['NOT_FOUND', 'SECOND_PERSON', 'NO_SECOND_PERSON'],
    activity: 'Released a legal hold',
  }),
});
