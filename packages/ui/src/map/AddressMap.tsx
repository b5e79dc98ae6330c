import { type ReactNode, useId, useMemo } from 'react';
import {
  layOutMap,
  type MapBlock,
  type MapLane,
  type MapLayout,
  type MapPiece,
  type MapView,
  placeBlocks,
  stopsOf,
  trailOf,
  zoomInto,
} from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { AddressMapLegend } from './AddressMapLegend.tsx';
import { useBlockChoice } from './block-choice.ts';
import { MapBox } from './MapBox.tsx';
import { MapDrawing } from './MapDrawing.tsx';
import { mapKeys } from './map-keys.ts';
import { MapTrail } from './MapTrail.tsx';
import { useHeardView, useMapView } from './map-view.ts';
import { useWidth } from './map-width.ts';
import type { MapText } from './map-words.ts';
import { classNames } from '../text/class-names.ts';

export type { BlockKind, LaneState, MapBlock, MapLane, MapLayout, MapView } from './address-map-layout.ts';
export type { MapText } from './map-words.ts';

export type AddressMapProps = {
  kind: 'ipv4' | 'ipv6';
  cover: { label: string; sizeLog2: number };
  blocks: readonly MapBlock[];
  text: MapText;
  /** Drawn under each row, in this order. */
  lanes?: readonly MapLane[];
  selected?: string | null;
  onSelect?: (blockId: string) => void;
  /** Enter or a second click on a block that can't be zoomed further. */
  onOpen?: (blockId: string) => void;
  /** The drawn part. Without it the map manages it itself. */
  view?: MapView | null;
  onViewChange?: (view: MapView) => void;
  /** At most so many rows (twice as many when narrow); a power of two. */
  maxRows?: number;
  /** The id of the table behind the picture. */
  describedBy?: string;
  /** Above the map: the layers to switch. They then explain routed, ROA and reverse, and the legend leaves these out. */
  tools?: ReactNode;
  /** After the legend: what else the colours mean. */
  legend?: ReactNode;
  /** Drawn over the rows, in the coordinates of the drawing. */
  overlay?: (layout: MapLayout) => ReactNode;
  /** Room at the right for the overlay, in px; none where the drawing is narrow. */
  margin?: number;
  /** The widest container that has the narrow drawing, in px. */
  narrowUpTo?: number;
  /** A press anywhere in the rows: the offset of its address. The map doesn't zoom then. */
  onPoint?: (offset: bigint) => void;
};

const noLanes: readonly MapLane[] = [];

/**
 * The neatline map: a holding as nested blocks, to scale, with coordinates on two sides. Arrow keys move between blocks, Enter or `+` goes into one,
 * Escape or `-` comes back out, Home and End go to the ends. The table behind it is named by `describedBy`.
 */
export function AddressMap(props: AddressMapProps) {
  const [wrapper, width] = useWidth();
  return (
    <figure
      className={classNames(styles.map, styles[props.kind])}
      ref={wrapper}
      data-narrow={(width !== null && width <= (props.narrowUpTo ?? NARROW)) || undefined}
    >
      {width !== null && <MapOfWidth {...props} width={width} />}
    </figure>
  );
}

const NARROW = 640;

function MapOfWidth({
  cover,
  blocks,
  text,
  lanes = noLanes,
  selected = null,
  onSelect,
  onOpen,
  view: givenView,
  onViewChange,
  maxRows = 8,
  describedBy,
  tools,
  legend,
  overlay,
  margin = 0,
  narrowUpTo = NARROW,
  onPoint,
  width,
}: AddressMapProps & { width: number }) {
  const id = useId();
  const idOf = useMemo(() => (pieceId: string) => `${id}-${pieceId}`, [id]);
  const placed = useMemo(() => placeBlocks(blocks), [blocks]);
  const { whole, view, setView } = useMapView(cover.sizeLog2, givenView);
  const coordinateLength = useMemo(() => longestCoordinate(text, cover.sizeLog2), [text, cover.sizeLog2]);
  const narrow = width <= narrowUpTo;
  const layout = useMemo(
    () => layOutMap({ blocks: placed, view, width: narrow ? width : width - margin, narrow, lanes, maxRows, coordinateLength }),
    [placed, view, width, narrow, lanes, maxRows, coordinateLength, margin],
  );
  const stops = useMemo(() => stopsOf(layout), [layout]);
  const trail = useMemo(() => trailOf(whole, view, placed), [whole, view, placed]);
  const { chosen, choose, settle } = useBlockChoice(selected, onSelect);
  const current = stops.find(stop => stop.id === chosen) ?? null;
  const heard = useHeardView(view, text);

  const go = (next: MapView) => {
    settle();
    setView(next);
    onViewChange?.(next);
  };
  const enter = (piece: MapPiece | null) => {
    if (!piece) return;
    const nearer = onPoint ? null : zoomInto(layout, piece);
    if (nearer) go(nearer);
    else if (piece.count === 1) onOpen?.(piece.block.id);
  };
  const outer = trail.at(-2);
  const back = outer ? () => go(outer) : null;
  const press = (piece: MapPiece) => {
    if (piece.count > 1 || piece.id === chosen) enter(piece);
    else choose(piece);
  };

  const rowWords = `1 row = ${text.size(layout.rowLog2)}`;
  const hasHead = back !== null || Boolean(tools);
  return (
    <>
      {hasHead && (
        <div className={styles.head}>
          {back && <MapTrail trail={trail} cover={cover.label} text={text} onGo={go} onBack={back} />}
          {tools}
          <span className={styles.scale}>{rowWords}</span>
        </div>
      )}
      <MapBox
        id={id}
        layout={layout}
        width={width}
        text={text}
        active={current ? idOf(current.id) : undefined}
        describedBy={classNames(`${id}-keys`, describedBy)}
        onKeyDown={mapKeys(layout, stops, current, { choose: piece => choose(piece, 'resting'), enter, back })}
        onPress={press}
        onPoint={onPoint}
      >
        <MapDrawing layout={layout} text={text} lanes={lanes} selected={chosen} hatch={id} idOf={idOf} />
        {overlay?.(layout)}
      </MapBox>
      <span className="vh" id={`${id}-keys`}>
        {onPoint
          ? 'Arrow keys move between blocks, Enter chooses a block.'
          : 'Arrow keys move between blocks, Enter goes into a block, Escape comes back out.'}
      </span>
      <output className="vh">{heard}</output>
      <AddressMapLegend id={id} layout={layout} blocks={placed} lanes={lanes} switches={Boolean(tools)} text={text}>
        {legend}
        {!hasHead && <span className={styles.scale}>{rowWords}</span>}
      </AddressMapLegend>
    </>
  );
}

/** Characters of the longest coordinate: one at the begin or near the end of the covering block. */
const longestCoordinate = (text: MapText, sizeLog2: number): number =>
  Math.max(text.address(0n).length, text.address((1n << BigInt(sizeLog2)) - (1n << BigInt(Math.max(0, sizeLog2 - 4)))).length);
