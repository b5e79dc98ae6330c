import { requestPaths, type RequestForm, type RequestKind, type RequestPath } from '@portal/contract/requests/request-form';
import type { RequestEligibility } from '@portal/contract/requests/requests';
import type { RequestPolicy } from '../../profile.ts';
import type { AccountFacts } from './rules/account.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from < to ? from + index : from - index));

/** The grounds on which a kind can be asked for, with the sizes each can have; the first size is the usual one. */
export function pathsOf(kind: RequestKind, facts: AccountFacts, policy: RequestPolicy): RequestEligibility['paths'] {
  const offer = (path: RequestPath, lengths: number[], words: string) => ({ path, label: requestPaths[path], lengths, words });
  const share = range(policy.ipv4Smallest, policy.ipv4Limit);
  if (kind === 'ipv4')
    return [
      offer('lir', share, 'You assign addresses to customers or to your own network.'),
      offer('multihoming', share, `You connect to two or more networks, now or within ${policy.multihomingMonths} months.`),
      offer('ixp', range(policy.ixpUsual, policy.ixpLargest), 'Used on the exchange LAN only; can’t be transferred.'),
      offer('critical', share, 'Root, gTLD and ccTLD name servers, and registries.'),
      offer(
        'temporary',
        range(policy.ipv4Smallest, policy.temporaryLargest),
        `For at most ${policy.temporaryMonths} months, then it goes back.`,
      ),
    ];
  if (kind !== 'ipv6') return [];
  const event = offer(
    'temporary',
    range(policy.ipv6EndSite, policy.temporaryIpv6Largest),
    `For at most ${policy.temporaryMonths} months, then it goes back.`,
  );
  const largest = facts.ipv6.reduce((best, { length }) => Math.min(best, length), 129);
  return largest < 129
    ? [
        offer('subsequent', range(largest - 1, Math.max(largest - 4, 20)), 'Your block grows in place where the space beside it is free.'),
        event,
      ]
    : [
        offer('lir', range(policy.ipv6Provider, policy.ipv6Explained), 'You assign addresses to customers and sites.'),
        offer('end-site', [policy.ipv6EndSite], 'Your own network, independent of a provider.'),
        event,
      ];
}

/** Documents that belong to a request, known before anything is filled in. @param form null before the grounds are chosen */
export function documentsFor(kind: RequestKind, form: RequestForm | null): RequestEligibility['documents'] {
  const path = form?.path ?? '';
  const needed = (name: string, why: string, required = true) => ({ name, why, required });
  if (path === 'temporary' && (kind === 'ipv4' || kind === 'ipv6' || kind === 'asn'))
    return [needed('Announcement of the event', 'Shows its purpose and days')];
  switch (kind) {
    case 'ipv4':
      return path === 'ixp'
        ? [needed('List of participants', 'At least three networks on the exchange')]
        : [
            needed('Network diagram', 'Shows the sites of your plan', false),
            needed('Upstream contract or invoice', 'Shows who connects you; prices can be blacked out', false),
          ];
    case 'ipv6':
      return [needed('Address plan', 'Asked for when you need more than the usual size', false)];
    case 'asn':
      return [needed('Letter or contract of an upstream', 'Shows the network you connect to; prices can be blacked out', false)];
    case 'pre-approval':
      return [needed('Network plan', 'Shows how the addresses are used within 24 months', false)];
    case 'acquisition':
      return [
        needed('Agreement of the merger or sale', 'Shows that the resources go to the new organisation'),
        needed('Certificate of a government authority', 'Shows that the organisation exists under its name', false),
      ];
    case 'transfer':
      return [needed('Authorisation', 'Asked for historical resources', false)];
    case 'return':
      return [];
  }
}
