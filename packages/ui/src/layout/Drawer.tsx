import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../action/Button.tsx';
import styles from './Drawer.module.css';

/** Navigation that slides in over the page up to 991 px. The focus stays inside until it closes: by Escape, by the button, by a press beside it or on a link in it. */
export function Drawer({ open, onClose, label, children }: { open: boolean; onClose: () => void; label: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  useEffect(() => {
    if (!open) return;
    const wide = window.matchMedia('(min-width: 992px)');
    const close = () => wide.matches && onClose();
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [open, onClose]);
  const press = (event: MouseEvent<HTMLDialogElement>) => {
    const pressed = event.target as Element;
    if (pressed === event.currentTarget || pressed.closest('a')) onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the browser's
    <dialog ref={dialog} className={styles.drawer} aria-label={label} onClose={onClose} onClick={press}>
      {open && (
        <div className={styles.sheet}>
          <div className={styles.head}>
            <Button variant="quiet" icon="close" aria-label="Close menu" onClick={onClose} />
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
