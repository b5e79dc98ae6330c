import styles from './Case.module.css';

/** The letter that presses a button, at its label. It is announced by the button’s `aria-keyshortcuts`, so the letter itself is not read; in a list of keys it is. */
export const Key = ({ name, isRead = false }: { name: string; isRead?: boolean }) => (
  <kbd className={styles.key} aria-hidden={isRead ? undefined : true}>
    {name.length === 1 ? name.toUpperCase() : name}
  </kbd>
);
