import { type KeyboardEvent, memo, type MouseEvent, useId, useMemo, useRef, useState } from 'react';
import styles from './AddressStrips.module.css';
import { MapTip } from './MapTip.tsx';
import { useWidth } from './map-width.ts';
import { classNames } from '../text/class-names.ts';

/** Registered share of a delegation. */
export type StripKind = 'unassigned' | 'partly' | 'full' | 'own' | 'held';
/** A delegation in its strip, or several too near one another to draw apart (`count` over 1); `start` and `share` are parts of the strip, 0 to 1. */
export type StripMark = { id: string; kind: StripKind; start: number; share: number; count: number };
/** One equal part of the address space. */
export type Strip = {
  id: string;
  /** Before the strip: 113 */
  label: string;
  /** After the strip: how much is held in it. */
  amount: string;
  /** For those who hear it: "113.0.0.0/8, 28 delegations, 4 767 744 addresses". */
  words: string;
  marks: readonly StripMark[];
};

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

const kinds: readonly StripKind[] = ['unassigned', 'own', 'partly', 'full', 'held'];
const pitch = 20;
const barHeight = 13;
const top = 26;
/** A delegation is never too thin to be seen. */
const thinnest = 1.6;

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
  const [key, setKey] = useState<{ strip: number; mark: number | null } | null>(null);
  const left = Math.max(34, Math.max(...strips.map(strip => strip.label.length)) * 6.9 + 13);
  const right = Math.max(64, Math.max(amountHead.length * 6.8, ...strips.map(strip => strip.amount.length * 6.9)) + 16);
  const barWidth = Math.max(60, width - left - right);
  const height = top + strips.length * pitch;
  const shown = Math.max(
    strips.findIndex(strip => strip.id === current),
    0,
  );
  const place = key ?? { strip: shown, mark: null };
  const strip = strips[place.strip];
  const focused = place.mark === null ? null : (strip?.marks[place.mark] ?? null);

  const find = (event: MouseEvent) => {
    const box_ = box.current?.getBoundingClientRect();
    if (!box_) return null;
    const x = event.clientX - box_.left;
    const y = event.clientY - box_.top;
    const index = Math.floor((y - top + (pitch - barHeight) / 2) / pitch);
    const row = strips[index];
    if (!row || y < top - 4) return null;
    const share = (x - left) / barWidth;
    const near = 4 / barWidth;
    let best: StripMark | null = null;
    let distance = near;
    for (const mark of row.marks) {
      const away = share < mark.start ? mark.start - share : Math.max(0, share - mark.start - mark.share);
      if (away < distance) {
        best = mark;
        distance = away;
      }
    }
    return { x, y, index, row, mark: best };
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
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !strip) return;
    const toStrip = (index: number) => setKey({ strip: Math.min(strips.length - 1, Math.max(0, index)), mark: null });
    const toMark = (index: number) => setKey({ strip: place.strip, mark: Math.min(strip.marks.length - 1, Math.max(0, index)) });
    const acts: Record<string, () => void> = {
      ArrowDown: () => toStrip(place.strip + 1),
      ArrowUp: () => toStrip(place.strip - 1),
      Home: () => toStrip(0),
      End: () => toStrip(strips.length - 1),
      ArrowRight: () => toMark(place.mark === null ? 0 : place.mark + 1),
      ArrowLeft: () => toMark(place.mark === null ? 0 : place.mark - 1),
      Enter: () => onSelect(strip.id, focused),
      ' ': () => onSelect(strip.id, focused),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

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
          <g aria-hidden="true">
            {ticks.map((tick, index) => {
              const share = index / (ticks.length - 1);
              const anchor = index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle';
              if (width < 460 && index % 2 === 1) return null;
              return (
                <text key={tick + String(index)} className={styles.quiet} x={left + share * barWidth} y="10" textAnchor={anchor}>
                  {tick}
                </text>
              );
            })}
            <text className={styles.quiet} x={width} y="10" textAnchor="end">
              {amountHead}
            </text>
            <path className={styles.edge} d={`M${left} 20.5h${barWidth}`} />
            {[0, 1, 2, 3, 4, 5, 6, 7].map(eighth => (
              <rect key={eighth} className={styles.ink} x={left + (eighth * barWidth) / 8} y="17" width={barWidth / 16} height="3.5" />
            ))}
            {[0.25, 0.5, 0.75].map(share => (
              <path key={share} className={styles.graticule} d={`M${(left + share * barWidth).toFixed(1)} ${top - 2}V${height - 5}`} />
            ))}
          </g>
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
          {key && strip && (
            <rect
              className={styles.focus}
              x={focused ? left + focused.start * barWidth - 2 : left - 2}
              y={top + place.strip * pitch - 2}
              width={focused ? Math.max(thinnest, focused.share * barWidth) + 4 : barWidth + 4}
              height={barHeight + 4}
            />
          )}
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

type RowProps = {
  id: string;
  strip: Strip;
  y: number;
  left: number;
  barWidth: number;
  width: number;
  current: boolean;
  selected: string | null;
  position: number;
  count: number;
};

/** One path per kind, regardless of the number of delegations: a thousand are drawn as quickly as ten. */
const StripRow = memo(function StripRow({ id, strip, y, left, barWidth, width, current, selected, position, count }: RowProps) {
  const paths = useMemo(
    () =>
      kinds.flatMap(kind => {
        const path = strip.marks
          .filter(mark => mark.kind === kind)
          .map(mark => {
            const w = Math.max(thinnest, mark.share * barWidth);
            const x = Math.min(left + mark.start * barWidth, left + barWidth - w);
            return `M${x.toFixed(1)} ${y}h${w.toFixed(1)}v${barHeight}h-${w.toFixed(1)}z`;
          })
          .join('');
        return path ? [[kind, path] as const] : [];
      }),
    [strip.marks, barWidth, left, y],
  );
  const mark = strip.marks.find(each => each.id === selected);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn, not listed
    <g role="option" id={id} aria-selected={current} aria-label={strip.words} aria-posinset={position} aria-setsize={count}>
      <g aria-hidden="true">
        <text className={current ? styles.label : styles.coordinate} x={left - 9} y={y + barHeight - 3} textAnchor="end">
          {strip.label}
        </text>
        <rect className={styles.base} x={left} y={y} width={barWidth} height={barHeight} />
        {paths.map(([kind, path]) => (
          <path key={kind} className={styles[kind]} d={path} />
        ))}
        <text className={current ? styles.strong : styles.amount} x={width} y={y + barHeight - 3} textAnchor="end">
          {strip.amount}
        </text>
        {current && <rect className={styles.frame} x={left - 1} y={y - 2.5} width={barWidth + 2} height={barHeight + 5} />}
        {mark && (
          <path className={styles.pointer} d={`M${(left + (mark.start + mark.share / 2) * barWidth).toFixed(1)} ${y - 1}l-4-5h8z`} />
        )}
      </g>
    </g>
  );
});
