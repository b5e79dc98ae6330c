import { type Effect, effectsOf } from '../effects.ts';
import { type Endpoint, isOfAccount } from '../endpoint.ts';

/**
 * The restraint that stops a call: `hold`, a hold and a restriction alike, because it moves holdings; `restrict`, a restriction alone, because it changes what is published over them.
 */
export type StoppedBy = 'hold' | 'restrict';

const published: readonly Effect[] = ['whois', 'routing', 'zones'];

/** Calls that go on though their effect would stop them, and why. */
export const unstopped: Readonly<Record<string, string>> = {
  'resources.locks.addLocks': 'a lock keeps numbers where they are',
  'organisations.closures.withdrawAccountClosure': 'the account stays as it is',
  'rpki.startRollover': 'keys are kept in order, and what is signed stays as it is',
  'rpki.activateKey': 'keys are kept in order, and what is signed stays as it is',
};

/** Calls that stop though their effect doesn’t say so, and why. */
export const alsoStopped: Readonly<Record<string, { by: StoppedBy; because: string }>> = {
  'requests.listings.addListing': { by: 'hold', because: 'it offers numbers that can’t leave' },
  'requests.listings.renewListing': { by: 'hold', because: 'it offers numbers that can’t leave' },
  'organisations.changes.requestOrganisationChange': { by: 'hold', because: 'another legal name is how holdings change hands' },
};

/**
 * Returns the restraint that stops a call of a member, from the effect that its endpoint declares; null for a call that goes on: reading, paying, writing to the registry, contacts, votes, drafts and withdrawals.
 * Calls of registry staff are not stopped here; the cases that they would complete are, and the ledger refuses.
 */
export function stoppedBy(endpoint: Pick<Endpoint, 'id' | 'access' | 'effect'>): StoppedBy | null {
  const { id, access } = endpoint;
  if (!isOfAccount(access) || id in unstopped) return null;
  if (alsoStopped[id]) return alsoStopped[id].by;
  const effects = effectsOf(endpoint as { effect?: Endpoint['effect'] & {} });
  if (effects.includes('holding')) return 'hold';
  return effects.some(effect => published.includes(effect)) ? 'restrict' : null;
}
