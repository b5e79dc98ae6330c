import { type ComponentProps, useRef, useState } from 'react';
import { Button } from '../action/Button.tsx';
import { formatDate } from '../text/DateText.tsx';
import { useField } from './Field.tsx';
import { dayOf } from './day-of.ts';
import styles from './DateInput.module.css';
import inputStyles from './TextInput.module.css';
import { classNames } from '../text/class-names.ts';

/** A day in words: `25 Nov 2026`; what is no day stays as it was typed. */
const inWords = (value: string): string =>
  dayOf(value) === null ? value : formatDate(value, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');

type Props = Pick<ComponentProps<'input'>, 'id' | 'min' | 'max' | 'autoComplete'> & {
  /** The day, `2026-11-25`; empty, or what was typed and is none. */
  value: string;
  onChange: (event: { target: { value: string } }) => void;
  onBlur?: () => void;
};

/**
 * A day, written as everywhere in the portal (`25 Nov 2026`) whatever the browser's language, or chosen from the calendar. Also takes `2026-11-25`, `25 November 2026` and
 * `25.11.2026`; not `11/12/2026`, which is two days.
 */
export function DateInput({ value, onChange, onBlur, min, max, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const calendar = useRef<HTMLInputElement>(null);
  const props = useField(rest);
  const words = useRef<HTMLInputElement>(null);
  const openCalendar = (): void => {
    try {
      calendar.current?.showPicker();
    } catch {
      // Browsers open none for a framed page of another origin.
      words.current?.focus();
    }
  };
  const change = (text: string): void => onChange({ target: { value: dayOf(text) ?? text } });
  return (
    <span className={styles.date}>
      <input
        {...props}
        ref={words}
        type="text"
        // A form counts the letters of a calendar day, which are fewer.
        maxLength={40}
        placeholder="Day month year"
        className={classNames(inputStyles.input, styles.words)}
        value={typed ?? inWords(value)}
        onChange={({ target }) => {
          setTyped(target.value);
          change(target.value);
        }}
        onBlur={() => {
          setTyped(null);
          onBlur?.();
        }}
      />
      <Button variant="quiet" icon="calendar" aria-label="Open calendar" onClick={openCalendar} />
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        className={styles.calendar}
        min={min}
        max={max}
        value={dayOf(value) ?? ''}
        onChange={({ target }) => {
          setTyped(null);
          change(target.value);
        }}
      />
    </span>
  );
}
