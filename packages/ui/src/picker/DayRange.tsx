import { useId } from 'react';
import { DateInput } from '../form/DateInput.tsx';
import styles from './DayRange.module.css';

/** True for a day written as 2026-10-01. */
export const isDay = (text: string): boolean => /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

type Props = {
  from: string;
  to: string;
  /** The last day there is. */
  max?: string;
  /** Both days are always there: an empty one does not count. */
  required?: boolean;
  onChange: (days: { from: string | null; to: string | null }) => void;
};

/** First and last day of a period in a row of filters; empty: unbounded. One set past the other moves it along. */
export function DayRange({ from, to, max, required = false, onChange }: Props) {
  const day = { max, required };
  return (
    <span className={styles.days}>
      <Day
        {...day}
        label="From"
        value={from}
        onChange={first => onChange({ from: first || null, to: (to !== '' && first > to ? first : to) || null })}
      />
      <Day
        {...day}
        label="To"
        value={to}
        onChange={last => onChange({ from: (last !== '' && last < from ? last : from) || null, to: last || null })}
      />
    </span>
  );
}

type DayProps = { label: string; value: string; max: string | undefined; required: boolean; onChange: (day: string) => void };

/** A day that counts once it is complete; one that is incomplete or past the last is replaced by the current one when the field is left. */
function Day({ label, value, max, required, onChange }: DayProps) {
  const id = useId();
  return (
    <span className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <DateInput
        id={id}
        size="s"
        max={max}
        autoComplete="off"
        value={value}
        onChange={({ target: { value: day } }) => {
          if (day !== value && (day === '' ? !required : isDay(day) && (max === undefined || day <= max))) onChange(day);
        }}
      />
    </span>
  );
}
