import type { ReactNode } from 'react';
import { Drawer } from '../layout/Drawer.tsx';
import styles from './Shell.module.css';

/** The frame of every page: bar above, navigation at the side (in a drawer up to 991 px), page and footer. */
export function Shell({
  top,
  side,
  footer,
  narrow,
  menuOpen,
  onMenuClose,
  children,
}: {
  top: ReactNode;
  side?: ReactNode;
  footer?: ReactNode;
  /** The navigation shows only its icons, on a page that needs the room; the drawer of small screens shows all of it. */
  narrow?: boolean;
  menuOpen: boolean;
  onMenuClose: () => void;
  children: ReactNode;
}) {
  return (
    <div className={styles.shell} data-bare={side ? undefined : ''} data-narrow={narrow || undefined}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {top}
      {side && <div className={styles.side}>{side}</div>}
      {side && (
        <Drawer open={menuOpen} onClose={onMenuClose} label="Menu">
          {side}
        </Drawer>
      )}
      <div className={styles.main}>
        <main id="main" className={styles.page} tabIndex={-1}>
          {children}
        </main>
        {footer}
      </div>
    </div>
  );
}
