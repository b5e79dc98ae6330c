import styles from './Waiting.module.css';

const rows = Array.from({ length: 8 }, (_, row) => row);

/** The navigation while it is on its way; the first HTML shows the same. */
export function WaitingNavigation() {
  return (
    <div role="status" aria-label="Loading navigation" className={styles.side}>
      {rows.map(row => (
        <i key={row} className="Skeleton_bar" />
      ))}
    </div>
  );
}

/** The page while it is not known what or whose it is; the first HTML shows the same. */
export function WaitingPage() {
  return (
    <div role="status" aria-label="Loading" className={styles.page}>
      <i className={`Skeleton_bar ${styles.title}`} />
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
