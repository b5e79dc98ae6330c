import { type Effect, effectsOf } from '../effects.ts';
import { type Endpoint, isOfAccount } from '../endpoint.ts';

const waiting: readonly Effect[] = ['whois', 'routing', 'zones', 'holding'];

/** Changes that never wait: what another party waits for, what takes back or withdraws, and what keeps keys in order. */
export const goOn: ReadonlySet<string> = new Set([
  'requests.acknowledgeTransfer',
  'whois.consents.answerConsent',
  'routes.undoChange',
  'tasks.revertTask',
  'rpki.revoke',
  'rpki.startRollover',
  'rpki.activateKey',
  'rpki.aspas.removeAspa',
  'rpki.checklists.revokeChecklist',
  'customers.returnAssignment',
  'nir.delegations.returnNirDelegation',
]);

/** Changes that wait though they are of keys: they would be a way around, by a program or an authority elsewhere. */
const waitToo: ReadonlySet<string> = new Set([
  'apiKeys.createApiKey',
  'rpki.selfHosted.connect',
  'rpki.selfHosted.publishHere',
  'whois.createMaintainer',
]);

/**
 * Whether a call waits while a legal text is overdue that its version lets block: changes of whois objects, routing, reverse DNS and resources. Never what is read or paid, what a
 * second effect makes a matter of control, such as closing the account, never a lock, which protects numbers, and none of `goOn`; but those of `waitToo`.
 */
export function waitsForTexts(endpoint: Pick<Endpoint, 'id' | 'access' | 'effect'>): boolean {
  const { id, access } = endpoint;
  const own = effectsOf(endpoint as { effect?: Endpoint['effect'] & {} });
  if (waitToo.has(id)) return true;
  return (
    !goOn.has(id) &&
    isOfAccount(access) &&
    own.length > 0 &&
    own.every(effect => waiting.includes(effect)) &&
    !/^(billing|resources\.locks)\./.test(id)
  );
}
