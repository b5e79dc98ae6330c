import { Select } from '../form/Select.tsx';
import styles from './FilterSelect.module.css';

/** A choice above a table, as high as its filter field. The first option is the one that filters nothing. `className` replaces its width. */
export function FilterSelect({
  label,
  value,
  options,
  onChange,
  className = styles.filter,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  className?: string | undefined;
}) {
  return (
    <Select
      aria-label={label}
      size="s"
      className={className}
      value={value}
      onChange={event => onChange(event.target.value)}
      options={options}
    />
  );
}
