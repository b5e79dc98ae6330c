import styles from './Case.module.css';

/** The letter that presses a button, at its label. It is announced by the button’s `aria-keyshortcuts`, so the letter itself is not read. */
export const Key = ({ name }: { name: string }) => (
  <kbd className={styles.key} aria-hidden="true">
    {name.toUpperCase()}
  </kbd>
);
