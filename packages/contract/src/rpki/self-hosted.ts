import * as z from 'zod/mini';
import { endpoint, group, member } from '../endpoint.ts';
import { wholeCount } from '../whole-numbers.ts';
import { childLife } from './life.ts';

/** Characters of a set-up file: a handle and one certificate. */
export const longestSetupFile = 20_000;
const SetupFile = z.string().check(z.minLength(1, { error: 'Choose a file' }), z.maxLength(longestSetupFile));

export const SelfHosted = z.object({
  /** Resources that would be, or are, certified. */
  certifiable: z.array(z.string()),
  /** Null where the account runs none. */
  authority: z.nullable(
    z.object({
      /** As it calls itself. */
      handle: z.string(),
      connectedAt: z.iso.datetime(),
      /** `parent_response.xml`; null until the publisher has made the registry's identity, which takes seconds. */
      parentResponse: z.nullable(z.string()),
      /** Keys that are certified. */
      keys: z.array(
        z.object({
          keyIdentifier: z.string(),
          resources: z.array(z.string()),
          notAfter: z.iso.datetime(),
          publishesHere: z.boolean(),
          repositoryUri: z.string(),
          /** When resources that the account no longer holds leave the certificate. */
          shrinksAt: z.nullable(z.iso.datetime()),
        }),
      ),
      /** Its last valid message to the parent. */
      lastAskedAt: z.nullable(z.iso.datetime()),
      /** Null where it does not publish here. */
      publication: z.nullable(
        z.object({
          handle: z.string(),
          directory: z.string(),
          repositoryResponse: z.nullable(z.string()),
          files: z.int(),
          lastPublishedAt: z.nullable(z.iso.datetime()),
          /** Files that validators would refuse, with the reason. */
          problems: z.array(z.string()),
          /** Encodings that validators accept and most programs don't write; nothing has to be done. */
          hints: z.array(z.string()),
          /** When validators will drop what it publishes, unless it publishes again before; null if nothing is valid. */
          endsAt: z.nullable(z.iso.datetime()),
          /** True for a few seconds after it published, while that is checked: problems and payloads are still the old ones. */
          beingChecked: z.boolean(),
        }),
      ),
      /** ROA payloads that validators find in what it publishes here. */
      vrps: z.int(),
      /** ROAs of hosted RPKI that it does not publish here: they would be lost if hosted RPKI were turned off now. */
      hostedAlone: z.object({ count: z.int(), roas: z.array(z.string()) }),
    }),
  ),
});
export type SelfHosted = z.infer<typeof SelfHosted>;

const change = member('rpki-config-update');

export const rpkiSelfHosted = group('rpki.selfHosted', {
  getSelfHosted: endpoint({
    method: 'GET',
    path: '/api/:account/rpki/self-hosted',
    publicApi: { path: '/rpki/self-hosted', scope: 'routes:read' },
    summary: 'The certificate authority that the account runs itself: its set-up, its certificates, and what it publishes here.',
    access: member('rescert-view', { staff: true }),
    answer: SelfHosted,
  }),
  connect: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/self-hosted',
    summary:
      'Connect a certificate authority of your own to the registry with its `child_request.xml` (RFC 8183). Hosted RPKI stays until you turn it off.',
    access: change,
    effect: ['routing', 'keys'],
    body: z.object({ childRequest: SetupFile }),
    answer: SelfHosted,
    errors: ['INVALID_REQUEST', 'ACCOUNT_SUSPENDED', 'SELF_HOSTED_ALREADY', 'RPKI_NO_RESOURCES'],
    activity: 'Connected a self-hosted certificate authority',
  }),
  publishHere: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/self-hosted/publication',
    summary: 'Let the self-hosted certificate authority publish in this repository, with its `publisher_request.xml` (RFC 8183).',
    access: change,
    effect: ['routing', 'keys'],
    body: z.object({ publisherRequest: SetupFile }),
    answer: SelfHosted,
    errors: ['INVALID_REQUEST', 'NOT_SELF_HOSTED'],
    activity: 'Let a self-hosted certificate authority publish here',
  }),
  disconnect: endpoint({
    method: 'POST',
    path: '/api/:account/rpki/self-hosted/removal',
    moves: childLife.remove,
    summary: 'Disconnect the self-hosted certificate authority: its certificates are revoked, and what it publishes here is withdrawn.',
    access: member('rescert-update'),
    effect: ['routing', 'keys'],
    body: z.object({ /** How many ROA payloads that removes, typed by the person. */ removing: wholeCount }),
    answer: SelfHosted,
    errors: ['NOT_SELF_HOSTED', 'ROA_COUNT_WRONG'],
    activity: 'Disconnected a self-hosted certificate authority',
  }),
});
