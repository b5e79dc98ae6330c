import type { SeenUpstreams } from '@portal/contract/rpki/aspas';
import { formatCount, printAsNumber } from '@portal/number-resources';
import type { Read } from '../../platform/database/index.ts';
import { refuseWithCurrent } from '../../platform/failure.ts';
import { neighboursView } from '../bgp-tables/index.ts';
import { manyPeers } from './announcement-effect.ts';

/** Networks named in one refusal. */
const NAMED = 5;

/**
 * Returns the networks that collectors saw in front of an AS, compared with a list of its providers. A path in which the AS passes an announcement to
 * an unlisted network is invalid if that network is its provider (draft-ietf-sidrops-aspa-verification); only the member knows whether it is one, or
 * a peer or customer. @param before the present list; null if there is none, and paths are not checked
 */
export async function seenUpstreams(
  read: Pick<Read, 'rows'>,
  customer: number,
  { before, after }: { before: readonly number[] | null; after: readonly number[] },
): Promise<SeenUpstreams> {
  const { collectedAt, neighbours } = await neighboursView(read, customer);
  const lacking = neighbours.filter(
    ({ asn, peers }) => peers >= manyPeers && !after.includes(asn) && (before === null || before.includes(asn)),
  );
  return {
    collectedAt,
    upstreams: neighbours.map(neighbour => ({ ...neighbour, listed: after.includes(neighbour.asn) })),
    lacking: lacking.map(({ asn }) => asn),
    toConfirm: lacking.reduce((sum, { announcements }) => sum + announcements, 0),
  };
}

/**
 * Refuses a list of providers without networks that many peers saw in front of the AS, unless the caller typed the number of announcements through
 * them, as for ROAs (decision 190). @throws Failure ROUTES_INVALIDATE with the effect
 */
export function refuseUnconfirmedUpstreams(seen: SeenUpstreams, invalidating: number | undefined): void {
  const { lacking, toConfirm } = seen;
  if (toConfirm === 0 || invalidating === toConfirm) return;
  const named = lacking.slice(0, NAMED).map(printAsNumber).join(', ');
  const networks = lacking.length > NAMED ? `${named} and ${lacking.length - NAMED} more` : named;
  throw refuseWithCurrent(seen, 'ROUTES_INVALIDATE', {
    does: `makes ${formatCount(toConfirm)} announcement${toConfirm === 1 ? '' : 's'} through ${networks} ASPA-invalid`,
    count: String(toConfirm),
  });
}
