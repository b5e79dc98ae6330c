import { type ReactNode, useId } from 'react';
import styles from './Segmented.module.css';

/** A choice between a few views of the same thing; one is always chosen. Arrow keys move between them. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  /** `tone`: the look of an option while it is chosen, where its effect is to be seen at a glance. */
  options: readonly { value: Value; label: ReactNode; tone?: 'accent' | 'danger' | undefined }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.segmented}>
      {options.map(option => (
        <label key={option.value} data-tone={option.tone}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  );
}
