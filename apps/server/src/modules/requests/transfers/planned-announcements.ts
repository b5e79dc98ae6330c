import type { PlannedAnnouncement, TransferPlan } from '@portal/contract/requests/requests';
import { overlapsResource, listPrefixes, parsePrefix, printPrefix, resourceSetOf, type Vrp } from '@portal/number-resources';
import { breathing, mapInTurns } from '../../../platform/breathing.ts';
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
 * the registry say what is announced; the sender reads its own table too. The recipient reads only what becomes its own. Others have their turn meanwhile.
 */
export async function announcementsOf(
  read: Pick<Read, 'rows' | 'stream'>,
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
  const { announcements: now } = await validateAnnouncements(announcements, before);
  const { announcements: later } = await validateAnnouncements(announcements, after);
  // Those that get worse come first: none of them may be beyond the cut.
  const byRank: [PlannedAnnouncement[], PlannedAnnouncement[], PlannedAnnouncement[], PlannedAnnouncement[]] = [[], [], [], []];
  const breathe = breathing();
  for (const [place, { prefix, asn, peers, validity }] of now.entries()) {
    await breathe();
    const row: PlannedAnnouncement = {
      prefix,
      asn,
      peers,
      before: inThree(validity),
      after: inThree(later[place]!.validity),
      moves: overlapsResource(movedSet, parsePrefix(prefix)) || overlapsResource(movedSet, { family: 'asn', first: asn, last: asn }),
    };
    if (reader !== 'recipient' || row.moves) byRank[rank(row)].push(row);
  }
  const total = byRank.reduce((sum, { length }) => sum + length, 0);
  return { collectedAt, rows: byRank.flatMap(rows => rows.slice(0, LISTED)).slice(0, LISTED), total };
}

const rank = (row: PlannedAnnouncement): 0 | 1 | 2 | 3 =>
  rankOf[row.after] > rankOf[row.before] ? 0 : row.moves ? 1 : row.before === row.after ? 3 : 2;

/** The payloads that validators have before and after: those of others stay; of the sender's own authority, those of the space that moves are refused from then on. */
async function vrpsOf(
  read: Pick<Read, 'rows' | 'stream'>,
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
  const breathe = breathing();
  const own = await keptRoas(read, from);
  const isOwn = await mapInTurns(own, nameOf, breathe);
  const gone = new Set(roas.map(({ touched }) => touched.roa.roaId));
  const [before, after]: [Vrp[], Vrp[]] = [
    [...own],
    roas.flatMap(({ touched, goes }) => [...touched.keeps, ...(goes ? touched.gives : [])]),
  ];
  for (const roa of own) if (!gone.has(roa.roaId)) after.push(roa);
  for (const vrp of await vrpsAround(read, space)) {
    await breathe();
    const isSenders = vrp.accountName === from;
    if (isSenders && isOwn.has(nameOf(vrp))) continue;
    before.push(vrp);
    if (!isSenders || !moves(vrp.prefix)) after.push(vrp);
  }
  return [before, after];
}

const nameOf = ({ prefix, asn, maxLength }: Vrp): string => `${prefix} ${asn} ${maxLength}`;

const inThree = (validity: string): PlannedAnnouncement['before'] =>
  validity === 'valid' || validity === 'not-found' ? validity : 'invalid';
