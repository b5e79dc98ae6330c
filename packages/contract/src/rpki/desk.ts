import * as z from 'zod/mini';
import { endpoint, group, staff, largeBody } from '../endpoint.ts';

/** Characters of a response of the offline trust anchor, at most: it holds four small files. */
export const longestTrustAnchorResponse = 200_000;

const Manifest = z.object({ number: z.int(), thisUpdate: z.iso.datetime(), nextUpdate: z.iso.datetime() });

/** Where the key of an authority is: sealed in the database, in a hardware module, or on a machine without a network. */
export const keyPlaces = ['here', 'module', 'offline'] as const;

const RootAuthority = z.object({
  keyIdentifier: z.string(),
  keyPlace: z.enum(keyPlaces),
  /** Null until the certificate is made. */
  certificate: z.nullable(z.object({ notBefore: z.iso.datetime(), notAfter: z.iso.datetime(), resources: z.array(z.string()) })),
  manifest: z.nullable(Manifest),
});
export type RootAuthority = z.infer<typeof RootAuthority>;

/** Reasons why relying parties don’t find what they should, or soon won’t. Those of the role publisher make /readyz?role=publisher answer 503. */
export const RpkiAlarm = z.discriminatedUnion('kind', [
  /** Files that begin later than in five minutes, which validators refuse until then: a clock was wrong when they were made. */
  z.object({ kind: z.literal('dated-in-the-future'), count: z.int(), latest: z.iso.datetime() }),
  /** Manifests made here whose renewal is hours overdue. */
  z.object({ kind: z.literal('manifests-end'), count: z.int(), soonest: z.iso.datetime() }),
  /** The manifest that the offline trust anchor signed. */
  z.object({ kind: z.literal('trust-anchor-ends'), soonest: z.iso.datetime() }),
  /** The trust anchor's certificate or the registry's own. */
  z.object({ kind: z.literal('certificate-ends'), soonest: z.iso.datetime() }),
  z.object({ kind: z.literal('publishing-fails'), since: z.iso.datetime(), failure: z.string() }),
  /** Accounts whose changes have waited for more than ten minutes. */
  z.object({ kind: z.literal('changes-wait'), accounts: z.int(), since: z.iso.datetime() }),
]);
export type RpkiAlarm = z.infer<typeof RpkiAlarm>;

export const objectKinds = ['certificate', 'crl', 'manifest', 'roa', 'aspa', 'delegated'] as const;

export const RpkiOverview = z.object({
  alarms: z.array(RpkiAlarm),
  trustAnchor: z.object({
    /** The setting RPKI_TRUST_ANCHOR. */
    setting: z.enum(['online', 'offline']),
    /** Null until it is made, or has signed for the first time. */
    authority: z.nullable(RootAuthority),
    /** A request was made and its response has not been imported. */
    responseAwaitedSince: z.nullable(z.iso.datetime()),
    /** Address of the trust anchor locator (TAL); null before the first publication. */
    locator: z.nullable(z.string()),
    /** The same of the trust anchor for space without a holder. */
    as0Locator: z.nullable(z.string()),
  }),
  registry: z.nullable(RootAuthority),
  publication: z.object({
    /** Null before the first publication. */
    session: z.nullable(
      z.object({ sessionId: z.string(), begunAt: z.iso.datetime(), reason: z.string(), serial: z.int(), publishedAt: z.iso.datetime() }),
    ),
    /** Null where relying parties can only use rsync. */
    notification: z.nullable(z.string()),
    rsync: z.string(),
    /** The tree that rsync serves; null before the first one, or where the publisher has said nothing yet. */
    tree: z.nullable(z.object({ serial: z.int(), isPresent: z.boolean() })),
    /** Published files by kind, those without any left out. */
    objects: z.array(z.object({ kind: z.enum(objectKinds), count: z.int() })),
    /** Manifests, each with its CRL; `next` is the one that ends first. */
    manifests: z.object({
      count: z.int(),
      next: z.nullable(
        z.object({
          of: z.enum(['trust-anchor', 'registry', 'member', 'as0', 'identity']),
          accountName: z.nullable(z.string()),
          nextUpdate: z.iso.datetime(),
        }),
      ),
    }),
    /** Accounts whose changes wait for the next publication. */
    waiting: z.object({ accounts: z.int(), since: z.nullable(z.iso.datetime()), messages: z.int() }),
    /** When the publisher last finished a round without an error, and why its last one failed; null where it never ran. */
    publisher: z.nullable(
      z.object({ succeededAt: z.nullable(z.iso.datetime()), failedAt: z.nullable(z.iso.datetime()), failure: z.nullable(z.string()) }),
    ),
  }),
  /** One-time keys made ahead, and how many are worth having. */
  keys: z.object({ ready: z.int(), wanted: z.int() }),
  members: z.object({
    hosted: z.int(),
    selfHosted: z.int(),
    suspended: z.int(),
    /** Of the hosted ones. */
    rollover: z.int(),
    attention: z.int(),
  }),
});
export type RpkiOverview = z.infer<typeof RpkiOverview>;

/** Why a member's authority needs attention, the most urgent first. */
export const authorityProblems = [
  'manifest-ended',
  'manifest-late',
  'certificate-ends',
  'not-published',
  'refused-files',
  'not-in-rsync',
  'files-end',
  'silent',
  'never-asked',
  'rollover-waits',
  'withdrawn-soon',
] as const;
export type AuthorityProblem = (typeof authorityProblems)[number];

export const TroubledAuthority = z.object({
  accountName: z.string(),
  orgName: z.string(),
  mode: z.enum(['hosted', 'self-hosted']),
  problem: z.enum(authorityProblems),
  /** When it began or, of what ends, when that is. */
  at: z.iso.datetime(),
  /** Refusals of relying parties about what it publishes here. */
  refusals: z.array(z.string()),
});
export type TroubledAuthority = z.infer<typeof TroubledAuthority>;

export const rpkiDesk = group('rpki.desk', {
  getOverview: endpoint({
    method: 'GET',
    path: '/api/staff/rpki',
    summary: 'How the registry’s RPKI is: trust anchor, certificate authorities, the last publication, one-time keys, and what is wrong.',
    access: staff('rpki'),
    answer: RpkiOverview,
  }),
  listTroubled: endpoint({
    method: 'GET',
    path: '/api/staff/rpki/authorities',
    summary: 'Certificate authorities of members that need attention, the most urgent first.',
    access: staff('rpki'),
    query: z.object({
      problem: z.optional(z.enum(authorityProblems)),
      offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({
      total: z.int(),
      rows: z.array(TroubledAuthority),
      /** By problem, whatever is asked for. */
      counts: z.array(z.object({ problem: z.enum(authorityProblems), count: z.int() })),
    }),
  }),
  requestSignature: endpoint({
    method: 'POST',
    path: '/api/staff/rpki/trust-anchor/request',
    summary: 'Make the request file for the offline trust anchor. The first one is made at the command line, with the registry’s key.',
    access: staff('rpki'),
    effect: 'routing',
    answer: z.object({ fileName: z.string(), content: z.string() }),
    errors: ['TRUST_ANCHOR_ONLINE', 'TRUST_ANCHOR_NOT_SET_UP'],
    activity: 'Made a request file for the offline trust anchor',
  }),
  importSignature: endpoint({
    method: 'POST',
    path: '/api/staff/rpki/trust-anchor/response',
    summary:
      'Publish what the offline trust anchor signed, after judging it as a relying party does. The first response is imported at the command line: it decides which key relying parties trust.',
    access: staff('rpki'),
    effect: 'routing',
    largestBody: largeBody,
    body: z.object({
      response: z.string().check(
        z.minLength(1, { error: 'Choose the response file' }),
        z.maxLength(longestTrustAnchorResponse, {
          error: 'This is too long for a response file. Choose the file that "registry rpki ta sign" wrote',
        }),
      ),
    }),
    answer: z.object({ serial: z.int(), nextUpdate: z.iso.datetime() }),
    errors: ['INVALID_REQUEST', 'TRUST_ANCHOR_ONLINE', 'TRUST_ANCHOR_NOT_SET_UP'],
    activity: 'Published what the offline trust anchor signed',
  }),
});
