import { BeforeAfter } from '@portal/ui/difference/BeforeAfter';
import { DateText, Link } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './Request.module.css';

/** One ruled part of a request. */
export function Part({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      {title && <h3>{title}</h3>}
      {children}
    </section>
  );
}

/** A value as it is and as it would be. */
export const Difference = (values: { before: string; after: string }): ReactNode => (
  <BeforeAfter {...values} className={styles.difference} />
);

/** A quoted text, or a placeholder for an empty one. */
export const Quote = ({ words, none }: { words: string; none?: string }): ReactNode =>
  words === '' ? none && <p className="quiet small">{none}</p> : <blockquote className={styles.quote}>{words}</blockquote>;

/** How a request ended, and the message to the member. */
export function Outcome({ words, by, at, note }: { words: string; by: string | null; at: string | null; note: string | null }) {
  return (
    <Part title="The decision">
      <p>
        {words.charAt(0).toUpperCase() + words.slice(1)} by {by ?? 'the registry'}
        {at && (
          <>
            {' '}
            on <DateText value={at} />
          </>
        )}
        .
      </p>
      <Quote words={note ?? ''} />
    </Part>
  );
}

/** An account, leading to its sheet. */
export const AccountLink = ({ accountName }: { accountName: string }): ReactNode => (
  <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
);
