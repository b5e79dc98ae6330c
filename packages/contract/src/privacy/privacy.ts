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

/** An obstacle that has to be settled before a person can be erased. */
export const ErasureObstacle = z.object({
  /** The obstacle, such as `There is no other corporate contact of EXAMPLE-AU.` */
  what: z.string(),
  /** The remedy, in a sentence. */
  remedy: z.string(),
  /** The page where that is done; null without one. */
  path: z.nullable(z.string()),
});
export type ErasureObstacle = z.infer<typeof ErasureObstacle>;

/** A consequence of an erasure to be known before: it isn’t in the way. */
export const ErasureWarning = z.object({
  /** The consequence, such as `The API key “Monitoring” of EXAMPLE-AU is revoked with it: programs that use it stop.` */
  what: z.string(),
  /** The page that shows it. */
  path: z.string(),
});
export type ErasureWarning = z.infer<typeof ErasureWarning>;

/** A request to erase a person. */
export const Erasure = z.object({
  erasureId: z.string(),
  /** The user name; a random one once the person is erased. */
  username: z.string(),
  fullName: z.string(),
  state: z.enum(['requested', 'withdrawn', 'refused', 'erased']),
  /** Who of the registry staff filed it; null where the person asked. */
  filedBy: z.nullable(z.string()),
  /** How the person was identified, where staff filed it. */
  reason: z.string(),
  requestedAt: z.iso.datetime(),
  /** From when on two people can carry it out. */
  dueAt: z.iso.datetime(),
  endedAt: z.nullable(z.iso.datetime()),
  endedBy: z.nullable(z.string()),
  /** The second person who carried it out; null where it wasn’t. */
  endedWith: z.nullable(z.string()),
  /** Why it ended so. */
  note: z.string(),
  /** Obstacles of an open request, to be settled before. */
  obstacles: z.array(ErasureObstacle),
  /** Consequences of an open request, the first five of each kind. */
  warnings: z.array(ErasureWarning),
});
export type Erasure = z.infer<typeof Erasure>;

/** The fate of a kind of personal data in an erasure. */
export const ErasedKind = z.object({
  /** The data, as its person would call it. */
  data: z.string(),
  fate: z.enum(['deleted', 'replaced', 'kept']),
  /** Of what is kept: why and until when. */
  until: z.nullable(z.string()),
});
export type ErasedKind = z.infer<typeof ErasedKind>;

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
      /** Legal holds that count now, without those on the reader. */
      holds: z.int(),
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
  listHolds: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/holds/list',
    summary:
      'Legal holds that count now, with the accounts and people they are on and why, without those on the reader. Each look is logged as access to personal data.',
    access: staff([...privacyReaders, 'audit']),
    effect: 'reading',
    answer: z.object({ holds: z.array(LegalHold) }),
    activity: 'Read legal holds',
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
  countErasures: endpoint({
    method: 'GET',
    path: '/api/staff/privacy/erasures',
    summary:
      'How many requests of people to be erased are open and have ended, without whose, and what an erasure does with each kind of data.',
    access: staff(privacyReaders),
    answer: z.object({ open: z.int(), ended: z.int(), kinds: z.array(ErasedKind), waitDays: z.int() }),
  }),
  listErasures: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/erasures/list',
    summary:
      'Requests of people to be erased: those that are open with what has to be settled before, and the newest that ended. Each look is logged as access to personal data.',
    // Names of people are private data: a look is an act, and auditors may look.
    access: staff([...privacyReaders, 'audit']),
    effect: 'reading',
    answer: z.object({ open: z.array(Erasure), ended: z.array(Erasure) }),
    activity: 'Read requests to erase people',
  }),
  fileErasure: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/erasures',
    summary:
      'File a request to erase a person who can’t sign in, once they are identified. Each of their addresses gets a mail; without one that works it is refused. Nothing is erased before the wait is over and two people of the staff agree.',
    access: staff('memberships'),
    effect: 'records',
    body: z.object({ username: z.string().check(z.trim(), z.minLength(1), z.maxLength(64)), reason: oneLine(500, 3) }),
    answer: Erasure,
    errors: ['NOT_FOUND', 'NOTHING_TO_DO', 'ERASURE_OWN', 'ERASURE_UNREACHABLE'],
    activity: 'Filed a request to erase a person',
  }),
  refuseErasure: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/erasures/:erasureId/refuse',
    summary: 'Refuse a request to erase a person. The person gets the reason by mail, and can ask again.',
    access: staff('memberships'),
    effect: 'records',
    body: z.object({ reason: oneLine(500, 3) }),
    errors: ['NOT_FOUND', 'OWN_REQUEST'],
    activity: 'Refused to erase a person',
  }),
  erasePerson: endpoint({
    method: 'POST',
    path: '/api/staff/privacy/erasures/:erasureId/erase',
    summary:
      'Erase a person: their login ends, their data is deleted or names “Erased person”, in the history too. What the law and the records of the registry need is kept. It can’t be undone.',
    access: staff('memberships'),
    effect: 'access',
    secondPersonWhen: 'a person who is erased, always',
    errors: ['NOT_FOUND', 'OWN_REQUEST', 'ERASURE_EARLY', 'ERASURE_BLOCKED', 'ERASURE_UNSEALED'],
    activity: 'Erased a person',
  }),
});
