import type { CSSProperties, ReactNode } from 'react';
import styles from './LineList.module.css';

type Props = {
  /** Name of the list, for screen readers; where its sheet has a title, left out. */
  label?: string;
  /** Widths of its columns on a wide screen, as CSS; on a narrow one they are below each other. */
  columns: string;
  children: ReactNode;
};

/** A list of things that are opened by their names: each a `Line`. */
export const LineList = ({ label, columns, children }: Props) => (
  <ul className={styles.lines} aria-label={label} style={{ '--columns': columns } as CSSProperties}>
    {children}
  </ul>
);

/** One of the things: its name with what it is, its marks, and a fact in small print. */
export const Line = ({ name, marks, aside }: { name: ReactNode; marks: ReactNode; aside: ReactNode }) => (
  <li className={styles.line}>
    <div>{name}</div>
    <div className={styles.marks}>{marks}</div>
    <p className={styles.aside}>{aside}</p>
  </li>
);
