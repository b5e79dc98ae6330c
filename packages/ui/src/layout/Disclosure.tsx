import type { ReactNode } from 'react';
import { Icon } from '../text/Icon.tsx';
import styles from './Disclosure.module.css';

/** Expandable details. */
export function Disclosure({ summary, open, children }: { summary: ReactNode; open?: boolean; children: ReactNode }) {
  return (
    <details className={styles.disclosure} open={open}>
      <summary>
        <Icon name="chevron-right" />
        {summary}
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
