import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react';
import styles from './AddressStrips.module.css';
import { MapTip } from './MapTip.tsx';
import { useWidth } from './map-width.ts';
import { barHeight, pitch, type Strip, stripAt, type StripFrame, stripFrame, type StripMark, thinnest, top } from './strip-layout.ts';
import { StripRow } from './StripRow.tsx';
import { StripScale } from './StripScale.tsx';
import { classNames } from '../text/class-names.ts';

export type { Strip, StripKind, StripMark } from './strip-layout.ts';

export type AddressStripsProps = {
  kind: 'ipv4' | 'ipv6';
  strips: readonly Strip[];
  /** Names the picture. */
  label: string;
  /** Marks of the edge, from the begin of a strip to its end, evenly apart. */
  ticks: readonly string[];
  /** Over the amounts. */
  amountHead: string;
  /** The strip that is shown nearer elsewhere. */
  current: string | null;
  /** A delegation that is selected. */
  selected: string | null;
  /** A strip, or a place in it, was pressed: `mark` is the mark there. */
  onSelect: (strip: string, mark: StripMark | null) => void;
  /** Returns the name of a mark under the pointer. */
  nameOf: (mark: StripMark) => string;
  /** The id of the table behind the picture. */
  describedBy?: string;
};

/**
 * An overview of a large holding: equal strips of the address space below one another, each delegation to scale in its strip. Up and Down move
 * between strips, Left and Right between the marks of one, Enter opens the strip.
 */
export function AddressStrips(props: AddressStripsProps) {
  const [wrapper, width] = useWidth();
  return (
    <figure className={classNames(styles.strips, styles[props.kind])} ref={wrapper}>
      {width !== null && <StripsOfWidth {...props} width={width} />}
    </figure>
  );
}

/** A place that keys reach: a strip, or one of its marks. */
type Place = { strip: number; mark: number | null };

/** Returns the listener of keys: Up, Down, Home and End move between strips, Left and Right between the marks of one, Enter and space open. */
function stripKeys(strips: readonly Strip[], place: Place, { go, open }: { go: (place: Place) => void; open: () => void }) {
  const strip = strips[place.strip];
  const toStrip = (index: number) => go({ strip: Math.min(strips.length - 1, Math.max(0, index)), mark: null });
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !strip) return;
    const toMark = (index: number) => go({ strip: place.strip, mark: Math.min(strip.marks.length - 1, Math.max(0, index)) });
    const acts: Record<string, () => void> = {
      ArrowDown: () => toStrip(place.strip + 1),
      ArrowUp: () => toStrip(place.strip - 1),
      Home: () => toStrip(0),
      End: () => toStrip(strips.length - 1),
      ArrowRight: () => toMark(place.mark === null ? 0 : place.mark + 1),
      ArrowLeft: () => toMark(place.mark === null ? 0 : place.mark - 1),
      Enter: open,
      ' ': open,
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}

function StripsOfWidth({
  strips,
  label,
  ticks,
  amountHead,
  current,
  selected,
  onSelect,
  nameOf,
  describedBy,
  width,
}: AddressStripsProps & { width: number }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<{ x: number; y: number; words: string } | null>(null);
  // The strip with the keyboard focus; before a key is pressed the current one.
  const [key, setKey] = useState<Place | null>(null);
  const frame = stripFrame(strips, amountHead, width);
  const { left, barWidth, height } = frame;
  const shown = Math.max(
    strips.findIndex(strip => strip.id === current),
    0,
  );
  const place = key ?? { strip: shown, mark: null };
  const strip = strips[place.strip];
  const focused = place.mark === null ? null : (strip?.marks[place.mark] ?? null);

  const find = (event: MouseEvent) => {
    const edges = box.current?.getBoundingClientRect();
    if (!edges) return null;
    const point = { x: event.clientX - edges.left, y: event.clientY - edges.top };
    const found = stripAt(strips, frame, point);
    return found && { ...found, ...point };
  };
  const press = (event: MouseEvent) => {
    const found = find(event);
    if (!found) return;
    setKey({ strip: found.index, mark: found.mark ? found.row.marks.indexOf(found.mark) : null });
    onSelect(found.row.id, found.mark);
  };
  const hover = (event: MouseEvent) => {
    const found = find(event);
    setAt(found ? { x: found.x, y: found.y, words: found.mark ? nameOf(found.mark) : found.row.words } : null);
  };
  const keys = stripKeys(strips, place, { go: setKey, open: () => strip && onSelect(strip.id, focused) });

  return (
    <>
      <div
        ref={box}
        className={styles.box}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn, not listed
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-describedby={classNames(`${id}-keys`, describedBy)}
        aria-activedescendant={strip ? `${id}-${place.strip}` : undefined}
        onKeyDown={keys}
        onBlur={() => setKey(null)}
        onClick={press}
        onPointerMove={event => (event.pointerType === 'touch' ? setAt(null) : hover(event))}
        onPointerLeave={() => setAt(null)}
      >
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="presentation">
          <StripScale ticks={ticks} amountHead={amountHead} frame={frame} />
          {strips.map((each, index) => (
            <StripRow
              key={each.id}
              id={`${id}-${index}`}
              strip={each}
              y={top + index * pitch}
              left={left}
              barWidth={barWidth}
              width={width}
              current={each.id === current}
              selected={each.marks.some(mark => mark.id === selected) ? selected : null}
              position={index + 1}
              count={strips.length}
            />
          ))}
          {key && strip && <StripFocus frame={frame} strip={place.strip} mark={focused} />}
        </svg>
        {at && (
          <MapTip at={at} maxLeft={Math.max(0, width - 240)}>
            {at.words}
          </MapTip>
        )}
      </div>
      <span className="vh" id={`${id}-keys`}>
        Up and Down move between strips, Left and Right between delegations, Enter shows the place on the map below.
      </span>
      <output className="vh">{focused ? nameOf(focused) : ''}</output>
    </>
  );
}

/** The edge around what has the focus of the keyboard: a strip, or one of its marks. */
const StripFocus = ({ frame: { left, barWidth }, strip, mark }: { frame: StripFrame; strip: number; mark: StripMark | null }) => (
  <rect
    className={styles.focus}
    x={mark ? left + mark.start * barWidth - 2 : left - 2}
    y={top + strip * pitch - 2}
    width={mark ? Math.max(thinnest, mark.share * barWidth) + 4 : barWidth + 4}
    height={barHeight + 4}
  />
);
