import type { ReactNode } from 'react';
import styles from './Refusal.module.css';
import { Icon } from '../text/Icon.tsx';

/** Why something may not be done, in one sentence, and a way to ask someone who may. */
/** `hides`: the act is none of this person's, so its button isn't shown at all. */
export type RefusalReason = { reason: ReactNode; ask?: ReactNode; hides?: boolean };

/** "Why not?": the rule that refuses, who can help, and the button that asks them. */
export function Refusal({
  title = 'Why not?',
  rule,
  help,
  children,
}: {
  title?: ReactNode;
  rule: ReactNode;
  help?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={styles.refusal}>
      <Icon name="lock" />
      <div className={styles.words}>
        <h2>{title}</h2>
        <p>{rule}</p>
        {help && <p className={styles.help}>{help}</p>}
        {children && <div className={styles.ask}>{children}</div>}
      </div>
    </section>
  );
}
