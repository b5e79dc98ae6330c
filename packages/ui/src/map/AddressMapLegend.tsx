import { type ReactNode, useMemo } from 'react';
import { type BlockKind, hatchedKinds, type LaneState, type MapLane, type MapLayout, type PlacedBlock } from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { MapLegend } from './MapLegend.tsx';
import { laneShape } from './map-lane-paths.ts';
import { kindIn, kindWords, laneWords, type MapText } from './map-words.ts';
import { formatCount } from '../text/Count.tsx';

type Props = {
  /** Before the names of the map's hatches. */
  id: string;
  layout: MapLayout;
  blocks: readonly PlacedBlock[];
  lanes: readonly MapLane[];
  /** Switches above the map explain routed, ROA and reverse. */
  switches: boolean;
  text: MapText;
  children: ReactNode;
};

const kinds = Object.keys(kindWords) as BlockKind[];
const laneStates = Object.keys(laneWords) as LaneState[];
/** States whose colour a switch above the map already explains. */
const switched: readonly LaneState[] = ['routed', 'valid', 'invalid', 'answers'];

/** The kinds of blocks with their amounts, blocks holding others not counted, and the states of the lanes. */
export function AddressMapLegend({ id, layout, blocks, lanes, switches, text, children }: Props) {
  const sums = useMemo(() => {
    const byKind = new Map<BlockKind, bigint>();
    for (const block of blocks) if (!block.holdsOthers) byKind.set(block.kind, (byKind.get(block.kind) ?? 0n) + block.size);
    return kinds.flatMap(kind => (byKind.has(kind) ? [[kind, byKind.get(kind) ?? 0n] as const] : []));
  }, [blocks]);
  const states = useMemo(() => {
    const present = new Set(lanes.flatMap(lane => lane.spans.map(span => span.state)));
    return laneStates.filter(state => present.has(state) && !(switches && switched.includes(state)));
  }, [lanes, switches]);
  const amount = text.amount ?? formatCount;
  const dense = layout.pieces.some(piece => piece.count > 1);
  return (
    <MapLegend as="figcaption" className={styles.legend}>
      {sums.map(([kind, sum]) => (
        <span key={kind}>
          <svg viewBox="0 0 14 14" aria-hidden="true">
            <rect
              className={styles[kind]}
              fill={hatchedKinds.includes(kind) ? `url(#${id}-${kind})` : undefined}
              x=".5"
              y=".5"
              width="13"
              height="13"
            />
          </svg>
          {kindIn(text, kind)} <b>{amount(sum)}</b>
        </span>
      ))}
      {dense && (
        <span>
          <svg viewBox="0 0 14 14" aria-hidden="true">
            <rect className={styles.dense} fill={`url(#${id}-dense)`} x=".5" y=".5" width="13" height="13" />
          </svg>{' '}
          many small blocks
        </span>
      )}
      {states.map(state => (
        <span key={state}>
          <svg viewBox="0 0 14 14" aria-hidden="true">
            <path className={styles[state]} d={laneShape(state, { x: 0, y: 3.5, width: 14 })} />
          </svg>
          {laneWords[state]}
        </span>
      ))}
      {children}
    </MapLegend>
  );
}
