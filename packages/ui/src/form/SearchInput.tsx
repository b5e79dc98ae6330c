import { type CSSProperties, type InputHTMLAttributes, type KeyboardEvent, type Ref, useRef } from 'react';
import { classNames } from '../text/class-names.ts';
import { Icon } from '../text/Icon.tsx';
import { TextInput } from './TextInput.tsx';
import styles from './SearchInput.module.css';

/** Narrows a list while you type. Escape empties it. */
export function SearchInput({
  label,
  value,
  onChange,
  size = 's',
  className,
  ref,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'size'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  size?: 'm' | 's';
  ref?: Ref<HTMLDivElement>;
}) {
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    input.current?.focus();
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || value === '') return;
    event.stopPropagation();
    clear();
  };
  return (
    <div
      className={classNames(styles.search, size === 's' && styles.small, className)}
      // Wide enough for the words that say what is searched.
      style={{ '--letters': (rest.placeholder ?? label).length } as CSSProperties}
      ref={ref}
    >
      <Icon name="search" />
      <TextInput
        placeholder={label}
        {...rest}
        ref={input}
        type="search"
        aria-label={label}
        value={value}
        onChange={event => onChange(event.target.value)}
        onKeyDown={escape}
      />
      {value !== '' && (
        <button type="button" aria-label={`Clear: ${label}`} onClick={clear}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
