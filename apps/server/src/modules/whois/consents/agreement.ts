import { consentCanWait, missingConsent } from '@portal/contract/whois/consents';
import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import type { Change } from '../../../platform/database/index.ts';
import { identityOf, mayCreate, readUpdate } from '../store/syntax.ts';
import { type Credentials, isError, type WhoisOutcome, type WhoisUpdate } from '../store/update.ts';
import { type ConsentRow, consentOf, keysOf } from './consent-row.ts';

const routeClasses = ['route', 'route6'];

/** Locks and returns the request of another account that waits for one of these maintainers to agree to exactly these new routes; null if there is none. */
export async function findConsentFor(
  change: Change,
  accountName: string,
  updates: readonly WhoisUpdate[],
  { maintainers }: Credentials,
): Promise<ConsentRow | null> {
  if (maintainers.size === 0) return null;
  const names = await namesOfNewRoutes(updates);
  if (names.length === 0) return null;
  const [found] = await change.rows<{ consentId: number }>(sql`select consent_id::int as consent_id from whois_consent
    where state = 'waiting' and due_at > ${change.now}::timestamptz and account_name <> ${accountName}
      and maintainers && ${[...maintainers]}::text[] and objects @> ${names}::text[] and objects <@ ${names}::text[]
    order by consent_id limit 1 for update`);
  return found ? consentOf(change, found.consentId) : null;
}

/** Names updates by class and key if each of them is a new route; empty otherwise. */
async function namesOfNewRoutes(updates: readonly WhoisUpdate[]): Promise<string[]> {
  const breathe = breathing();
  const names: string[] = [];
  for (const update of updates) {
    const { object, deletes } = readUpdate(update);
    const identity = object && identityOf(object);
    if (!mayCreate(update) || deletes !== null || !identity || !routeClasses.includes(identity.class)) return [];
    names.push(`${identity.class} ${identity.shown}`);
    await breathe();
  }
  return names;
}

/** Describes what a submission lacks: the first error, without the maintainers that could authorise it. */
export const whyOf = (outcomes: readonly WhoisOutcome[]): string =>
  outcomes.flatMap(({ problems }) => problems.filter(isError))[0]!.message.replace(/, which you can’t use$/, '');

/**
 * Returns whether a submission lacks nothing but the requested consent. Numbers may have moved since: consent to routes from an AS number is no
 * consent about addresses that its holder holds by now.
 */
export function lacksAsAsked(outcomes: readonly WhoisOutcome[], { maintainers, why }: Pick<ConsentRow, 'maintainers' | 'why'>): boolean {
  if (outcomes.every(({ state }) => state !== 'failed')) return true;
  const names = missingConsent(outcomes);
  return names !== null && keysOf(names).toSorted().join() === keysOf(maintainers).toSorted().join() && whyOf(outcomes) === why;
}

/** Returns whether the requester's consent is the only thing missing for the submission. */
export function lacksConsentOnly(outcomes: readonly WhoisOutcome[]): boolean {
  const missing = outcomes.flatMap(({ problems }) => problems.filter(isError));
  // mnt-by may name the requester's maintainer if the waiting text is sent unchanged.
  return missing.length > 0 && missing.every(({ code }) => consentCanWait(code) || code === 'not-authorised');
}

/** Returns the outcome of a route that waited for this sender, with a note that says so. */
export const withWaitingNote = (outcome: WhoisOutcome, { accountName }: ConsentRow): WhoisOutcome => ({
  ...outcome,
  problems: [
    ...outcome.problems,
    {
      severity: 'info',
      code: 'waited-for-you',
      attribute: null,
      line: null,
      message: `${accountName} requested this route and your consent. It’s saved as requested`,
    },
  ],
});
