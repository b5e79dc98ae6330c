import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useDimming } from '../overlay/dimming.tsx';
import { classNames } from '../text/class-names.ts';
import styles from './SideDialog.module.css';

/** A dialog as high as the window at one of its sides. The focus stays inside until it closes: by Escape, by a press outside, or on an element that `closedBy` selects. */
export function SideDialog({
  side,
  open,
  onClose,
  closedBy,
  children,
  ...name
}: {
  side: 'left' | 'right';
  open: boolean;
  onClose: () => void;
  /** Selects elements inside that close it when they are pressed. */
  closedBy?: string;
  children: ReactNode;
} & ({ 'aria-label': string } | { 'aria-labelledby': string })) {
  const dialog = useRef<HTMLDialogElement>(null);
  useDimming(open);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  const press = (event: MouseEvent<HTMLDialogElement>) => {
    const pressed = event.target as Element;
    if (pressed === event.currentTarget || (closedBy && pressed.closest(closedBy))) onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the browser's
    <dialog ref={dialog} className={classNames(styles.dialog, styles[side])} {...name} onClose={onClose} onClick={press}>
      {open && <div className={styles.sheet}>{children}</div>}
    </dialog>
  );
}
