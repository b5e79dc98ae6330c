import type { RequestEligibility } from '@portal/contract/requests/requests';
import { listRanges, listPrefixes, overlapsResource, parseResource, printPrefix, resourceSetOf } from '@portal/number-resources';
import type { Read } from '../../platform/database/index.ts';
import { neighboursView, routingView } from '../bgp-tables/index.ts';
import { heldBlocks } from '../resources/index.ts';
import type { AccountFacts } from './rules/account.ts';
import { problemsOfNetworks } from './rules/networks.ts';
import { emptyForm } from '@portal/contract/requests/request-form';

/** AS numbers and prefixes of an account that are looked up; networks that are answered. */
const LOOKED_UP = 20;
const ANSWERED = 6;

/**
 * Returns the networks that collectors see beside an account, to fill in a request for an AS number: those in front of its own AS numbers, and those that announce its addresses. Its own numbers
 * and those that can't be named as neighbours are left out.
 */
export async function networksSeen(
  read: Pick<Read, 'rows'>,
  accountName: string,
  facts: Pick<AccountFacts, 'ownAsns' | 'lab'>,
): Promise<RequestEligibility['networks']> {
  const held = resourceSetOf((await heldBlocks(read, accountName)).map(({ resource }) => parseResource(resource)));
  const prefixes = [...listPrefixes(held, 'ipv4'), ...listPrefixes(held, 'ipv6')].slice(0, LOOKED_UP).map(printPrefix);
  const { announcements } = await routingView(read, null, prefixes);
  const found: RequestEligibility['networks'] = announcements.map(({ asn, peers }) => ({ asn, peers, seen: 'origin' }));
  for (const asn of ownNumbers(facts)) {
    const { neighbours } = await neighboursView(read, asn);
    found.push(...neighbours.map(neighbour => ({ asn: neighbour.asn, peers: neighbour.peers, seen: 'neighbour' as const })));
  }
  const best = new Map<number, RequestEligibility['networks'][number]>();
  for (const each of found.toSorted((a, b) => b.peers - a.peers)) if (!best.has(each.asn)) best.set(each.asn, each);
  return [...best.values()]
    .filter(({ asn }) => !overlapsResource(facts.ownAsns, { family: 'asn', first: asn, last: asn }))
    .filter(({ asn }) => problemsOfNetworks({ ...emptyForm, neighbours: [{ asn: `AS${asn}`, name: '' }] }, facts).length === 0)
    .slice(0, ANSWERED);
}

/** The first AS numbers of an account. */
function ownNumbers({ ownAsns }: Pick<AccountFacts, 'ownAsns'>): number[] {
  const numbers: number[] = [];
  for (const { first, last } of listRanges(ownAsns, 'asn'))
    for (let asn = Number(first); asn <= Number(last) && numbers.length < LOOKED_UP; asn += 1) numbers.push(asn);
  return numbers;
}
