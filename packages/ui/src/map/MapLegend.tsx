import type { ReactNode } from 'react';
import { classNames } from '../text/class-names.ts';
import styles from './MapLegend.module.css';

/** The kinds of blocks of a map with their amounts: a `span` each. As `figcaption` inside the figure of a map. */
export const MapLegend = ({ as: Tag = 'p', className, children }: { as?: 'p' | 'figcaption'; className?: string; children: ReactNode }) => (
  <Tag className={classNames(styles.legend, className)}>{children}</Tag>
);
