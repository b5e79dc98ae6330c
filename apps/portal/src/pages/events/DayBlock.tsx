import { formatDate } from '@portal/ui';
import styles from './Events.module.css';

/** The first day of an event as a leaf of a calendar. The date beside it says the same to readers of the text. */
export function DayBlock({ instant, timeZone }: { instant: string; timeZone: string }) {
  const part = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(new Date(instant));
  return (
    <span className={styles.day} aria-hidden="true">
      {formatDate(instant, { timeZone, hourCycle: 'h23' }, 'month')}
      <b>{part({ day: 'numeric' })}</b>
      {part({ year: 'numeric' })}
    </span>
  );
}
