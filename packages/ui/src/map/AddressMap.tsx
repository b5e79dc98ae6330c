import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  type BlockKind,
  charWidth,
  fitLabel,
  type LaneState,
  layOutMap,
  type MapBlock,
  type MapLane,
  type MapLayout,
  type MapPiece,
  type MapView,
  offsetAt,
  pieceAt,
  placeBlocks,
  neighbouringStop,
  stopsOf,
  trailOf,
  zoomInto,
} from './address-map-layout.ts';
import styles from './AddressMap.module.css';
import { MapLegend } from './MapLegend.tsx';
import { MapTip } from './MapTip.tsx';
import { useWidth } from './map-width.ts';
import { Button } from '../action/Button.tsx';
import { classNames } from '../text/class-names.ts';
import { formatCount } from '../text/Count.tsx';

export type { BlockKind, LaneState, MapBlock, MapLane, MapView } from './address-map-layout.ts';

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
  /** A mark of the graduated edge, an offset inside the row; without it "+256" while that is short. */
  tick?: (offset: bigint) => string;
};

export type AddressMapProps = {
  kind: 'ipv4' | 'ipv6';
  cover: { label: string; sizeLog2: number };
  blocks: readonly MapBlock[];
  text: MapText;
  /** Drawn under each row, in this order. */
  lanes?: readonly MapLane[];
  selected?: string | null;
  onSelect?: (blockId: string) => void;
  /** Enter or a second press on a block that cannot come nearer. */
  onOpen?: (blockId: string) => void;
  /** The part drawn. Without it the map keeps it itself. */
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

const kindWords: Record<BlockKind, string> = {
  delegated: 'Own use',
  unassigned: 'No assignments registered',
  assigned: 'Assigned',
  customers: 'With customers',
  free: 'Free',
  held: 'Held',
  reserved: 'Reserved',
};
const kindOrder = Object.keys(kindWords) as BlockKind[];
const laneWords: Record<LaneState, string> = {
  routed: 'Routed',
  valid: 'ROA, valid',
  invalid: 'Invalid',
  'not-found': 'No ROA',
  covered: 'ROA, not announced',
  answers: 'Reverse zone answers',
  lame: 'Lame zone',
};
/** States whose colour a switch above the map already explains. */
const switched: readonly LaneState[] = ['routed', 'valid', 'invalid', 'answers'];
const laneOrder = Object.keys(laneWords) as LaneState[];

/** Longer than the pause between the repeats of a held key. */
const restMs = 60;

const noLanes: readonly MapLane[] = [];
const defaultTick = (offset: bigint) => (offset < 1_000_000n ? `+${formatCount(offset)}` : '');

function PieceLabel({ piece, text }: { piece: MapPiece; text: MapText }) {
  const room = (piece.innerX === null ? piece.x + piece.width : piece.innerX) - piece.x;
  const baseline = piece.y + piece.height / 2 + 4;
  const x = piece.x + 7;
  if (piece.height < 16) return null;
  if (piece.count > 1) {
    const words = fitLabel([`${formatCount(piece.count)} blocks`, formatCount(piece.count)], room);
    return words ? <Plate x={x} y={baseline} words={words} room={room} /> : null;
  }
  if (piece.continues)
    return room > 70 ? (
      <text className={styles.aside} x={x} y={baseline}>
        continues
      </text>
    ) : null;
  const { block } = piece;
  const label = fitLabel([block.label, ...(text.short?.(block) ?? [])], room);
  if (!label) return null;
  if (block.kind === 'free') return <Plate x={x} y={baseline} words={label} room={room} />;
  const nameX = x + label.length * charWidth + 6.3;
  const nameRoom = piece.x + room - nameX - 6;
  const name = block.name && label === block.label && block.name.length * 6.6 <= nameRoom ? block.name : null;
  return (
    <>
      <text className={styles.label} x={x} y={baseline}>
        {label}
      </text>
      {name && (
        <text className={styles.name} x={nameX} y={baseline}>
          {name}
        </text>
      )}
    </>
  );
}

/** Words on paper of their own, where the ground is hatched. */
function Plate({ x, y, words, room }: { x: number; y: number; words: string; room: number }) {
  return (
    <>
      <rect className={styles.paper} x={x - 4} y={y - 12.5} width={Math.min(words.length * charWidth + 8, room - 5)} height="17" />
      <text className={styles.quiet} x={x} y={y}>
        {words}
      </text>
    </>
  );
}

type OptionProps = {
  id: string;
  pieces: MapPiece[];
  layout: MapLayout;
  selected: boolean;
  hatch: string;
  position: number;
  count: number;
};

/** One block with all its rows. It is distinguished by name and kind, never by colour alone. */
const MapOption = memo(function MapOption({ id, pieces, layout, selected, hatch, position, count }: OptionProps) {
  const first = pieces[0];
  if (!first) return null;
  const { block } = first;
  const words =
    first.count > 1
      ? `${formatCount(first.count)} blocks from ${block.label}, too small to draw apart`
      : `${block.label}${block.name ? `, ${block.name}` : ''}, ${kindWords[block.kind].toLowerCase()}`;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn, not listed
    <g role="option" id={id} aria-selected={selected} aria-label={words} aria-posinset={position} aria-setsize={count}>
      {pieces.map(piece => {
        const thin = piece.width < 6 && piece.count === 1;
        const filled = block.kind === 'free' || block.kind === 'reserved' || piece.count > 1;
        return (
          <g key={piece.row} aria-hidden="true">
            <rect
              className={classNames(
                piece.count > 1 ? styles.dense : styles[block.kind],
                thin && styles.thin,
                piece.ground && styles.ground,
              )}
              fill={filled ? `url(#${hatch}-${piece.count > 1 ? 'dense' : block.kind})` : undefined}
              x={thin ? piece.x : piece.x + 0.5}
              y={piece.y + 0.5}
              width={thin ? Math.max(1, piece.width - 1) : piece.width - 1.5}
              height={piece.height}
            />
            {block.kind === 'customers' && piece.width > 60 && <path className={styles.sub} d={innerMarks(layout, piece)} />}
          </g>
        );
      })}
    </g>
  );
});

/** The words of all blocks, above every rectangle. */
const Labels = memo(function Labels({ layout, text }: { layout: MapLayout; text: MapText }) {
  return (
    <g aria-hidden="true">
      {layout.pieces.map(piece => (
        <PieceLabel key={`${piece.id} ${piece.row}`} piece={piece} text={text} />
      ))}
    </g>
  );
});

/** The quarters of a row that fall inside a piece. */
function innerMarks(layout: MapLayout, piece: MapPiece): string {
  return [1, 2, 3]
    .map(quarter => layout.left + (quarter * layout.rowWidth) / 4)
    .filter(x => x > piece.x + 8 && x < piece.x + piece.width - 8)
    .map(x => `M${x.toFixed(1)} ${piece.y + 1}v${piece.height - 1}`)
    .join('');
}

type DrawingProps = {
  layout: MapLayout;
  text: MapText;
  lanes: readonly MapLane[];
  selected: string | null;
  hatch: string;
  idOf: (pieceId: string) => string;
};

/** Everything but what follows the pointer, so that moving it draws nothing again. */
const Drawing = memo(function Drawing({ layout, text, lanes, selected, hatch, idOf }: DrawingProps) {
  const { left, rowWidth, rows, laneTop, rowLog2 } = layout;
  const groups = useMemo(() => {
    const byId = new Map<string, MapPiece[]>();
    for (const piece of layout.pieces) {
      const own = byId.get(piece.id);
      if (own) own.push(piece);
      else byId.set(piece.id, [piece]);
    }
    return [...byId];
  }, [layout]);
  const laneRects = useMemo(() => drawLanes(layout, lanes.length), [layout, lanes.length]);
  const chosen = layout.pieces.filter(piece => piece.id === selected);
  const first = chosen[0];
  const quarters = rowLog2 >= 2 ? [0, 1, 2, 3] : rowLog2 === 1 ? [0, 2] : [0];
  const tick = text.tick ?? defaultTick;
  const everyOther = rowWidth < 400;
  const frameHeight = (piece: MapPiece) =>
    lanes.length > 0 ? laneTop + lanes.length * 4 + 3 - (piece.y - (rows[piece.row]?.y ?? 0)) : piece.height + 2;
  return (
    <>
      <g aria-hidden="true">
        {quarters.map(quarter => {
          const x = left + (quarter * rowWidth) / 4;
          const words = tick(((1n << BigInt(rowLog2)) * BigInt(quarter)) / 4n);
          return (
            <g key={quarter}>
              {!(everyOther && quarter % 2 === 1) && (
                <text className={styles.quiet} x={quarter === 0 ? x : x + 3} y="11">
                  {words}
                </text>
              )}
              <path className={styles.edge} d={`M${x + 0.5} ${everyOther && quarter % 2 === 1 ? 18 : 15}V23`} />
            </g>
          );
        })}
        <path className={styles.edge} d={`M${left + rowWidth + 0.5} 15v8M${left} 22.5h${rowWidth + 1}`} />
        {[0, 1, 2, 3, 4, 5, 6, 7].map(eighth => (
          <rect key={eighth} className={styles.ink} x={left + (eighth * rowWidth) / 8} y="19" width={rowWidth / 16} height="3.5" />
        ))}
        {rows.map(row => (
          <g key={row.index}>
            <text className={first?.row === row.index ? styles.label : styles.coordinate} x="0" y={row.y + layout.blockHeight / 2 + 4.5}>
              {text.address(row.start)}
            </text>
            <path className={styles.rule} d={`M${left - 8} ${row.y + 0.5}h8`} />
            {lanes.map((lane, index) => (
              <rect key={lane.id} className={styles.laneBase} x={left} y={row.y + laneTop + index * 4} width={rowWidth} height="3" />
            ))}
          </g>
        ))}
      </g>
      {groups.map(([pieceId, pieces], index) => (
        <MapOption
          key={pieceId}
          id={idOf(pieceId)}
          pieces={pieces}
          layout={layout}
          selected={pieceId === selected}
          hatch={hatch}
          position={index + 1}
          count={groups.length}
        />
      ))}
      <Labels layout={layout} text={text} />
      <g aria-hidden="true">
        {laneRects.map(([state, path]) => (
          <path key={state} className={styles[state]} d={path} />
        ))}
        {chosen.map(piece => (
          <rect
            key={piece.row}
            className={styles.frame}
            x={piece.x - 0.5}
            y={piece.y - 0.5}
            width={Math.max(3, piece.width + 0.5)}
            height={frameHeight(piece)}
            rx="1"
          />
        ))}
        {first && (
          <path
            className={styles.pointer}
            d={`M${first.x} 24l-4-7h8zM${left - 1} ${(rows[first.row]?.y ?? 0) + layout.blockHeight / 2 + 0.5}l-7-4v8z`}
          />
        )}
      </g>
    </>
  );
});

/** One path for each lane state: filled where it holds, outlined where a ROA only allows, dashed where a zone is lame. */
function drawLanes(layout: MapLayout, laneCount: number): [LaneState, string][] {
  if (laneCount === 0) return [];
  const paths = new Map<LaneState, string>();
  for (const mark of layout.lanes) {
    const y = (layout.rows[mark.row]?.y ?? 0) + layout.laneTop + mark.lane * 4;
    const zone = mark.state === 'answers' || mark.state === 'lame';
    const width = zone && mark.width > 8 ? mark.width - 2.5 : mark.width;
    const path =
      mark.state === 'lame'
        ? `M${mark.x.toFixed(1)} ${y + 1.5}h${width.toFixed(1)}`
        : mark.state === 'covered'
          ? `M${(mark.x + 0.5).toFixed(1)} ${y + 0.5}h${Math.max(0, width - 1).toFixed(1)}v2h-${Math.max(0, width - 1).toFixed(1)}z`
          : `M${mark.x.toFixed(1)} ${y}h${width.toFixed(1)}v3h-${width.toFixed(1)}z`;
    paths.set(mark.state, (paths.get(mark.state) ?? '') + path);
  }
  return [...paths];
}

/** The position under the pointer; follows it without drawing the map again. */
function Pointer({ layout, text, at }: { layout: MapLayout; text: MapText; at: { x: number; y: number } | null }) {
  if (!at) return null;
  const offset = offsetAt(layout, at.x, at.y);
  if (offset === null) return null;
  const piece = pieceAt(layout, at.x, at.y);
  return (
    <MapTip at={at} maxLeft={layout.width - 190}>
      {piece && (
        <div>
          <span className="mono">{piece.count > 1 ? `${formatCount(piece.count)} blocks` : piece.block.label}</span>{' '}
          {piece.count === 1 && (piece.block.name ?? kindWords[piece.block.kind].toLowerCase())}
        </div>
      )}
      <div className={styles.tipAddress}>{text.address(offset)}</div>
    </MapTip>
  );
}

/**
 * The neatline map: a holding as nested blocks, to scale, with coordinates on two sides. Arrow keys move between blocks, Enter or `+` goes into one,
 * Escape or `-` comes back out, Home and End go to the ends. The table behind it is named by `describedBy`.
 */
export function AddressMap({
  kind,
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
}: AddressMapProps) {
  const id = useId();
  const [wrapper, width] = useWidth();
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
  const narrow = width <= 640;
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
  const rest = useRef<{ tell: () => void; timer: ReturnType<typeof setTimeout> } | null>(null);
  const settle = () => {
    if (!rest.current) return;
    clearTimeout(rest.current.timer);
    const { tell } = rest.current;
    rest.current = null;
    tell();
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
    const tell = () => {
      setMark(null);
      setOwn(piece.block.id);
      onSelect?.(piece.block.id);
    };
    if (when === 'now') return tell();
    setMark(piece.id);
    rest.current = { tell, timer: setTimeout(settle, restMs) };
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

  // The words of the view are heard when it changes, not when the map first shows.
  const shown = useRef(view);
  const [heard, setHeard] = useState('');
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    setHeard(`Showing ${text.prefix(view.start, view.sizeLog2)}`);
  }, [view, text]);

  const sums = useMemo(() => {
    const byKind = new Map<BlockKind, bigint>();
    for (const block of placed) if (!block.holdsOthers) byKind.set(block.kind, (byKind.get(block.kind) ?? 0n) + block.size);
    return kindOrder.flatMap(each => (byKind.has(each) ? [[each, byKind.get(each) ?? 0n] as const] : []));
  }, [placed]);
  const explained = Boolean(tools);
  const states = useMemo(() => {
    const present = new Set(lanes.flatMap(lane => lane.spans.map(span => span.state)));
    return laneOrder.filter(state => present.has(state) && !(explained && switched.includes(state)));
  }, [lanes, explained]);
  const amount = text.amount ?? formatCount;
  const rowWords = `1 row = ${text.size(layout.rowLog2)}`;
  const hasHead = trail.length > 1 || Boolean(tools);
  const dense = layout.pieces.some(piece => piece.count > 1);

  return (
    <figure className={classNames(styles.map, styles[kind])} ref={wrapper} data-narrow={narrow || undefined}>
      {hasHead && (
        <div className={styles.head}>
          {trail.length > 1 && (
            <nav aria-label="Part of the map" className={styles.trail}>
              <ol>
                {trail.map((step, index) => (
                  <li key={`${step.start}/${step.sizeLog2}`}>
                    {index < trail.length - 1 ? (
                      <button type="button" onClick={() => go(step)}>
                        {index === 0 ? cover.label : text.prefix(step.start, step.sizeLog2)}
                      </button>
                    ) : (
                      <span>{text.prefix(step.start, step.sizeLog2)}</span>
                    )}
                  </li>
                ))}
              </ol>
              <Button variant="quiet" size="s" icon="zoom-out" aria-label="Zoom out" onClick={back} />
            </nav>
          )}
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
          <Drawing layout={layout} text={text} lanes={lanes} selected={chosen} hatch={id} idOf={idOf} />
        </svg>
        <Pointer layout={layout} text={text} at={at} />
      </div>
      <span className="vh" id={`${id}-keys`}>
        Arrow keys move between blocks, Enter goes into a block, Escape comes back out.
      </span>
      <output className="vh">{heard}</output>
      <MapLegend as="figcaption" className={styles.legend}>
        {sums.map(([each, sum]) => (
          <span key={each}>
            <svg viewBox="0 0 14 14" aria-hidden="true">
              <rect
                className={styles[each]}
                fill={each === 'free' || each === 'reserved' ? `url(#${id}-${each})` : undefined}
                x=".5"
                y=".5"
                width="13"
                height="13"
              />
            </svg>
            {kindWords[each]} <b>{amount(sum)}</b>
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
              <path className={styles[state]} d={state === 'lame' ? 'M0 7h14' : 'M.5 5.5h13v3H.5z'} />
            </svg>
            {laneWords[state]}
          </span>
        ))}
        {legend}
        {!hasHead && <span className={styles.scale}>{rowWords}</span>}
      </MapLegend>
    </figure>
  );
}
