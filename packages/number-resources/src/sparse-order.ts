import { addressBits } from './family.ts';
import { childPrefix, countChildren, type Prefix, parentPrefix } from './prefix.ts';

/** Methods of RFC 3531 for handing out parts of a prefix. */
export const sparseMethods = ['leftmost', 'rightmost', 'centermost'] as const;
export type SparseMethod = (typeof sparseMethods)[number];
/** Parts that one plan lists at most. */
export const maxPlanned = 4_096;

/**
 * Index of the `place`th part (from 0) of 2^bits parts. `leftmost`: bits are taken from the left, so that parts stay as far from each other as can be
 * (bisection). `rightmost`: one after another. `centermost`: bits from the middle outward, the right one of two first (RFC 3531, section 3; the RFC leaves
 * the order of the two open).
 */
export function sparseIndex(method: SparseMethod, bits: number, place: bigint): bigint {
  if (method === 'rightmost') return place;
  const order = method === 'leftmost' ? Array.from({ length: bits }, (_, bit) => bits - 1 - bit) : centermostBits(bits);
  let index = 0n;
  for (const [at, bit] of order.entries()) if ((place >> BigInt(at)) & 1n) index |= 1n << BigInt(bit);
  return index;
}

/** Bits (0 is the lowest) from the middle outward. */
function centermostBits(bits: number): number[] {
  const high = Math.floor(bits / 2);
  const order: number[] = [];
  for (let step = 0; order.length < bits; step++)
    for (const bit of step === 0 ? [high] : [high - step, high + step]) if (bit >= 0 && bit < bits && !order.includes(bit)) order.push(bit);
  return order;
}

/** One step of a plan: the part, and how much it could grow when it was handed out. */
export type SparseStep = { index: bigint; prefix: Prefix /** The shortest prefix around it that holds no other part yet. */; room: Prefix };

/**
 * Plans the first parts of a prefix, in the order of the method.
 * @param used indexes that are handed out already; they are passed over, and limit the room of the others
 * @throws {RangeError} when the length is shorter than the prefix's own or no length of the family
 */
export function planSparse(
  parent: Prefix,
  length: number,
  count: number,
  method: SparseMethod,
  used: readonly bigint[] = [],
): SparseStep[] {
  const bits = length - parent.length;
  if (bits < 0 || length > addressBits(parent.family)) throw new RangeError(`/${length} is no part of a /${parent.length}`);
  const total = countChildren(parent, length);
  const taken = new Set(used);
  const placed = [...used];
  const steps: SparseStep[] = [];
  for (let place = 0n; place < total && steps.length < Math.min(count, maxPlanned); place++) {
    const index = sparseIndex(method, bits, place);
    if (taken.has(index)) continue;
    const prefix = childPrefix(parent, length, index);
    steps.push({ index, prefix, room: roomOf(parent, prefix, bits, index, placed) });
    placed.push(index);
    taken.add(index);
  }
  return steps;
}

function roomOf(parent: Prefix, prefix: Prefix, bits: number, index: bigint, placed: readonly bigint[]): Prefix {
  // Bits in which the nearest other part differs: so far the part can grow.
  let free = bits;
  for (const other of placed) {
    const apart = (other ^ index).toString(2).length - 1;
    if (apart < free) free = apart;
  }
  return parentPrefix(prefix, Math.max(parent.length, prefix.length - free));
}
