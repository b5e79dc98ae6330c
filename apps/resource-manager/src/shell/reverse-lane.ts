import type { ReverseZone } from '@portal/contract/reverse-dns/reverse-dns';
import { type Prefix, parseReverseZone, printPrefix } from '@portal/number-resources';
import type { MapLane } from '@portal/ui/map/AddressMap';
import { spansOf } from './routing-lane.ts';

/** A delegated reverse zone, by its address space. */
export type PlacedZone = { prefix: Prefix; isLame: boolean };

/** Returns delegated zones by their address space. */
export const placedZones = (zones: readonly Pick<ReverseZone, 'zone' | 'state'>[]): PlacedZone[] =>
  zones.map(({ zone, state }) => ({ prefix: parseReverseZone(zone), isLame: state === 'lame' }));

/** Returns the lane of a map that shows where reverse zones are delegated, and which of them is lame. */
export const reverseLane = (zones: readonly PlacedZone[], { first, family }: Pick<Prefix, 'first' | 'family'>): MapLane => ({
  id: 'reverse',
  label: 'Reverse zones',
  spans: spansOf(
    zones
      .filter(({ prefix }) => prefix.family === family)
      .map(({ prefix, isLame }) => ({ prefix: printPrefix(prefix), state: isLame ? ('lame' as const) : ('answers' as const), rank: 0 })),
    first,
  ),
});
