import type { RequestForm } from '@portal/contract/requests/request-form';
import { overlapsResource, parseAsNumber, printAsNumber, ResourceSyntaxError, specialUsesIn } from '@portal/number-resources';
import type { AccountFacts } from './account.ts';

/** The networks in a form, without empty lines. */
export const namedNetworks = ({ neighbours }: RequestForm): RequestForm['neighbours'] => neighbours.filter(({ asn }) => asn.trim() !== '');

/**
 * Returns the problems with the AS numbers of neighbours and participants, a sentence each. They must exist, not be special-purpose (except AS112,
 * which peers with anyone, RFC 7534) or the account's own, and be named once.
 */
export function problemsOfNetworks(form: RequestForm, { ownAsns, lab }: Pick<AccountFacts, 'ownAsns' | 'lab'>): string[] {
  const seen = new Set<number>();
  return namedNetworks(form).flatMap(({ asn }) => {
    let number: number;
    try {
      number = parseAsNumber(asn.trim());
    } catch (error) {
      if (error instanceof ResourceSyntaxError) return [error.message];
      throw error;
    }
    const name = printAsNumber(number);
    if (seen.has(number)) return [`${name} is named twice. Remove one of them`];
    seen.add(number);
    const resource = { family: 'asn', first: number, last: number } as const;
    if (overlapsResource(ownAsns, resource)) return [`${name} is your own. Enter the number of another network`];
    const special = specialUsesIn(resource, lab).find(({ use }) => use !== 'anycast');
    return special ? [`${name} is set aside: ${special.name} (${special.source}). Enter the number of a network`] : [];
  });
}
