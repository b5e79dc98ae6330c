import type { RouteEffect } from '@portal/contract/routes/routes';
import { formatCount } from '@portal/number-resources';
import type { Read } from '../../platform/database/index.ts';
import { refuseWithCurrent } from '../../platform/failure.ts';
import { routingView } from '../bgp-tables/index.ts';
import { effectOf } from './announcement-effect.ts';
import { vrpsAround } from './vrps.ts';
import { keptRoas, type RoaFacts } from './roa-changes.ts';

/**
 * The number of affected announcements (`toConfirm` of the effect) as typed by the caller, or `by plan` if decided earlier: a transfer, or the end of an account.
 */
export type Confirmed = { invalidating: number | undefined } | 'by plan';

type Changes = { removals: readonly { roaId: string }[]; additions: readonly Pick<RoaFacts, 'prefix' | 'asn' | 'maxLength'>[] };

/**
 * Returns the effect of adding and removing ROAs on announcements, with the ROAs of others taken into account.
 * @param space the prefixes whose announcements are counted; by default those of the changed ROAs, the only ones that can be affected
 */
export async function effectOfRoas(
  read: Pick<Read, 'rows' | 'stream'>,
  accountName: string,
  { removals, additions }: Changes,
  space?: readonly string[],
): Promise<RouteEffect> {
  const removed = new Set(removals.map(({ roaId }) => roaId));
  const own = await keptRoas(read, accountName);
  const touched = [...own.filter(({ roaId }) => removed.has(roaId)), ...additions].map(({ prefix }) => prefix);
  const places = space ?? touched;
  const view = await routingView(read, accountName, places);
  const others = (await vrpsAround(read, places)).filter(vrp => vrp.accountName !== accountName);
  return await effectOf(view, [...others, ...own], [...others, ...own.filter(({ roaId }) => !removed.has(roaId)), ...additions], touched);
}

const announcements = (count: number): string => `${formatCount(count)} announcement${count === 1 ? '' : 's'}`;

/** Says what a change does to announcements: `makes 3 announcements invalid and leaves 1 announcement that many networks see without a ROA`. */
const harmOf = ({ becomeInvalid, loseRoa }: RouteEffect): string =>
  [
    becomeInvalid > 0 && `makes ${announcements(becomeInvalid)} invalid`,
    loseRoa > 0 && `leaves ${announcements(loseRoa)} that many networks see without a ROA`,
  ]
    .filter(Boolean)
    .join(' and ');

/**
 * Refuses a change of ROAs that makes announcements invalid, or removes the last ROA of widely seen ones, unless their number was typed or a plan
 * decided it. Every way to change ROAs comes here, through `changeRoas`.
 * @throws Failure ROUTES_INVALIDATE with the effect
 */
export async function refuseUnconfirmed(
  read: Pick<Read, 'rows' | 'stream'>,
  accountName: string,
  changes: Changes,
  confirmed: Confirmed,
): Promise<void> {
  if (confirmed === 'by plan') return;
  const effect = await effectOfRoas(read, accountName, changes);
  if (effect.toConfirm > 0 && confirmed.invalidating !== effect.toConfirm)
    throw refuseWithCurrent(effect, 'ROUTES_INVALIDATE', { does: harmOf(effect), count: String(effect.toConfirm) });
}
