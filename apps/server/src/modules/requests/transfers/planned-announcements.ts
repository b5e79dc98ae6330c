import type { PlannedAnnouncement, TransferPlan } from '@portal/contract/requests/requests';
import { overlapsResource, listPrefixes, parsePrefix, printPrefix, resourceSetOf, type Vrp } from '@portal/number-resources';
import type { Read } from '../../../platform/database/index.ts';
import { routingView } from '../../bgp-tables/index.ts';
import { keptRoas, validateAnnouncements, vrpsAround } from '../../rpki/index.ts';
import type { MoveStep, NumberMove } from './move-steps.ts';
import type { PlanReader } from './plan-parties.ts';

/** Announcements of one plan. */
const LISTED = 50;
const rankOf = { valid: 0, 'not-found': 1, invalid: 2 } as const;

/** Where no table of BGP says anything, or nothing moves here. */
export const nothingSeen: TransferPlan['announcements'] = { collectedAt: null, rows: [], total: 0 };

type Steps = readonly Pick<MoveStep, 'doing'>[];

/**
 * Returns the announcements that a move can affect, with their origin validation before and after completion: those of the numbers that move, and those under ROAs that it changes. The tables of
 * the registry say what is announced; the sender reads its own table too. The recipient reads only what becomes its own.
 */
export async function announcementsOf(
  read: Pick<Read, 'rows'>,
  { from, moved }: Pick<NumberMove, 'from' | 'moved'>,
  { steps, reader }: { steps: Steps; reader: PlanReader },
): Promise<TransferPlan['announcements']> {
  const movedSet = resourceSetOf(moved);
  const roas = steps.flatMap(({ doing }) => (doing.of === 'roa' ? [doing] : []));
  const space = [
    ...[...listPrefixes(movedSet, 'ipv4'), ...listPrefixes(movedSet, 'ipv6')].map(printPrefix),
    ...roas.map(({ touched }) => touched.roa.prefix),
  ];
  if (space.length === 0) return nothingSeen;
  const { collectedAt, announcements } = await routingView(read, reader === 'source' ? from : null, space);
  if (announcements.length === 0) return { ...nothingSeen, collectedAt };
  const [before, after] = await vrpsOf(read, { from, moves: prefix => overlapsResource(movedSet, parsePrefix(prefix)), space, roas });
  const later = validateAnnouncements(announcements, after);
  const rows = validateAnnouncements(announcements, before).map(
    ({ prefix, asn, peers, validity }, index): PlannedAnnouncement => ({
      prefix,
      asn,
      peers,
      before: inThree(validity),
      after: inThree(later[index]!.validity),
      moves: overlapsResource(movedSet, parsePrefix(prefix)) || overlapsResource(movedSet, { family: 'asn', first: asn, last: asn }),
    }),
  );
  const shown = reader === 'recipient' ? rows.filter(({ moves }) => moves) : rows;
  // Those that get worse come first: none of them may be beyond the cut.
  const rank = (row: PlannedAnnouncement): number =>
    rankOf[row.after] > rankOf[row.before] ? 0 : row.moves ? 1 : row.before === row.after ? 3 : 2;
  return { collectedAt, rows: shown.toSorted((a, b) => rank(a) - rank(b)).slice(0, LISTED), total: shown.length };
}

/** The payloads that validators have before and after: those of others stay; of the sender's own authority, those of the space that moves are refused from then on. */
async function vrpsOf(
  read: Pick<Read, 'rows'>,
  {
    from,
    moves,
    space,
    roas,
  }: {
    from: string;
    moves: (prefix: string) => boolean;
    space: readonly string[];
    roas: readonly Extract<MoveStep['doing'], { of: 'roa' }>[];
  },
): Promise<[Vrp[], Vrp[]]> {
  const own = await keptRoas(read, from);
  const published = await vrpsAround(read, space);
  const isOwn = (vrp: Vrp): boolean =>
    own.some(({ prefix, asn, maxLength }) => prefix === vrp.prefix && asn === vrp.asn && maxLength === vrp.maxLength);
  const others = published.filter(({ accountName }) => accountName !== from);
  const byOwnAuthority = published.filter(vrp => vrp.accountName === from && !isOwn(vrp));
  const gone = new Set(roas.map(({ touched }) => touched.roa.roaId));
  return [
    [...others, ...byOwnAuthority, ...own],
    [
      ...others,
      ...byOwnAuthority.filter(({ prefix }) => !moves(prefix)),
      ...own.filter(({ roaId }) => !gone.has(roaId)),
      ...roas.flatMap(({ touched, goes }) => [...touched.keeps, ...(goes ? touched.gives : [])]),
    ],
  ];
}

const inThree = (validity: string): PlannedAnnouncement['before'] =>
  validity === 'valid' || validity === 'not-found' ? validity : 'invalid';
