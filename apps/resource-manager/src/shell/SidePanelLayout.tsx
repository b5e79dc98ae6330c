import { classNames, useNarrow } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './SidePanelLayout.module.css';

/** A sheet with its panel on the right in windows of at least 1200 px, below it in smaller ones. */
export function SidePanelLayout({ children }: { children: ReactNode }) {
  const narrow = useNarrow();
  return <div className={classNames(styles.beside, !narrow && styles.wide)}>{children}</div>;
}
