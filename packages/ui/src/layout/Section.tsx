import { type ElementType, type ReactNode, useId } from 'react';
import { classNames } from '../text/class-names.ts';
import styles from './Section.module.css';

/** A named part of a page or sheet. `beside` puts the name and its sentence in a column to the left, ruled from the next one. */
export function Section({
  title,
  words,
  beside,
  level = 2,
  children,
}: {
  title: ReactNode;
  words?: ReactNode;
  beside?: boolean;
  level?: 2 | 3;
  children?: ReactNode;
}) {
  const id = useId();
  const Heading: ElementType = level === 2 ? 'h2' : 'h3';
  return (
    <section aria-labelledby={id} className={classNames(styles.section, beside && styles.beside)}>
      <div className={styles.head}>
        <Heading id={id}>{title}</Heading>
        {words && <p>{words}</p>}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
