import { type FocusEvent, type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { Button } from '../action/Button.tsx';
import { withRetries } from '../code/with-retries.ts';
import styles from './ColumnChooser.module.css';
import type { ColumnListProps } from './ColumnList.tsx';

const ColumnList = lazy(withRetries(async () => ({ default: (await import('./ColumnList.tsx')).ColumnList })));

/** Which columns are shown, and in which order. */
export function ColumnChooser(list: ColumnListProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (event: FocusEvent) => {
    if (!box.current?.contains(event.relatedTarget)) setOpen(false);
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- closes what the button in it opened
    <div className={styles.chooser} ref={box} onBlur={leave} onKeyDown={escape}>
      <Button variant="quiet" size="s" icon="columns" ref={button} aria-expanded={open} onClick={() => setOpen(!open)}>
        Columns
      </Button>
      {open && (
        <Suspense>
          <ColumnList {...list} />
        </Suspense>
      )}
    </div>
  );
}
