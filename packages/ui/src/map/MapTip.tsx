import type { ReactNode } from 'react';
import styles from './MapTip.module.css';

type Props = {
  /** The pointer's position in the map, in px. */
  at: { x: number; y: number };
  /** Right-most start of the tip, so that it stays inside the map. */
  maxLeft: number;
  children: ReactNode;
};

/** The words that follow the pointer over a map. Hidden from screen readers, which hear the focused block. */
export const MapTip = ({ at, maxLeft, children }: Props) => (
  <div
    className={styles.tip}
    style={{ transform: `translate(${Math.min(Math.max(0, at.x + 12), maxLeft)}px, ${at.y + 18}px)` }}
    aria-hidden="true"
  >
    {children}
  </div>
);
