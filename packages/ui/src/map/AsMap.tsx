import styles from './AsMap.module.css';
import { formatCount, formatRange } from '../text/Count.tsx';

export type MapNumber = { id: string; label: string; name?: string | undefined; state?: 'delegated' | 'held' };

/** AS numbers on a ruled line. They have no extent, so they are drawn in order, not to scale. */
export function AsMap({
  numbers,
  selected,
  onSelect,
  describedBy,
}: {
  numbers: readonly MapNumber[];
  selected?: string | null;
  onSelect?: (id: string) => void;
  describedBy?: string;
}) {
  return (
    <ul className={styles.row} aria-label={`${formatCount(numbers.length)} AS numbers`} aria-describedby={describedBy}>
      {numbers.map(number => (
        <li key={number.id}>
          <button
            type="button"
            aria-pressed={number.id === selected}
            onClick={() => onSelect?.(number.id)}
            data-held={number.state === 'held' || undefined}
          >
            <span className={styles.number} translate="no">
              {formatRange(number.label)}
            </span>
            <span className={styles.name}>
              {number.name}
              {number.state === 'held' && ' held'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
