import type { ReactNode } from 'react';
import styles from './Beside.module.css';

/** A sheet with its panel to the right, under it where the frame is narrow. The frame has what the shell's navigation leaves of the window. */
export function Beside({ children }: { children: ReactNode }) {
  return <div className={styles.beside}>{children}</div>;
}
