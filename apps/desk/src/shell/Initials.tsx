import { initialsOf } from '@portal/app-kit/words/initials';
import styles from './Initials.module.css';

/** The initials of a colleague beside the name; of no one, a question mark. */
export const Initials = ({ name, me = false }: { name: string | null; me?: boolean | undefined }) => (
  <span className={styles.mark} data-me={me || undefined} data-none={name === null || undefined} aria-hidden="true">
    {name === null ? '?' : initialsOf(name)}
  </span>
);
