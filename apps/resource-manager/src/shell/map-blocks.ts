import type { AddressMap } from '@portal/contract/resources/resources';
import { parseRange } from '@portal/number-resources';
import type { MapBlock } from '@portal/ui/map/AddressMap';

/**
 * Returns the blocks to draw; others' space stays blank. Blocks of the whole map that represent several small ones are replaced by those of the closer map.
 */
export function blocksOf(whole: AddressMap, near: AddressMap): MapBlock[] {
  const origin = parseRange(whole.first).first;
  const blocks = (map: AddressMap) => {
    const shift = parseRange(map.first).first - origin;
    return map.blocks
      .filter(block => block.kind !== 'reserved')
      .map(block => ({ ...block, start: BigInt(block.offset) + shift, size: BigInt(block.size) }));
  };
  const far = blocks(whole);
  if (near.within === whole.within || !far.some(block => block.count > 1)) return far.map(drawn);
  const from = parseRange(near.first).first - origin;
  const to = from + (1n << BigInt(near.sizeLog2));
  const outside = far.filter(
    block => block.start + block.size <= from || block.start >= to || block.start < from || block.start + block.size > to,
  );
  const inside = blocks(near).filter(block => !outside.some(other => other.label === block.label));
  return [...outside, ...inside].map(drawn);
}

type Placed = Omit<AddressMap['blocks'][number], 'size'> & { start: bigint; size: bigint };
const drawn = ({ label, name, kind, start, size, count }: Placed): MapBlock => ({
  id: label,
  label,
  kind,
  start,
  size,
  ...(count > 1 ? { name: `${count} registrations` } : name ? { name } : {}),
});
