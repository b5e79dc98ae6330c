import { createContext, type FocusEvent, type KeyboardEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import { Button } from '../action/Button.tsx';
import type { IconName } from '../text/Icon.tsx';
import styles from './TableMenu.module.css';

/** Closes the list around, and gives the focus back to its button. */
export const MenuClosing = /* @__PURE__ */ createContext<() => void>(() => undefined);

/** A button above a table that opens a list under it; Escape and leaving it close it. */
export function TableMenu({ label, icon, children }: { label: string; icon: IconName; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (event: FocusEvent) => {
    if (!box.current?.contains(event.relatedTarget)) setOpen(false);
  };
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    close();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- closes what the button in it opened
    <div className={styles.menu} ref={box} onBlur={leave} onKeyDown={escape}>
      <Button variant="quiet" size="s" icon={icon} ref={button} aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </Button>
      {open && (
        <MenuClosing value={close}>
          <Suspense>{children}</Suspense>
        </MenuClosing>
      )}
    </div>
  );
}
