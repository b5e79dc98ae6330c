import { type ReactNode, useEffect } from 'react';
import { Button } from '../action/Button.tsx';
import styles from './Drawer.module.css';
import { SideDialog } from './SideDialog.tsx';

/** Navigation that slides in over the page up to 991 px. The focus stays inside until it closes: by Escape, by the button, by a press outside or on a link in it. */
export function Drawer({ open, onClose, label, children }: { open: boolean; onClose: () => void; label: string; children: ReactNode }) {
  useEffect(() => {
    if (!open) return;
    const wide = window.matchMedia('(min-width: 992px)');
    const close = () => wide.matches && onClose();
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [open, onClose]);
  return (
    <SideDialog side="left" open={open} onClose={onClose} closedBy="a" aria-label={label}>
      <div className={styles.head}>
        <Button variant="quiet" icon="close" aria-label="Close menu" onClick={onClose} />
      </div>
      {children}
    </SideDialog>
  );
}
