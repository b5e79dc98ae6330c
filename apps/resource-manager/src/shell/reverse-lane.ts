import type { ReverseZone } from '@portal/contract/reverse-dns/reverse-dns';
import { containsRange, type Prefix, parseReverseZone, printPrefix } from '@portal/number-resources';
import type { MapLane } from '@portal/ui/map/AddressMap';
import { spansOf } from './routing-lane.ts';

/** A delegated reverse zone, by its address space. */
export type PlacedZone = { prefix: Prefix; isLame: boolean };

type Zones = readonly Pick<ReverseZone, 'zone' | 'state'>[];
const placed = new WeakMap<Zones, readonly PlacedZone[]>();

/** Returns delegated zones by their address space; of one list always the same ones. */
export function placedZones(zones: Zones): readonly PlacedZone[] {
  const known = placed.get(zones) ?? zones.map(({ zone, state }) => ({ prefix: parseReverseZone(zone), isLame: state === 'lame' }));
  placed.set(zones, known);
  return known;
}

/** Returns the lane of a map that shows where reverse zones are delegated, and which of them is lame. @param space the drawn space; zones of it and around it count */
export const reverseLane = (zones: readonly PlacedZone[], space: Prefix): MapLane => ({
  id: 'reverse',
  label: 'Reverse zones',
  spans: spansOf(
    zones
      .filter(({ prefix }) => containsRange(space, prefix) || containsRange(prefix, space))
      .map(({ prefix, isLame }) => ({ prefix: printPrefix(prefix), state: isLame ? ('lame' as const) : ('answers' as const), rank: 0 })),
    space.first,
  ),
});
