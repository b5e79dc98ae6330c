import * as z from 'zod/mini';
import { corporate, endpoint, group, signedIn } from '../endpoint.ts';
import { listOffset } from '../whole-numbers.ts';

const version = z.int().check(z.minimum(1), z.maximum(1_000_000));

/** A text that a person is asked to accept. */
export const TextToAccept = z.object({
  text: z.string(),
  version: z.int(),
  title: z.string(),
  /** News of this version, in the registry’s words; may be empty. */
  changes: z.string(),
  body: z.string(),
  validFrom: z.iso.date(),
  /** The version that the person, or one of the accounts, accepted last; null for the first time. */
  before: z.nullable(z.object({ version: z.int(), body: z.string() })),
  /** Whether the person accepts it for themselves. */
  forSelf: z.boolean(),
  /** Accounts for which the person, a corporate contact, accepts it. */
  accounts: z.array(z.string()),
  /** The last day to accept it. */
  dueOn: z.iso.date(),
  /** Changes are refused from now on until it is accepted. */
  isBlocking: z.boolean(),
  /** Changes are refused after the last day. */
  blocks: z.boolean(),
});
export type TextToAccept = z.infer<typeof TextToAccept>;

/** A version of a text that a person accepted. */
export const AcceptedText = z.object({
  text: z.string(),
  version: z.int(),
  title: z.string(),
  /** The account for which the person accepted it; null for themselves. */
  account: z.nullable(z.string()),
  acceptedAt: z.iso.datetime(),
  /** Whether this version is in force now. */
  isInForce: z.boolean(),
});
export type AcceptedText = z.infer<typeof AcceptedText>;

/** Legal texts for the people who are asked. */
export const ownTexts = group('legal.ownTexts', {
  listTextsToAccept: endpoint({
    method: 'GET',
    path: '/api/me/legal-texts',
    summary: 'Legal texts that the signed-in person has still to accept, for themselves or for accounts whose corporate contact they are.',
    access: signedIn,
    answer: z.object({ texts: z.array(TextToAccept), supportEmail: z.string() }),
  }),
  listAcceptedTexts: endpoint({
    method: 'GET',
    path: '/api/me/legal-texts/accepted',
    summary: 'Versions of legal texts that the signed-in person accepted, for themselves or for accounts, the latest first.',
    access: signedIn,
    query: z.object({
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 10),
    }),
    answer: z.object({ rows: z.array(AcceptedText), total: z.int() }),
  }),
  acceptText: endpoint({
    method: 'POST',
    path: '/api/me/legal-texts/:text/accept',
    summary: 'Accept the version of a legal text that is in force, for oneself. It is recorded for good.',
    access: signedIn,
    effect: 'own details',
    body: z.object({ version }),
    errors: ['NOT_FOUND', 'LEGAL_OUTDATED'],
    activity: 'Accepted a legal text',
  }),
  acceptTextForAccount: endpoint({
    method: 'POST',
    path: '/api/:account/legal-texts/:text/accept',
    summary: 'Accept the version of a legal text that is in force, for an account. It is recorded for good.',
    access: corporate,
    effect: 'own details',
    body: z.object({ version }),
    errors: ['NOT_FOUND', 'LEGAL_OUTDATED'],
    activity: 'Accepted a legal text for the account',
  }),
});
