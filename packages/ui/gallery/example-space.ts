import type { MapBlock, MapLane, MapText } from '../src/map/AddressMap.tsx';
import { formatCount } from '../src/text/Count.tsx';

const base = 198 * 2 ** 24 + 18 * 2 ** 16;
const dotted = (address: number) => [24, 16, 8, 0].map(shift => (address >>> shift) & 255).join('.');

/** Documentation space 198.18.0.0/19 as the reference drawing has it. */
export const ipv4Text: MapText = {
  address: offset => dotted((base + Number(offset)) >>> 0),
  prefix: (offset, sizeLog2) => `${dotted((base + Number(offset)) >>> 0)}/${32 - sizeLog2}`,
  short: ({ start, size }) => {
    const length = 32 - Math.log2(Number(size));
    const [, , third, fourth] = dotted(base + Number(start)).split('.');
    return [`.${third}.${fourth}/${length}`, `/${length}`];
  },
  size: sizeLog2 => `/${32 - sizeLog2}, ${formatCount(2 ** sizeLog2)} addresses`,
};

const block = (text: string, kind: MapBlock['kind'], name?: string): MapBlock => {
  const [address = '', length = '24'] = text.split('/');
  const start = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) - base;
  return { id: text, label: text, kind, name, start: BigInt(start), size: 1n << BigInt(32 - Number(length)) };
};

export const ipv4Blocks: MapBlock[] = [
  block('198.18.0.0/19', 'delegated'),
  block('198.18.0.0/23', 'assigned', 'CORE-INFRA'),
  block('198.18.2.0/24', 'assigned', 'POP-SYD-1'),
  block('198.18.3.0/24', 'assigned', 'POP-MEL-1'),
  block('198.18.4.0/22', 'customers', 'ACCESS-A'),
  block('198.18.8.0/24', 'assigned', 'HOSTING-1'),
  block('198.18.9.0/24', 'assigned', 'HOSTING-2'),
  block('198.18.10.0/23', 'free'),
  block('198.18.12.0/23', 'assigned', 'CUST-NORTHWIND'),
  block('198.18.14.0/25', 'assigned', 'CUST-ELDER'),
  block('198.18.14.128/26', 'assigned', 'CUST-FINCH'),
  block('198.18.14.192/26', 'free'),
  block('198.18.15.0/24', 'assigned', 'LAB-2'),
  block('198.18.16.0/21', 'customers', 'CGN-PUBLIC'),
  block('198.18.24.0/24', 'assigned', 'OFFICE'),
  block('198.18.25.0/24', 'held'),
  block('198.18.26.0/23', 'free'),
  block('198.18.28.0/23', 'free'),
  block('198.18.30.0/24', 'assigned', 'LAB'),
  block('198.18.31.0/24', 'free'),
];

const span = <State extends MapLane['spans'][number]['state']>(from: number, count: number, state: State) => ({
  start: BigInt(from * 256),
  size: BigInt(count * 256),
  state,
});
const zones = (from: number, count: number, state: 'answers' | 'lame') =>
  Array.from({ length: count }, (_, index) => span(from + index, 1, state));

export const ipv4Lanes: MapLane[] = [
  { id: 'routed', label: 'Routed', spans: [span(0, 25, 'routed'), span(30, 1, 'routed')] },
  { id: 'roa', label: 'ROA', spans: [span(0, 25, 'valid'), span(28, 2, 'covered'), span(30, 1, 'invalid'), span(31, 1, 'covered')] },
  {
    id: 'reverse',
    label: 'Reverse',
    spans: [
      ...zones(0, 9, 'answers'),
      ...zones(9, 1, 'lame'),
      ...zones(12, 4, 'answers'),
      ...zones(16, 2, 'lame'),
      ...zones(18, 7, 'answers'),
      ...zones(30, 1, 'answers'),
    ],
  },
];

/** 2001:db8::/32, where a /36 step is the fourth group's first digit. */
const groups = (offset: bigint) => {
  const value = (0x20010db8n << 96n) + offset;
  const parts = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  return parts.join(':').replace(/(:0)+$/, '::');
};

export const ipv6Text: MapText = {
  address: groups,
  prefix: (offset, sizeLog2) => `${groups(offset)}/${128 - sizeLog2}`,
  short: ({ size }) => [`/${128 - (size.toString(2).length - 1)}`],
  size: sizeLog2 => `/${128 - sizeLog2}${sizeLog2 >= 80 ? `, ${formatCount(1n << BigInt(sizeLog2 - 80))} /48` : ''}`,
  amount: size => `${formatCount(size >> 80n)} /48`,
  tick: () => '',
};

const six = (step: bigint, sizeLog2: number, kind: MapBlock['kind'], name?: string): MapBlock => {
  const start = step << 92n;
  const label = `${groups(start)}/${128 - sizeLog2}`;
  return { id: label, label, kind, name, start, size: 1n << BigInt(sizeLog2) };
};

export const ipv6Blocks: MapBlock[] = [
  six(0n, 92, 'customers', 'ACCESS'),
  six(1n, 92, 'assigned', 'CORE'),
  six(2n, 93, 'assigned', 'HOSTING'),
  six(4n, 94, 'free'),
  six(8n, 92, 'reserved', 'EXPANSION'),
  six(9n, 92, 'free'),
  six(10n, 93, 'free'),
  six(12n, 94, 'free'),
];

/** A full /16 of single assignments, most of them too small to draw apart. */
export const crowdedBlocks: MapBlock[] = (() => {
  const blocks: MapBlock[] = [];
  let at = 0;
  for (let index = 0; at < 2 ** 21 && blocks.length < 5000; index += 1) {
    const size = 2 ** (6 + ((index * 7) % 5));
    const start = Math.ceil(at / size) * size;
    blocks.push({
      id: `b${index}`,
      label: `${dotted((base + start) >>> 0)}/${32 - Math.log2(size)}`,
      kind: index % 9 === 0 ? 'free' : index % 5 === 0 ? 'customers' : 'assigned',
      start: BigInt(start),
      size: BigInt(size),
    });
    at = start + size;
  }
  return blocks;
})();

/** A range that is no prefix: 198.18.0.0 - 198.18.2.255. */
export const rangeBlocks: MapBlock[] = [
  { id: 'range', label: '198.18.0.0 – 198.18.2.255', kind: 'delegated', name: 'LEGACY', start: 0n, size: 768n },
  { id: 'in', label: '198.18.1.0/24', kind: 'assigned', name: 'OFFICE', start: 256n, size: 256n },
];
