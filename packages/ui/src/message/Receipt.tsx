import type { ReactNode } from 'react';
import { classNames } from '../text/class-names.ts';
import { Icon, type IconName } from '../text/Icon.tsx';
import styles from './Receipt.module.css';

export type ReceiptLine = {
  /** The place the change must reach: ledger, whois, RDAP, reverse DNS, RPKI, e-mail. */
  place: string;
  what?: ReactNode;
  state: 'done' | 'running' | 'waiting' | 'refused';
  /** Duration, or "waits". */
  time?: ReactNode;
};

const marks: Record<ReceiptLine['state'], { icon: IconName; word: string }> = {
  done: { icon: 'valid', word: 'Done' },
  running: { icon: 'running', word: 'In progress' },
  waiting: { icon: 'waiting', word: 'Waiting' },
  refused: { icon: 'invalid', word: 'Refused' },
};

/** The publication receipt: one line per place, in the order in which the change travels. */
export function Receipt({ lines, columns = 1, label = 'Publication receipt' }: { lines: ReceiptLine[]; columns?: 1 | 2; label?: string }) {
  return (
    <ol className={classNames(styles.receipt, columns === 2 && styles.two)} aria-label={label} aria-live="polite">
      {lines.map(line => (
        <li key={line.place} className={styles[line.state]}>
          <Icon name={marks[line.state].icon} label={marks[line.state].word} />
          <span className={styles.where}>{line.place}</span>
          <span className={styles.what}>{line.what}</span>
          <span className={styles.time}>{line.time}</span>
        </li>
      ))}
    </ol>
  );
}
