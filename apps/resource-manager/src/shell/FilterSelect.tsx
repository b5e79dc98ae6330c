import { Select } from '@portal/ui';
import styles from './FilterSelect.module.css';

/** A choice above a table, as high as its filter field. The first option is the one that filters nothing. */
export function FilterSelect({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <Select
      aria-label={label}
      size="s"
      className={styles.filter}
      value={value}
      onChange={event => onChange(event.target.value)}
      options={options}
    />
  );
}
