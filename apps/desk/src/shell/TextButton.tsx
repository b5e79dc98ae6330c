import type { ReactNode } from 'react';
import styles from './TextButton.module.css';

/** A button within words, such as one that shows the rest of a list. */
export const TextButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={styles.text} onClick={onClick}>
    {children}
  </button>
);
