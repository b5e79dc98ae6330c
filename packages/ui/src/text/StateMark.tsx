import type { ReactNode } from 'react';
import { Badge, type BadgeKind } from './Badge.tsx';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './Icon.tsx';
import styles from './StateMark.module.css';

/** Route origin validation states (RFC 6811) and the general ones. */
export type State = 'valid' | 'invalid' | 'not-found' | 'warning' | 'info' | 'pending' | 'closed';

const states: Record<State, { icon: IconName; word: string; badge: BadgeKind }> = {
  valid: { icon: 'valid', word: 'Valid', badge: 'valid' },
  invalid: { icon: 'invalid', word: 'Invalid', badge: 'invalid' },
  'not-found': { icon: 'not-found', word: 'Not found', badge: 'neutral' },
  warning: { icon: 'warning', word: 'Warning', badge: 'warning' },
  info: { icon: 'info', word: 'Note', badge: 'neutral' },
  pending: { icon: 'clock', word: 'Pending', badge: 'pending' },
  closed: { icon: 'lock', word: 'Closed', badge: 'neutral' },
};

/**
 * A state as icon and word: in a box in a column, without it (`plain`) in running text. The word may be put more exactly. A box is read
 * like a label and begins with a capital letter, however the same word is written inside a sentence.
 */
export function StateMark({ state, plain, children }: { state: State; plain?: boolean; children?: ReactNode }) {
  const { icon, word, badge } = states[state];
  if (!plain)
    return (
      <Badge kind={badge} icon={icon}>
        <span className={styles.word}>{children ?? word}</span>
      </Badge>
    );
  return (
    <span className={classNames(styles.mark, styles[state])}>
      <Icon name={icon} /> {children ?? word}
    </span>
  );
}
