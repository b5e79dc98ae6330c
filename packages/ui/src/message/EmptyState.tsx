import { type ReactNode, useId } from 'react';
import styles from './EmptyState.module.css';

/** An empty list: what belongs here, and the first step. */
export function EmptyState({
  title,
  children,
  action,
  picture = true,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  picture?: boolean;
}) {
  const hatch = useId();
  return (
    <div className={styles.empty}>
      {picture && (
        <svg viewBox="0 0 132 48" aria-hidden="true">
          <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0v6" className={styles.line} />
          </pattern>
          <rect className={styles.free} fill={`url(#${hatch})`} x=".5" y=".5" width="131" height="47" />
          <rect className={styles.place} x="34" y="2" width="30" height="44" />
        </svg>
      )}
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
