import type { ReactNode } from 'react';
import styles from './Footer.module.css';

/** The footer of the shell: the owner's mark, whether everything works, then links and the owner. */
export function Footer({ mark, pulse, children }: { mark?: ReactNode; pulse?: ReactNode; children?: ReactNode }) {
  return (
    <footer className={styles.foot}>
      {mark && <span>{mark}</span>}
      {pulse}
      <span className={styles.end}>{children}</span>
    </footer>
  );
}
