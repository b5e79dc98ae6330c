import type { AddressMap } from '@portal/contract/resources/resources';
import { containsRange, parseRange } from '@portal/number-resources';
import type { MapBlock, MapView } from '@portal/ui/map/AddressMap';

/** The part of an address map that a prefix covers, counted from the map's first address; null if it is not inside. */
export function viewWithin(map: Pick<AddressMap, 'first' | 'sizeLog2' | 'kind'>, prefix: string): MapView | null {
  const inner = rangeOf(prefix);
  const { first } = parseRange(map.first);
  if (inner?.family !== map.kind || inner.first < first || inner.last >= first + (1n << BigInt(map.sizeLog2))) return null;
  const size = inner.last - inner.first + 1n;
  return { start: inner.first - first, sizeLog2: size === 1n ? 0 : (size - 1n).toString(2).length };
}

/** Returns the holding that contains a part of the address space: the smallest, if holdings share a covering block. */
export function holdingOf(map: AddressMap, part: string): AddressMap['holdings'][number] | null {
  const inner = rangeOf(part);
  if (!inner) return null;
  const holders = map.holdings.filter(({ resource, within }) => [resource, within].some(text => contains(text, part)));
  return holders.find(({ resource }) => contains(resource, part)) ?? holders[0] ?? null;
}

/** Returns the holding that represents a block of several adjacent ones: the first. */
export const firstHoldingIn = (map: AddressMap, block: string): AddressMap['holdings'][number] | null =>
  map.holdings.find(({ resource }) => contains(block, resource)) ?? null;

/** Returns the largest holding of a map: the initial one. */
export function largestHoldingIn(map: AddressMap): AddressMap['holdings'][number] | null {
  const sizeOf = ({ resource }: { resource: string }): bigint => {
    const range = rangeOf(resource);
    return range && contains(map.within, resource) ? range.last - range.first + 1n : 0n;
  };
  return map.holdings.reduce<AddressMap['holdings'][number] | null>(
    (most, each) => (most && sizeOf(most) >= sizeOf(each) ? most : each),
    null,
  );
}

/**
 * The blocks with the selected registration drawn as a whole. The map gives every address to the most specific registration, so one that contains
 * others is in pieces otherwise.
 */
export function withSelected(blocks: readonly MapBlock[], whole: AddressMap, chosen: Chosen | null): readonly MapBlock[] {
  if (chosen?.is !== 'registration' || blocks.some(block => block.id === chosen.resource)) return blocks;
  const range = rangeOf(chosen.resource);
  const origin = parseRange(whole.first).first;
  if (!range || range.first < origin || range.last >= origin + (1n << BigInt(whole.sizeLog2))) return blocks;
  const start = range.first - origin;
  const size = range.last - range.first + 1n;
  return [...blocks, { id: chosen.resource, label: chosen.resource, kind: 'customers', start, size }];
}

/** True if every address of `inner` is in `outer`; false if one of them can't be parsed. */
export function contains(outer: string, inner: string): boolean {
  const [a, b] = [rangeOf(outer), rangeOf(inner)];
  return Boolean(a && b && containsRange(a, b));
}

function rangeOf(text: string) {
  try {
    return parseRange(text);
  } catch {
    return null; // an address typed by hand
  }
}

/** The selection: a delegation, a registration inside one, or space that is neither; a delegation the map does not name has no id. */
export type Chosen =
  | { is: 'delegation'; resource: string; delegationId: string | null }
  | { is: 'registration'; resource: string; holder: string }
  | { is: 'space'; kind: 'free' | 'held' | 'reserved' | 'delegated' | 'unassigned'; resource: string; holder: string | null };

/** Returns the subject of the panel: the selection in the address if valid, else the drawn holding. */
export function chosenOf({
  near,
  whole,
  holding,
  selected,
}: {
  near: AddressMap;
  whole: AddressMap;
  holding: AddressMap['holdings'][number] | null;
  selected: string | null;
}): Chosen | null {
  const drawnHolding: Chosen | null = holding && { is: 'delegation', resource: holding.resource, delegationId: holding.delegationId };
  if (!selected || rangeOf(selected)?.family !== whole.kind) return drawnHolding;
  const own = whole.holdings.find(each => each.resource === selected);
  if (own) return { is: 'delegation', resource: own.resource, delegationId: own.delegationId };
  const holder = whole.holdings.find(({ resource }) => contains(resource, selected))?.resource ?? null;
  const block = [...near.blocks, ...whole.blocks].find(each => each.label === selected);
  if (block && block.kind !== 'assigned' && block.kind !== 'customers')
    return { is: 'space', kind: block.kind, resource: selected, holder };
  return holder ? { is: 'registration', resource: selected, holder } : { is: 'delegation', resource: selected, delegationId: null };
}
