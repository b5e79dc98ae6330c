import { useState } from 'react';
import styles from './DayRange.module.css';

/** True for a day written as 2026-10-01. */
export const isDay = (text: string): boolean => /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** First and last day of a period in a row of filters; empty: as far as there is anything. */
export function DayRange({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: (days: { from: string | null; to: string | null }) => void;
}) {
  return (
    <span className={styles.days}>
      <Day label="From" value={from} onChange={day => onChange({ from: day || null, to: (to !== '' && day > to ? day : to) || null })} />
      <Day label="To" value={to} onChange={day => onChange({ from: (day !== '' && day < from ? day : from) || null, to: day || null })} />
    </span>
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  // A day counts once it is whole; a change from elsewhere (a link, the way back) puts an end to what is being typed.
  const [typed, setTyped] = useState({ text: value, above: value });
  return (
    <label className={styles.day}>
      {label}
      <input
        type="date"
        value={typed.above === value ? typed.text : value}
        onChange={({ target: { value: day } }) => {
          setTyped({ text: day, above: value });
          if (day !== value && (day === '' || isDay(day))) onChange(day);
        }}
      />
    </label>
  );
}
