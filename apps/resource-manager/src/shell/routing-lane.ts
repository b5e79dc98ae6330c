import type { RoutedSpace, SeenAnnouncement } from '@portal/contract/routes/routed-space';
import { parsePrefix } from '@portal/number-resources';
import type { LaneState, MapLane } from '@portal/ui/map/AddressMap';

type Seeing = Pick<RoutedSpace, 'announcements' | 'silent'>;
type Seen = { prefix: string; state: LaneState; rank: number };
type Span = { start: bigint; size: bigint; state: LaneState };

const stateOf = (validity: SeenAnnouncement['validity']): LaneState =>
  validity === 'valid' || validity === 'not-found' ? validity : 'invalid';
/** Several networks may announce one prefix: the one that needs attention is drawn. */
const ranks: Partial<Record<LaneState, number>> = { covered: 0, valid: 1, 'not-found': 2, invalid: 3 };

/**
 * Returns the lane of a map: each address by its most specific announcement, from the map's first address on. Space covered only by a ROA is drawn as
 * such; the rest stays blank.
 */
export function routingLane({ announcements, silent }: Seeing, origin: bigint): MapLane {
  const seen: Seen[] = [
    ...silent.map(({ prefix }) => ({ prefix, state: 'covered' as const, rank: 0 })),
    ...announcements.map(({ prefix, validity }) => ({ prefix, state: stateOf(validity), rank: ranks[stateOf(validity)]! })),
  ];
  return { id: 'routing', label: 'Announcements', spans: spansOf(seen, origin) };
}

/** Returns the lanes of a map: where it is announced, and below what ROAs say of it. While nothing is known yet they keep their place, empty. */
export function routedAndRoaLanes(seeing: Seeing | null, origin: bigint): MapLane[] {
  const routed = (seeing?.announcements ?? []).map(({ prefix }) => ({ prefix, state: 'routed' as const, rank: 0 }));
  return [
    { id: 'routed', label: 'Routed', spans: spansOf(routed, origin) },
    { ...(seeing ? routingLane(seeing, origin) : { spans: [] }), id: 'roa', label: 'ROA' },
  ];
}

/** Returns the spans of a lane: each address by the most specific prefix over it, from the map's first address on. */
export function spansOf(seen: readonly Seen[], origin: bigint): Span[] {
  const ranges = seen
    .map(({ prefix, ...rest }) => ({ ...parsePrefix(prefix), ...rest }))
    .toSorted((a, b) => (a.first !== b.first ? (a.first < b.first ? -1 : 1) : a.length - b.length || a.rank - b.rank));
  const spans: Span[] = [];
  const open: (typeof ranges)[number][] = [];
  let at = 0n;
  const fill = (to: bigint): void => {
    const top = open.at(-1);
    if (top && to > at) spans.push({ start: at - origin, size: to - at, state: top.state });
    if (to > at) at = to;
  };
  const close = (before: bigint): void => {
    for (let top = open.at(-1); top && top.last < before; top = open.at(-1)) {
      fill(top.last + 1n);
      open.pop();
    }
  };
  for (const range of ranges) {
    // A ROA without an announcement of its own says nothing about what is announced around it.
    if (range.state === 'covered' && open.some(({ state, last }) => state !== 'covered' && last >= range.last)) continue;
    close(range.first);
    fill(range.first);
    at = range.first;
    open.push(range);
  }
  close(1n << 129n);
  return spans;
}
