import type { ReactNode } from 'react';
import styles from './Letter.module.css';

/** A form and, beside it, the letter that is written with it. */
export const BesideLetter = ({ children }: { children: ReactNode }) => <div className={styles.beside}>{children}</div>;

/** A letter as people read it: its subject, `before`, the paragraphs of its text, and what follows. */
export function Letter({ subject, text, before, children }: { subject: string; text: string; before?: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.letter}>
      <h3 dir="auto">{subject}</h3>
      {before}
      {text.split(/\n{2,}/).map((paragraph, index) => (
        <p dir="auto" key={`${index} ${paragraph.length}`}>
          {paragraph}
        </p>
      ))}
      {children}
    </div>
  );
}
