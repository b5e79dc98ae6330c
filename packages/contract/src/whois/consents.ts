import * as z from 'zod/mini';
import { contact, endpoint, group, largeBody } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { WhoisOutcome } from './whois.ts';

/** Days for which an update waits for another party's consent. */
export const consentDays = 7;

export const consentStates = ['waiting', 'accepted', 'failed', 'refused', 'withdrawn', 'expired'] as const;

/** An update that lacks one consent: of the holder of its addresses, of its AS number, or of the irt it names. */
export const WhoisConsent = z.object({
  consentId: z.int(),
  /** The account that asks, and which contact. */
  accountName: z.string(),
  askedBy: z.string(),
  /** `route 192.0.2.0/24AS64500` */
  objects: z.array(z.string()),
  text: z.string(),
  /** Any one of them can agree. */
  maintainers: z.array(z.string()),
  why: z.string(),
  /** `failed`: consent was given, but the update was then refused for `reason`. */
  state: z.enum(consentStates),
  reason: z.string(),
  askedAt: z.iso.datetime(),
  dueAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
});
export type WhoisConsent = z.infer<typeof WhoisConsent>;

/** Consents that can be waited for; of a route only one of the two at a time (with one side's consent it is half authorised). */
const words = new Set(['prefix-not-authorised', 'origin-not-authorised', 'irt-not-authorised']);

export const consentCanWait = (code: string): boolean => words.has(code);

type CheckedObject = { state: string; problems: readonly { severity: string; code: string; maintainers?: readonly string[] }[] };

/**
 * Returns the maintainers whose consent is the only thing missing in a submission (any one of them suffices). Null if nothing is missing, if it is
 * refused for another reason, or if it needs several consents.
 */
export function missingConsent(outcomes: readonly CheckedObject[]): readonly string[] | null {
  const refusals = outcomes
    .filter(({ state }) => state === 'failed')
    .map(({ problems }) => problems.filter(({ severity }) => severity === 'error'));
  if (refusals.length === 0 || refusals.some(list => list.length !== 1)) return null;
  const all = refusals.flat();
  const [first] = all;
  if (!first || !all.every(({ code }) => consentCanWait(code))) return null;
  const names = (list: readonly string[] = []): string =>
    list
      .map(name => name.toLowerCase())
      .toSorted()
      .join(' ');
  const wanted = names(first.maintainers);
  return wanted !== '' && all.every(({ maintainers }) => names(maintainers) === wanted) ? (first.maintainers ?? null) : null;
}

export const whoisConsents = group('whois.consents', {
  listConsents: endpoint({
    method: 'GET',
    path: '/api/:account/whois/consents',
    summary: 'Updates of whois objects awaiting the approval of this account’s maintainers, and this account’s own that await others.',
    access: contact,
    answer: z.object({ toAnswer: z.array(WhoisConsent), asked: z.array(WhoisConsent) }),
  }),
  askForConsent: endpoint({
    method: 'POST',
    path: '/api/:account/whois/consents',
    summary: `Ask for the one word that an update lacks: it waits ${consentDays} days for it. Nothing waits when something else stands against it.`,
    access: contact,
    effect: 'whois',
    largestBody: largeBody,
    body: z.object({ text: z.string().check(z.minLength(1), z.maxLength(1_000_000)) }),
    answer: z.object({ outcomes: z.array(WhoisOutcome), consent: z.nullable(WhoisConsent) }),
    errors: ['NO_PERMISSION', 'ACCOUNT_SUSPENDED', 'ACCOUNT_RESTRICTED_IRT', 'INVALID_REQUEST', 'NOTHING_TO_DO', 'TOO_MANY_OBJECTS'],
    activity: 'Requested consent to a whois update',
  }),
  answerConsent: endpoint({
    method: 'POST',
    path: '/api/:account/whois/consents/:consentId/answer',
    summary: 'Agree to an update that waits for it, which is then done, or refuse it.',
    access: contact,
    effect: 'whois',
    body: z.object({ agree: z.boolean(), reason: z._default(oneLine(500), '') }),
    answer: z.object({ consent: WhoisConsent, outcomes: z.nullable(z.array(WhoisOutcome)) }),
    errors: ['NOT_FOUND', 'NO_PERMISSION', 'ACCOUNT_SUSPENDED', 'ALREADY_RESOLVED', 'TOO_MANY_OBJECTS'],
    activity: 'Answered a request for consent',
  }),
  withdrawConsent: endpoint({
    method: 'DELETE',
    path: '/api/:account/whois/consents/:consentId',
    summary: 'Wait for consent no more.',
    access: contact,
    effect: 'records',
    answer: WhoisConsent,
    errors: ['NOT_FOUND', 'NO_PERMISSION', 'ACCOUNT_SUSPENDED', 'ALREADY_RESOLVED'],
    activity: 'Withdrew a request for consent',
  }),
});
