import { requestPaths, type RequestForm, type RequestKind, type RequestPath } from '@portal/contract/requests/request-form';
import { groundRules, groundsOf } from '@portal/contract/requests/request-grounds';
import type { RequestEligibility } from '@portal/contract/requests/requests';
import type { RequestPolicy } from '../../profile.ts';
import type { AccountFacts } from './rules/account.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from < to ? from + index : from - index));

const larger = (length: number, policy: RequestPolicy): number[] => range(length - 1, Math.max(length - 4, policy.ipv6Largest));

/** Describes the use behind grounds in a sentence. */
const groundWords = (path: RequestPath, kind: RequestKind, policy: RequestPolicy): string =>
  ({
    lir: kind === 'ipv4' ? 'You assign addresses to customers or to your own network.' : 'You assign addresses to customers and sites.',
    multihoming: `You connect to two or more networks, now or within ${policy.multihomingMonths} months.`,
    ixp: 'Used on the exchange LAN only; can’t be transferred.',
    critical: 'Root, gTLD and ccTLD name servers, and registries.',
    temporary: `For at most ${policy.temporaryMonths} months, then it goes back. One event at a time.`,
    'end-site': 'Your own network, independent of a provider.',
    subsequent: 'We extend your block if adjacent space is free.',
  })[path];

/** The grounds on which this account can request a kind, with their sizes, the usual one first. */
export function pathsOf(kind: RequestKind, facts: AccountFacts, policy: RequestPolicy): RequestEligibility['paths'] {
  const held = facts.ipv6.reduce((best, { length }) => Math.min(best, length), 129);
  // A holder of IPv6 requests more of it, not a second first block.
  const isOffered = (path: RequestPath): boolean => kind !== 'ipv6' || path === 'temporary' || (path === 'subsequent') === held < 129;
  return groundsOf(kind).flatMap(path => {
    const rules = path === '' ? null : groundRules(kind, path);
    if (path === '' || !rules || !isOffered(path) || rules.sizes === 'number') return [];
    const { sizes } = rules;
    const lengths =
      sizes === 'growth'
        ? larger(held, policy)
        : typeof sizes === 'string'
          ? []
          : range(policy[sizes.usual], policy[sizes.offered ?? sizes.largest]);
    return [{ path, label: requestPaths[path], lengths, words: groundWords(path, kind, policy) }];
  });
}

/** Documents of a request, known before anything is filled in. @param form null before the grounds are chosen */
export const documentsFor = (kind: RequestKind, form: RequestForm | null): RequestEligibility['documents'] => [
  ...(groundRules(kind, form?.path ?? '') ?? groundRules(kind, groundsOf(kind)[0]!))!.documents,
];
