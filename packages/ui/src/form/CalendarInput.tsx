import { type ComponentProps, useRef, useState } from 'react';
import { Button } from '../action/Button.tsx';
import { classNames } from '../text/class-names.ts';
import { useField } from './Field.tsx';
import styles from './DateInput.module.css';
import inputStyles from './TextInput.module.css';

export type CalendarInputProps = Pick<ComponentProps<'input'>, 'id' | 'min' | 'max' | 'autoComplete'> & {
  /** As the browser’s calendar gives it (`2026-11-25`, `2026-11-25T14:00`); empty, or what was typed and is none. */
  value: string;
  /** `s` in a row of filters. */
  size?: 'm' | 's';
  onChange: (event: { target: { value: string } }) => void;
  onBlur?: () => void;
};

/** The kind of field: how typed text is read, null if it can’t be, and how a value is written. */
type Reading = {
  type: 'date' | 'datetime-local';
  placeholder: string;
  read: (text: string) => string | null;
  write: (value: string) => string;
};

/** One line of text with the browser’s calendar beside it. */
export function CalendarInput({
  value,
  size = 'm',
  onChange,
  onBlur,
  min,
  max,
  type,
  placeholder,
  read,
  write,
  ...rest
}: CalendarInputProps & Reading) {
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
  const change = (text: string): void => onChange({ target: { value: read(text) ?? text } });
  return (
    <span className={classNames(styles.date, type === 'datetime-local' && styles.wide, size === 's' && styles.small)}>
      <input
        {...props}
        ref={words}
        type="text"
        // A form counts the letters of a calendar day, which are fewer.
        maxLength={40}
        placeholder={placeholder}
        className={classNames(inputStyles.input, styles.words)}
        value={typed ?? write(value)}
        onChange={({ target }) => {
          setTyped(target.value);
          change(target.value);
        }}
        onBlur={() => {
          setTyped(null);
          onBlur?.();
        }}
      />
      <Button variant="quiet" icon="calendar" size={size} aria-label="Open calendar" onClick={openCalendar} />
      <input
        ref={calendar}
        type={type}
        tabIndex={-1}
        aria-hidden="true"
        className={styles.calendar}
        min={min}
        max={max}
        value={read(value) ?? ''}
        onChange={({ target }) => {
          setTyped(null);
          change(target.value);
        }}
      />
    </span>
  );
}
