import { type ReactNode, useId } from 'react';
import { Button } from '../action/Button.tsx';
import { classNames } from '../text/class-names.ts';
import styles from './Panel.module.css';

export type PanelProps = {
  title: ReactNode;
  sub?: ReactNode;
  /** At the end of the head, before the close button. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** Magenta edge: it holds changes that are not yet published. */
  pending?: boolean;
  onClose?: () => void;
  className?: string;
  children?: ReactNode;
};

/** Details of one item beside its list. */
export function Panel({ title, sub, actions, footer, pending, onClose, className, children }: PanelProps) {
  const id = useId();
  return (
    <aside className={classNames(styles.panel, pending && styles.pending, className)} aria-labelledby={id}>
      <header className={styles.head}>
        <div className={styles.line}>
          <h2 id={id}>{title}</h2>
          {(actions || onClose) && (
            <div className={styles.actions}>
              {actions}
              {onClose && <Button variant="quiet" size="s" icon="close" aria-label="Close panel" onClick={onClose} />}
            </div>
          )}
        </div>
        {sub && <div className={styles.sub}>{sub}</div>}
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </aside>
  );
}
