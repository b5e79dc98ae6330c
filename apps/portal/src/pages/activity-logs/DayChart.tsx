/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a list of days to choose from, drawn to scale: no element of HTML is one */
import { classNames, Disclosure, formatCount, formatDate } from '@portal/ui';
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import styles from './DayChart.module.css';
import type { Span } from './period.ts';

type Pull = { anchor: number; head: number };

export type DayCount = { day: string; done: number; refused: number };

const height = 64;
const wide = 10;
const inWords = (day: string): string => formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');
const countsOf = ({ done, refused }: DayCount): string =>
  done + refused === 0 ? 'nothing' : `${formatCount(done)} done${refused > 0 ? `, ${formatCount(refused)} refused` : ''}`;

/**
 * Activities per day, as bars for choosing one or several days: click, or drag over several; with the keyboard arrow keys move,
 * Shift extends, Enter chooses, Escape cancels. A table below shows the same.
 */
export function DayChart({
  days,
  chosen,
  onChoose,
  timeZone,
}: {
  days: readonly DayCount[];
  chosen: Span | null;
  onChoose: (span: Span | null) => void;
  timeZone: string;
}) {
  const drawing = useRef<SVGSVGElement>(null);
  const [place, setPlace] = useState<number | null>(null);
  /** The start of a range, and its current end until the pointer or Shift is released. */
  const [pull, setPull] = useState<Pull | null>(null);
  const last = days.length - 1;
  const most = Math.max(1, ...days.map(({ done, refused }) => done + refused));
  const chosenEnd = chosen ? days.findIndex(({ day }) => day === chosen.to) : -1;
  const stop = Math.min(place ?? (chosenEnd >= 0 ? chosenEnd : last), last);
  const marked = pull
    ? { from: days[Math.min(pull.anchor, pull.head)]?.day ?? '', to: days[Math.max(pull.anchor, pull.head)]?.day ?? '' }
    : chosen;

  const spanOf = (one: number, other: number): Span => ({ from: days[Math.min(one, other)]!.day, to: days[Math.max(one, other)]!.day });
  const choose = (one: number, other: number) => {
    const span = spanOf(one, other);
    onChoose(chosen && chosen.from === span.from && chosen.to === span.to ? null : span);
  };
  const keys = useDayKeys({ drawing, last, stop, chosen, pull, setPlace, setPull, choose, onChoose });

  const dayAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = drawing.current!.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * days.length)));
  };
  const press = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    const at = dayAt(event);
    setPlace(at);
    setPull({ anchor: at, head: at });
  };
  const drag = (event: PointerEvent) => {
    if (pull && event.buttons > 0) setPull({ anchor: pull.anchor, head: dayAt(event) });
  };
  const release = () => {
    if (!pull) return;
    choose(pull.anchor, pull.head);
    setPull(null);
  };

  return (
    <figure className={styles.figure}>
      <div className={styles.plot}>
        <span className={styles.most} aria-hidden="true">
          {formatCount(most)}
        </span>
        <svg
          ref={drawing}
          className={styles.drawing}
          viewBox={`0 0 ${days.length * wide} ${height}`}
          preserveAspectRatio="none"
          role="listbox"
          aria-label={`Activities by day, ${inWords(days[0]?.day ?? '')} to ${inWords(days[last]?.day ?? '')}`}
          aria-multiselectable="true"
          tabIndex={-1}
          onKeyDown={keys}
          onPointerDown={press}
          onPointerMove={drag}
          onPointerUp={release}
          onPointerCancel={() => setPull(null)}
        >
          {days.map((counted, index) => {
            return (
              <DayBar
                key={counted.day}
                counted={counted}
                index={index}
                most={most}
                marked={marked}
                isStop={index === stop}
                onFocus={() => setPlace(index)}
              />
            );
          })}
        </svg>
      </div>
      <DayAxis days={days} />
      <figcaption className={styles.caption}>
        <span>
          <i className={styles.doneKey} /> done
        </span>
        <span>
          <i className={styles.refusedKey} /> refused
        </span>
        <span className={styles.zone}>Days of {timeZone.replaceAll('_', ' ')}. Click a day or drag to select several.</span>
      </figcaption>
      <DayTable days={days} onChoose={onChoose} />
    </figure>
  );
}

/** The same data as a table. */
function DayTable({ days, onChoose }: { days: readonly DayCount[]; onChoose: (span: Span) => void }) {
  const busy = days.filter(({ done, refused }) => done + refused > 0);
  return (
    <Disclosure summary="Show as a table">
      {busy.length === 0 ? (
        <p className="small quiet">No activity on these days.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Done</th>
              <th scope="col">Refused</th>
            </tr>
          </thead>
          <tbody>
            {busy.toReversed().map(({ day, done, refused }) => (
              <tr key={day}>
                <th scope="row">
                  <button type="button" onClick={() => onChoose({ from: day, to: day })}>
                    {inWords(day)}
                  </button>
                </th>
                <td>{formatCount(done)}</td>
                <td>{formatCount(refused)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Disclosure>
  );
}

function DayAxis({ days }: { days: readonly DayCount[] }) {
  const marks = days.flatMap(({ day }, index) => (isMark(day, days.length) ? [{ day, at: ((index + 0.5) / days.length) * 100 }] : []));
  return (
    <div className={styles.axis} aria-hidden="true">
      {marks.map(({ day, at }) => (
        <span key={day} style={{ left: `${at}%` }}>
          {markWords(day, days.length)}
        </span>
      ))}
    </div>
  );
}

/** A day: changes, with refused attempts stacked on top. */
function DayBar({
  counted,
  index,
  most,
  marked,
  isStop,
  onFocus,
}: {
  counted: DayCount;
  index: number;
  most: number;
  marked: Span | null;
  isStop: boolean;
  onFocus: () => void;
}) {
  const { day, done, refused } = counted;
  const isMarked = marked !== null && day >= marked.from && day <= marked.to;
  const high = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 4)));
  const doneHigh = high(done);
  const refusedHigh = high(refused);
  return (
    <g
      role="option"
      aria-selected={isMarked}
      aria-label={`${inWords(day)}: ${countsOf(counted)}`}
      tabIndex={isStop ? 0 : -1}
      className={classNames(styles.day, isMarked && styles.marked, marked && !isMarked && styles.aside)}
      onFocus={onFocus}
    >
      <title>{`${inWords(day)}: ${countsOf(counted)}`}</title>
      <rect className={styles.place} x={index * wide} y={0} width={wide} height={height} />
      <rect className={styles.done} x={index * wide + 1.5} y={height - doneHigh} width={wide - 3} height={doneHigh} />
      <rect
        className={styles.refused}
        x={index * wide + 1.5}
        y={Math.max(0, height - doneHigh - refusedHigh)}
        width={wide - 3}
        height={refusedHigh}
      />
    </g>
  );
}

/** Returns the keyboard handler: arrows move, Shift extends, Enter chooses, Escape cancels. */
function useDayKeys({
  drawing,
  last,
  stop,
  chosen,
  pull,
  setPlace,
  setPull,
  choose,
  onChoose,
}: {
  drawing: RefObject<SVGSVGElement | null>;
  last: number;
  stop: number;
  chosen: Span | null;
  pull: Pull | null;
  setPlace: (place: number) => void;
  setPull: (pull: Pull | null) => void;
  choose: (one: number, other: number) => void;
  onChoose: (span: Span | null) => void;
}) {
  const move = (to: number) => {
    const next = Math.max(0, Math.min(last, to));
    setPlace(next);
    drawing.current?.querySelectorAll<SVGGElement>('[role=option]')[next]?.focus();
    return next;
  };
  const steps: Record<string, (at: number) => number> = {
    ArrowLeft: at => at - 1,
    ArrowRight: at => at + 1,
    PageUp: at => at - 7,
    PageDown: at => at + 7,
    Home: () => 0,
    End: () => last,
  };
  const keys = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const next = move(step(stop));
      setPull(event.shiftKey ? { anchor: pull?.anchor ?? stop, head: next } : null);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      choose(pull?.anchor ?? stop, stop);
      setPull(null);
    } else if (event.key === 'Escape' && (pull || chosen)) {
      event.preventDefault();
      if (!pull) onChoose(null);
      setPull(null);
    }
  };
  return keys;
}

/** Mondays of a month, the 1st and 15th of a quarter, the 1st of a year's months. */
function isMark(day: string, count: number): boolean {
  if (count > 120) return day.endsWith('-01');
  if (count > 45) return day.endsWith('-01') || day.endsWith('-15');
  return new Date(day).getUTCDay() === 1;
}

const markWords = (day: string, count: number): string => inWords(day).replace(count > 120 ? /^\d+ | \d{4}$/g : / \d{4}$/, '');
