import type { ReactNode } from 'react';
import styles from './Stat.module.css';

/** The one number of a small picture, with its unit. */
export function Stat({ value, unit }: { value: ReactNode; unit?: ReactNode }) {
  return (
    <p className={styles.stat}>
      <b>{value}</b>
      {unit && <span>{unit}</span>}
    </p>
  );
}
