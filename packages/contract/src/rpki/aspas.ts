import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { roaStates } from './rpki.ts';
import { rowVersion, wholeCount } from '../whole-numbers.ts';

/** Providers that one AS may have here; networks with more tell the registry. */
export const maxProviders = 500;

export const Aspa = z.object({
  aspaId: z.string(),
  /** The AS whose providers these are. */
  customer: z.int(),
  /** Ascending; 0 alone: it has none. */
  providers: z.array(z.int()),
  comment: z.string(),
  /** As of a ROA; `not-held`: the AS number is not certified for the account any more. */
  state: z.enum(roaStates),
  /** Where its signed object is; null until it is published. */
  uri: z.nullable(z.string()),
  expiresAt: z.nullable(z.iso.datetime()),
  /** Counts its changes. */
  version: rowVersion,
  changedAt: z.iso.datetime(),
});
export type Aspa = z.infer<typeof Aspa>;

const AsNumber = oneLine(20).check(z.minLength(1, { error: 'Enter an AS number, such as AS64500' }));
const facts = {
  /** `AS64500`: an AS number of the account. */
  customer: AsNumber,
  /** `AS64501` each; `AS0` alone says that it has no provider. */
  providers: z
    .array(AsNumber)
    .check(
      z.minLength(1, { error: 'Enter at least one provider, or AS0 if the AS has none' }),
      z.maxLength(maxProviders, { error: 'Enter at most 500 providers' }),
    ),
};

/** Networks that route collectors saw as upstreams of an AS. */
const SeenUpstreams = z.object({
  /** When the oldest table was collected; null where no AS paths are known: the registry imported none, or only tables of origins. */
  collectedAt: z.nullable(z.iso.datetime()),
  upstreams: z.array(
    z.object({
      asn: z.int(),
      /** Announcements that go through it, and the most peers of collectors that saw one of them so. */
      announcements: z.int(),
      peers: z.int(),
      /** It is in the list. */
      listed: z.boolean(),
    }),
  ),
  /** Networks that many peers saw and that this list lacks, while the one before had them or there was none: announcements through them become ASPA-invalid. */
  lacking: z.array(z.int()),
  /** Announcements through these: the number to type before it is saved. */
  toConfirm: z.int(),
});
export type SeenUpstreams = z.infer<typeof SeenUpstreams>;

const view = member('rescert-view', { staff: true });
const change = member('roas-update');

export const rpkiAspas = group('rpki.aspas', {
  listAspas: endpoint({
    method: 'GET',
    path: '/api/:account/rpki/aspas',
    publicApi: { path: '/aspas', scope: 'routes:read' },
    summary: 'The provider authorisations (ASPA) of the account, by AS number, and the AS numbers that can have one.',
    access: view,
    answer: z.object({
      rows: z.array(Aspa),
      /** AS numbers and ranges that the account holds. */
      asNumbers: z.array(z.string()),
    }),
  }),
  checkAspa: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/aspas/check',
    publicApi: { path: '/aspas/check', scope: 'routes:write' },
    summary: 'Say what is wrong with a provider authorisation, and which providers it adds and removes. Changes nothing.',
    access: member('roas-update'),
    effect: 'reading',
    body: z.object(facts),
    answer: z.object({
      /** By field: `customer`, `providers.2`. */
      problems: z.array(z.object({ field: z.string(), problem: z.string() })),
      /** Of the present one, 0 without one: what a change is made on. */
      version: rowVersion,
      added: z.array(z.int()),
      removed: z.array(z.int()),
      kept: z.array(z.int()),
      seen: SeenUpstreams,
    }),
    errors: ['RPKI_NOT_ENABLED'],
    activity: 'Checked a provider authorisation',
  }),
  saveAspa: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/aspas',
    publicApi: { path: '/aspas', scope: 'routes:write' },
    summary: 'State the upstream providers of an AS. The next publication, within seconds, has the list in place of the one before.',
    access: change,
    effect: 'routing',
    body: z.object({
      ...facts,
      comment: z._default(oneLine(200), ''),
      /** Of the one that is replaced; 0 for a new one. */ version: rowVersion,
      /** The check’s `seen.toConfirm`, typed by the person: needed as soon as it isn’t 0. */
      invalidating: z.optional(wholeCount),
    }),
    answer: Aspa,
    errors: ['INVALID_REQUEST', 'RPKI_NOT_ENABLED', 'ACCOUNT_SUSPENDED', 'STALE', 'ROUTES_INVALIDATE', 'NOTHING_TO_DO'],
    activity: 'Changed the providers of an AS',
  }),
  removeAspa: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/aspas/:aspaId/removal',
    publicApi: { path: '/aspas/:aspaId/removal', scope: 'routes:write' },
    summary: 'Remove a provider authorisation: paths with this AS are no longer checked against a list of its providers.',
    access: change,
    effect: 'routing',
    body: z.object({ version: rowVersion }),
    errors: ['NOT_FOUND', 'RPKI_NOT_ENABLED', 'STALE', 'RESOURCE_LOCKED'],
    activity: 'Removed the providers of an AS',
  }),
});
