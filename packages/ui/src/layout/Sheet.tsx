import { type ElementType, type HTMLAttributes, type ReactNode, useId } from 'react';
import { classNames } from '../text/class-names.ts';
import styles from './Sheet.module.css';

export type SheetProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  title?: ReactNode;
  /** Secondary text after the title: a badge, a count, one short sentence. */
  meta?: ReactNode;
  /** Small buttons or a segmented control, at the end of the head. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** No space around the content, for tables and lists that are ruled to the edge. */
  flush?: boolean;
  level?: 2 | 3;
};

/** A surface for one subject. Never nest sheets. */
export function Sheet({ title, meta, actions, footer, flush, level = 2, className, children, ...rest }: SheetProps) {
  const id = useId();
  const Heading: ElementType = level === 2 ? 'h2' : 'h3';
  const head = title || meta || actions;
  return (
    <section aria-labelledby={title ? id : undefined} {...rest} className={classNames(styles.sheet, className)}>
      {head && (
        <header className={styles.head}>
          {title && <Heading id={id}>{title}</Heading>}
          {meta && <div className={styles.meta}>{meta}</div>}
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {flush ? children : <div className={styles.body}>{children}</div>}
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </section>
  );
}
