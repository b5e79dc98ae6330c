import { PageHead } from '@portal/ui';
import styles from './Waiting.module.css';

const rows = Array.from({ length: 8 }, (_, row) => row);

/** The navigation while it is loading; the first HTML shows the same. */
export function WaitingNavigation() {
  return (
    <div aria-busy="true" className={styles.side}>
      <output className="vh">Loading navigation</output>
      {rows.map(row => (
        <i key={row} className="Skeleton_bar" />
      ))}
    </div>
  );
}

/** The page while the session is unknown, with its title if that isn't secret; the first HTML shows the same. */
export function WaitingPage({ title }: { title: string | null }) {
  return (
    <div aria-busy="true" className={styles.page}>
      <output className="vh">Loading</output>
      {title === null ? <i className={`Skeleton_bar ${styles.title}`} /> : <PageHead title={title} />}
      <i className={`Skeleton_bar ${styles.words}`} />
      <div className={styles.sheet} />
      <div className={styles.tiles}>
        <div className={styles.sheet} />
        <div className={styles.sheet} />
        <div className={styles.sheet} />
      </div>
    </div>
  );
}
