import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { type Attachment, documents } from '@portal/contract/documents/documents';
import { DateText, Link, Sheet, Stack } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { type ReactNode, useContext } from 'react';
import { PartLook } from '../shell/cases/part-look.ts';
import styles from './Request.module.css';

/** One part of a request. */
export function Part({ title, children }: { title?: string; children: ReactNode }) {
  if (useContext(PartLook) === 'sheet')
    return (
      <Sheet title={title}>
        <Stack gap={8} className={styles.onSheet}>
          {children}
        </Stack>
      </Sheet>
    );
  return (
    <section className={styles.part}>
      {title && <h3>{title}</h3>}
      {children}
    </section>
  );
}

/** A value as it is and as it would be, with the name of its field and which is which. */
export const Difference = ({ field, before, after }: { field: string; before: string; after: string }): ReactNode => (
  <dl className={styles.difference} aria-label={field}>
    <dt>{field} now</dt>
    <dd>
      <del>{before || 'none'}</del>
    </dd>
    <dt>Asked for</dt>
    <dd>
      <ins>{after || 'none'}</ins>
    </dd>
  </dl>
);

/** Returns a word of the registry, such as the state of an account, as it begins a line. */
export const asHeading = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** How a request ended, and the message to the member. */
export function Outcome({ words, by, at, note }: { words: string; by: string | null; at: string | null; note: string | null }) {
  return (
    <Part title="The decision">
      <p>
        {asHeading(words)} by {by ?? 'the registry'}
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

/** Documents sent with a request; nothing without any. */
export const RequestDocuments = ({ papers }: { papers: readonly Attachment[] }): ReactNode =>
  papers.length > 0 && <DocumentList papers={papers} opens={documents.openStaffDocument} inputOf={documentId => ({ documentId })} />;
