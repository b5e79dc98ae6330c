import type { AddressFamily } from './family.ts';
import { addressBits } from './family.ts';
import { type Prefix, parentPrefix, prefixAt } from './prefix.ts';
import { type AddressRange, coverRange } from './range.ts';
import { containsResource, listPrefixes, listRanges, type ResourceSet } from './resource-set.ts';

const sizeOf = ({ first, last }: AddressRange): bigint => last - first + 1n;

/**
 * The block that leaves the least broken up: the most specific free block that fits, of several the one in the smallest hole, then the lowest. Half of a
 * larger block is only taken where nothing smaller fits. Null if nothing fits.
 * @param free what may be given, as one set
 * @param length the prefix length wanted
 */
export function bestFitPrefix(free: ResourceSet, family: AddressFamily, length: number): Prefix | null {
  let best: { block: Prefix; hole: bigint } | null = null;
  // Hole by hole: a pool at the size of a region has thousands of them.
  for (const range of listRanges(free, family)) {
    const hole = sizeOf(range);
    for (const block of coverRange(range)) {
      if (block.length > length || (best && block.length < best.block.length)) continue;
      if (!best || block.length > best.block.length || hole < best.hole) best = { block, hole };
    }
  }
  return best && prefixAt(family, best.block.first, length);
}

/**
 * The sparse choice for a new holder: the middle between the holder before the largest gap and the gap's end, so that every holder can grow. Rounded down to
 * a block of the length; where that is not free, the next one that is. The first block of a pool without holders. Null if nothing fits.
 * @param free the gaps, as one set
 * @param held what is given out of the same pool: only where holders begin matters
 */
export function sparsePrefix(free: ResourceSet, held: ResourceSet, length: number): Prefix | null {
  const family = 'ipv6';
  const size = 1n << BigInt(addressBits(family) - length);
  const holders = listPrefixes(held, family);
  const gaps = listRanges(free, family)
    .filter(gap => fits(gap, size))
    .toSorted((a, b) => (sizeOf(b) > sizeOf(a) ? 1 : sizeOf(b) < sizeOf(a) ? -1 : a.first < b.first ? -1 : 1));
  const [gap] = gaps;
  if (!gap) return null;
  const neighbour = holders.findLast(({ last }) => last + 1n === gap.first);
  if (!neighbour) return prefixAt(family, alignUp(gap.first, size), length);
  const middle = (neighbour.first + gap.last + 1n) / 2n;
  const aligned = middle - (middle % size);
  const at = aligned >= gap.first ? aligned : alignUp(gap.first, size);
  return prefixAt(family, at + size - 1n <= gap.last ? at : alignUp(gap.first, size), length);
}

const alignUp = (value: bigint, size: bigint): bigint => ((value + size - 1n) / size) * size;
const fits = (gap: AddressRange, size: bigint): boolean => alignUp(gap.first, size) + size - 1n <= gap.last;

/**
 * The larger block around one that is held, when all the rest of it is free; null otherwise.
 * @param block what the holder has
 * @param length the length wanted, shorter than the block's
 */
export function grownPrefix(block: Prefix, length: number, free: ResourceSet): Prefix | null {
  const wanted = parentPrefix(block, length);
  const { family } = block;
  const rest: AddressRange[] = [];
  if (wanted.first < block.first) rest.push({ family, first: wanted.first, last: block.first - 1n });
  if (wanted.last > block.last) rest.push({ family, first: block.last + 1n, last: wanted.last });
  return rest.every(range => containsResource(free, range)) ? wanted : null;
}

/** The lowest free AS number of four bytes, or with `twoByte` of two; where there is none of the kind wanted, null. */
export function lowestAsNumber(free: ResourceSet, { twoByte = false }: { twoByte?: boolean } = {}): number | null {
  for (const { first, last } of listRanges(free, 'asn')) {
    const lowest = twoByte ? first : Math.max(first, 65536);
    if (lowest <= last && (!twoByte || lowest <= 65535)) return lowest;
  }
  return null;
}
