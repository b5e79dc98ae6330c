import { initialsOf } from '@portal/app-kit/words/initials';
import styles from './PersonMark.module.css';

/** The initials beside a name. */
export const PersonMark = ({ name }: { name: string }) => (
  <span className={styles.mark} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
