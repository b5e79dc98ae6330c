import { DateText } from '@portal/ui';
import { type CSSProperties, useState } from 'react';
import { placesOn, timeLeft } from './life.ts';
import styles from './ValidityBar.module.css';

type Props = {
  label: string;
  /** Instants of the beginning and the end. */
  from: string;
  to: string;
  /** How long before the end it is renewed, in ms, and the label of that part. */
  renewMs: number;
  renewal: string;
  /** Dates suffice for a lifetime of months; manifests, which validators see in UTC, live for a day. */
  shape?: 'date' | 'date-time' | 'utc';
};

/** Places a label above its mark, within the line even near its ends. */
const placeOfWord = (place: number): CSSProperties =>
  place < 0.08 ? { left: 0 } : place > 0.92 ? { right: 0 } : { left: `${(place * 100).toFixed(2)}%`, transform: 'translateX(-50%)' };

/** A lifetime drawn as a line: the past is solid, the rest is tinted, the renewal period is hatched, and a mark shows the present. */
export function ValidityBar({ label, from, to, renewMs, renewal, shape = 'date' }: Props) {
  const [now] = useState(() => Date.now());
  const places = placesOn({ from, to, renewMs }, now);
  const left = timeLeft(to, now);
  const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;
  return (
    <figure className={styles.life} aria-label={`${label}: ${left === null ? 'it has ended' : `${left} left`}, ${renewal} before its end`}>
      <div className={styles.today} aria-hidden="true">
        <span style={placeOfWord(places.now)}>{left === null ? 'Ended' : shape === 'date' ? 'Today' : 'Now'}</span>
      </div>
      <div className={left === null ? `${styles.line} ${styles.ended}` : styles.line} aria-hidden="true">
        <span className={styles.renewal} style={{ left: percent(places.renewal) }} />
        <span className={styles.passed} style={{ width: percent(places.now) }} />
        <span className={styles.now} style={{ left: percent(places.now) }} />
      </div>
      <figcaption className={styles.words}>
        <DateText value={from} shape={shape} />
        <span className={styles.middle}>{left === null ? 'ended' : `${left} left, ${renewal} before`}</span>
        <DateText value={to} shape={shape} />
      </figcaption>
    </figure>
  );
}
