import type { BlockKind, LaneState } from './address-map-layout.ts';

/** How to write this address space. Offsets count addresses from the start of the covering block. */
export type MapText = {
  /** 198.18.4.0 */
  address: (offset: bigint) => string;
  /** 198.18.4.0/22 */
  prefix: (offset: bigint, sizeLog2: number) => string;
  /** Shorter names of a block for where there is little room, longest first: .14.0/25, /25 */
  short?: (block: { start: bigint; size: bigint }) => string[];
  /** A length and what it holds: "/22, 1 024 addresses" */
  size: (sizeLog2: number) => string;
  /** An amount for the legend; without it the number of addresses. */
  amount?: (size: bigint) => string;
  /** Names of kinds of blocks where the map isn't of one holding; those left out keep theirs. */
  kinds?: Partial<Record<BlockKind, string>>;
  /** A mark of the graduated edge, an offset inside the row; without it "+256" while that is short. */
  tick?: (offset: bigint) => string;
  /** Whether the end of a row has a mark too. */
  endTick?: boolean;
};

/** Names of the kinds of blocks, in the order of the legend. */
export const kindWords: Record<BlockKind, string> = {
  delegated: 'Own use',
  unassigned: 'No assignments registered',
  assigned: 'Assigned',
  customers: 'With customers',
  free: 'Free',
  held: 'Held',
  reserved: 'Reserved',
  outside: 'Not part of it',
};

/** The name of a kind of blocks on this map. */
export const kindIn = (text: MapText, kind: BlockKind): string => text.kinds?.[kind] ?? kindWords[kind];

/** Names of the states of lanes, in the order of the legend. */
export const laneWords: Record<LaneState, string> = {
  routed: 'Routed',
  valid: 'ROA, valid',
  invalid: 'Invalid',
  'not-found': 'No ROA',
  covered: 'ROA, not announced',
  answers: 'Reverse-delegated',
  lame: 'Lame zone',
};
