import type { ReactNode } from 'react';
import styles from './FooterPulse.module.css';

/** A sentence about what runs behind the pages, with a dot in the colour of its state. The words say the same. */
export const FooterPulse = ({ state, children }: { state: 'working' | 'late' | 'down'; children: ReactNode }) => (
  <span className={styles.pulse} data-state={state}>
    {children}
  </span>
);
