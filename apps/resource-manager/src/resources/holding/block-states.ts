import { reading, useAccount, useKit, useRefusal } from '@portal/app-kit';
import { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { type RoutedSpace, routedSpace, type SeenAnnouncement } from '@portal/contract/routes/routed-space';
import { type AddressRange, containsRange, parsePrefix, parseRange, type Prefix } from '@portal/number-resources';
import { useQuery } from '@tanstack/react-query';
import { placedZones, type PlacedZone } from '../../shell/reverse-lane.ts';

/** Announcements of a block: who announces it, the announcement that needs attention most, how many there are, and how many of these are like it. */
export type BlockRoute = { origins: readonly number[]; first: SeenAnnouncement; count: number; alike: number };
/** Reverse zones of a block: those delegated, lame ones among them. */
export type BlockZones = { delegated: number; lame: number };

const urgency: readonly SeenAnnouncement['validity'][] = ['invalid-asn', 'invalid-length', 'not-found', 'valid'];

type Placed = SeenAnnouncement & { range: Prefix };
/** Announcements by their address space: read once for all rows of a table. */
const placed = new WeakMap<RoutedSpace, readonly Placed[]>();
function placedOf(space: RoutedSpace): readonly Placed[] {
  const known = placed.get(space) ?? space.announcements.map(seen => ({ ...seen, range: parsePrefix(seen.prefix) }));
  placed.set(space, known);
  return known;
}

/**
 * Returns what the world sees of a block: the announcements in it, else the most specific ones around it. Null if it isn’t announced; undefined where that isn’t known, without a
 * table of announcements and where there are more than an answer lists.
 * @param space what is seen of the holding around the block
 */
export function routeOf(space: RoutedSpace, resource: string): BlockRoute | null | undefined {
  if (space.collectedAt === null || space.more) return undefined;
  const block = parseRange(resource);
  const announcements = placedOf(space);
  const inside = announcements.filter(({ range }) => containsRange(block, range));
  const around = announcements.filter(({ range }) => containsRange(range, block));
  const closest = Math.max(...around.map(({ range }) => range.length));
  const found = (inside.length > 0 ? inside : around.filter(({ range }) => range.length === closest)).toSorted(
    (a, b) => urgency.indexOf(a.validity) - urgency.indexOf(b.validity),
  );
  const [first] = found;
  return first === undefined
    ? null
    : {
        origins: [...new Set(found.map(({ asn }) => asn))],
        first,
        count: found.length,
        alike: found.filter(({ validity }) => validity === first.validity).length,
      };
}

/** Returns the reverse zones in a block, or around it where it is a part of one. */
export function zonesOf(zones: readonly PlacedZone[], resource: string): BlockZones {
  const block: AddressRange = parseRange(resource);
  const found = zones.filter(({ prefix }) => containsRange(block, prefix) || containsRange(prefix, block));
  return { delegated: found.length, lame: found.filter(({ isLame }) => isLame).length };
}

/** Reads what the world sees of a block of the account. Null until it is known, and for contacts who may not see it. */
export function useRoutedSpace(within: string): { isAllowed: boolean; space: RoutedSpace | null } {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const isAllowed = useRefusal(routedSpace.getRoutedSpace) === null;
  const { data } = useQuery({ ...reading(call, routedSpace.getRoutedSpace, { account, query: { within } }), enabled: isAllowed });
  return { isAllowed, space: data ?? null };
}

/** Zones of an account that are read for its map. */
const MAX_ZONES = 500;

/**
 * Reads the delegated reverse zones of the account. Null until they are known, for contacts who may not see them, and where there are too many for a map.
 * @param isFew false for accounts with so many that they aren’t read
 */
export function useDelegatedZones(isFew: boolean): { isAllowed: boolean; zones: readonly PlacedZone[] | null } {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const isAllowed = useRefusal(reverseDns.listZones) === null && isFew;
  const query = { delegated: 'true' as const, limit: MAX_ZONES };
  const { data } = useQuery({ ...reading(call, reverseDns.listZones, { account, query }), enabled: isAllowed });
  if (!isAllowed || (data && data.total > MAX_ZONES)) return { isAllowed: false, zones: null };
  return { isAllowed, zones: data ? placedZones(data.rows) : null };
}
