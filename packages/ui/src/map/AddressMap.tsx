import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import {
  layOutMap,
  type MapBlock,
  type MapLane,
  type MapPiece,
  type MapView,
  pieceAt,
  placeBlocks,
  neighbouringStop,
  stopsOf,
  trailOf,
  zoomInto,
} from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { AddressMapLegend } from './AddressMapLegend.tsx';
import { MapDrawing } from './MapDrawing.tsx';
import { MapPosition } from './MapPosition.tsx';
import { MapTrail } from './MapTrail.tsx';
import { useWidth } from './map-width.ts';
import type { MapText } from './map-words.ts';
import { classNames } from '../text/class-names.ts';

export type { BlockKind, LaneState, MapBlock, MapLane, MapView } from './address-map-layout.ts';
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
};

/** Longer than the pause between the repeats of a held key. */
const restMs = 60;

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
      data-narrow={(width !== null && isNarrow(width)) || undefined}
    >
      {width !== null && <MapOfWidth {...props} width={width} />}
    </figure>
  );
}

const isNarrow = (width: number): boolean => width <= 640;

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
  width,
}: AddressMapProps & { width: number }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [ownView, setOwnView] = useState<MapView | null>(null);
  const [mark, setMark] = useState<string | null>(null);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const [own, setOwn] = useState<string | null>(null);
  const placed = useMemo(() => placeBlocks(blocks), [blocks]);
  const whole = useMemo<MapView>(() => ({ start: 0n, sizeLog2: cover.sizeLog2 }), [cover.sizeLog2]);
  const wanted = givenView ?? ownView ?? whole;
  const view = useMemo<MapView>(
    () =>
      wanted.sizeLog2 < whole.sizeLog2 && wanted.start >= 0n && wanted.start < 1n << BigInt(whole.sizeLog2)
        ? { start: wanted.start, sizeLog2: wanted.sizeLog2 }
        : whole,
    [wanted.start, wanted.sizeLog2, whole],
  );
  const narrow = isNarrow(width);
  const coordinateLength = useMemo(
    () =>
      Math.max(
        text.address(0n).length,
        text.address((1n << BigInt(cover.sizeLog2)) - (1n << BigInt(Math.max(0, cover.sizeLog2 - 4)))).length,
      ),
    [text, cover.sizeLog2],
  );
  const layout = useMemo(
    () => layOutMap({ blocks: placed, view, width, narrow, lanes, maxRows, coordinateLength }),
    [placed, view, width, narrow, lanes, maxRows, coordinateLength],
  );
  const stops = useMemo(() => stopsOf(layout), [layout]);
  const trail = useMemo(() => trailOf(whole, view, placed), [whole, view, placed]);
  const chosen = mark ?? (onSelect ? selected : own);
  const current = stops.find(stop => stop.id === chosen) ?? null;
  const idOf = useMemo(() => (pieceId: string) => `${id}-${pieceId}`, [id]);

  // A held arrow key passes many blocks: the mark follows each, the page is notified where it stops.
  const rest = useRef<{ announce: () => void; timer: ReturnType<typeof setTimeout> } | null>(null);
  const settle = () => {
    if (!rest.current) return;
    clearTimeout(rest.current.timer);
    const { announce } = rest.current;
    rest.current = null;
    announce();
  };
  useEffect(() => () => clearTimeout(rest.current?.timer), []);
  const go = (next: MapView) => {
    settle();
    setMark(null);
    setOwnView(next);
    onViewChange?.(next);
  };
  const choose = (piece: MapPiece | undefined, when: 'now' | 'resting' = 'now') => {
    if (!piece) return;
    clearTimeout(rest.current?.timer);
    rest.current = null;
    if (piece.count > 1) return setMark(piece.id);
    const announce = () => {
      setMark(null);
      setOwn(piece.block.id);
      onSelect?.(piece.block.id);
    };
    if (when === 'now') return announce();
    setMark(piece.id);
    rest.current = { announce, timer: setTimeout(settle, restMs) };
  };
  const enter = (piece: MapPiece | null) => {
    if (!piece) return;
    const nearer = zoomInto(layout, piece);
    if (nearer) go(nearer);
    else if (piece.count === 1) onOpen?.(piece.block.id);
  };
  const back = () => {
    const outer = trail.at(-2);
    if (outer) go(outer);
  };

  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = current ? stops.indexOf(current) : -1;
    const acts: Record<string, () => void> = {
      ArrowRight: () => choose(stops[Math.min(stops.length - 1, place + 1)], 'resting'),
      ArrowLeft: () => choose(stops[Math.max(0, place - 1)], 'resting'),
      ArrowDown: () => choose(current ? neighbouringStop(layout, current, 1) : stops[0], 'resting'),
      ArrowUp: () => choose(current ? neighbouringStop(layout, current, -1) : stops[0], 'resting'),
      Home: () => choose(stops[0], 'resting'),
      End: () => choose(stops.at(-1), 'resting'),
      Enter: () => enter(current),
      '+': () => enter(current),
      '-': back,
    };
    if (event.key === 'Escape' && trail.length > 1) {
      event.preventDefault();
      event.stopPropagation();
      return back();
    }
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const point = (event: PointerEvent | MouseEvent) => {
    const place = box.current?.getBoundingClientRect();
    return place ? { x: event.clientX - place.left, y: event.clientY - place.top } : null;
  };
  const press = (event: MouseEvent) => {
    const place = point(event);
    const piece = place && pieceAt(layout, place.x, place.y);
    if (!piece) return;
    if (piece.count > 1 || piece.id === chosen) enter(piece);
    else choose(piece);
  };

  // The description of the view is announced when it changes, not when the map first appears.
  const shown = useRef(view);
  const [heard, setHeard] = useState('');
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    setHeard(`Showing ${text.prefix(view.start, view.sizeLog2)}`);
  }, [view, text]);

  const rowWords = `1 row = ${text.size(layout.rowLog2)}`;
  const hasHead = trail.length > 1 || Boolean(tools);

  return (
    <>
      {hasHead && (
        <div className={styles.head}>
          {trail.length > 1 && <MapTrail trail={trail} cover={cover.label} text={text} onGo={go} onBack={back} />}
          {tools}
          <span className={styles.scale}>{rowWords}</span>
        </div>
      )}
      <div
        ref={box}
        className={styles.box}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn, not listed
        role="listbox"
        tabIndex={0}
        aria-label={`Address map of ${text.prefix(view.start, view.sizeLog2)}, ${layout.rows.length} ${layout.rows.length === 1 ? 'row' : `rows of ${text.size(layout.rowLog2).split(',')[0]}`}`}
        aria-describedby={classNames(`${id}-keys`, describedBy)}
        aria-activedescendant={current ? idOf(current.id) : undefined}
        onKeyDown={keys}
        onClick={press}
        onPointerMove={event => setAt(event.pointerType === 'touch' ? null : point(event))}
        onPointerLeave={() => setAt(null)}
      >
        <svg width={width} height={layout.height} viewBox={`0 0 ${width} ${layout.height}`} role="presentation">
          <defs>
            <pattern id={`${id}-free`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <path d="M0 0v6" className={styles.hatchLine} />
            </pattern>
            <pattern id={`${id}-reserved`} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
              <path d="M0 0v4" className={styles.reservedLine} />
            </pattern>
            <pattern id={`${id}-dense`} width="3" height="6" patternUnits="userSpaceOnUse">
              <path d="M.5 0v6" className={styles.denseLine} />
            </pattern>
          </defs>
          <MapDrawing layout={layout} text={text} lanes={lanes} selected={chosen} hatch={id} idOf={idOf} />
        </svg>
        <MapPosition layout={layout} text={text} at={at} />
      </div>
      <span className="vh" id={`${id}-keys`}>
        Arrow keys move between blocks, Enter goes into a block, Escape comes back out.
      </span>
      <output className="vh">{heard}</output>
      <AddressMapLegend id={id} layout={layout} blocks={placed} lanes={lanes} switches={Boolean(tools)} text={text}>
        {legend}
        {!hasHead && <span className={styles.scale}>{rowWords}</span>}
      </AddressMapLegend>
    </>
  );
}
