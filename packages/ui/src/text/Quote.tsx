import type { ReactNode } from 'react';
import styles from './Quote.module.css';

/** A person's own text, with its line breaks; `none` replaces an empty one. */
export const Quote = ({ words, none }: { words: string; none?: string }): ReactNode =>
  words === '' ? none && <p className="quiet small">{none}</p> : <blockquote className={styles.quote}>{words}</blockquote>;
