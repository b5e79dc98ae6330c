import type { ReactNode } from 'react';
import styles from './Footer.module.css';

/** The footer of the shell: how far the ledger and what follows from it have come, then links and the owner. */
export function Footer({
  ledger,
  facts = [],
  asOf,
  children,
}: {
  ledger?: ReactNode;
  facts?: ReactNode[];
  asOf?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <footer className={styles.foot}>
      {ledger && <span className={styles.pulse}>{ledger}</span>}
      {facts.map((fact, index) => (
        <span key={index} className="only-wide">
          {fact}
        </span>
      ))}
      {asOf && <span>{asOf}</span>}
      <span className={styles.end}>{children}</span>
    </footer>
  );
}
