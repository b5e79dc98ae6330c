import type { ReactNode } from 'react';
import styles from './PageHead.module.css';

/** The head of a page: what it is, one sentence about it, its acts. */
export function PageHead({
  title,
  sub,
  breadcrumb,
  actions,
}: {
  title: ReactNode;
  sub?: ReactNode;
  breadcrumb?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={styles.head}>
      {breadcrumb && <div className={styles.crumbs}>{breadcrumb}</div>}
      <div className={styles.line}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {sub && <p>{sub}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
