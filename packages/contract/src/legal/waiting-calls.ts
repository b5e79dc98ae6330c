import { type Effect, effectsOf } from '../effects.ts';
import { type Endpoint, isOfAccount } from '../endpoint.ts';

const waiting: readonly Effect[] = ['whois', 'routing', 'zones', 'holding'];

/**
 * Whether a call waits while a legal text is overdue that its version lets block: changes of whois objects, routing, reverse DNS and resources. Never what is read or paid, what a
 * second effect makes a matter of control, such as closing the account, and never a lock, which protects numbers.
 */
export function waitsForTexts(endpoint: Pick<Endpoint, 'id' | 'access' | 'effect'>): boolean {
  const { id, access } = endpoint;
  const own = effectsOf(endpoint as { effect?: Endpoint['effect'] & {} });
  return (
    isOfAccount(access) && own.length > 0 && own.every(effect => waiting.includes(effect)) && !/^(billing|resources\.locks)\./.test(id)
  );
}
