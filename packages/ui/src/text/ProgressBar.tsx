import { type ReactNode, useId } from 'react';
import styles from './ProgressBar.module.css';

/** Long work: items done and refused of all, and in words rate and time left. Without `total` the amount is not known yet. */
export function ProgressBar({
  label,
  done,
  refused = 0,
  total,
  words,
}: {
  label: ReactNode;
  done: number;
  refused?: number;
  total?: number;
  words?: ReactNode;
}) {
  const id = useId();
  const share = (count: number) => (total ? `${Math.min(100, (count / total) * 100)}%` : '0%');
  return (
    <div>
      <div className={styles.words}>
        <b id={id}>{label}</b>
        <span>{words}</span>
      </div>
      <progress
        className="vh"
        aria-labelledby={id}
        max={total}
        value={total ? done + refused : undefined}
        aria-valuetext={typeof words === 'string' ? words : undefined}
      />
      <div className={styles.progress} aria-hidden="true">
        {total ? (
          <>
            <i style={{ width: share(done) }} />
            {refused > 0 && <i className={styles.refused} style={{ left: share(done), width: share(refused) }} />}
          </>
        ) : (
          <i className={styles.unknown} />
        )}
      </div>
    </div>
  );
}
