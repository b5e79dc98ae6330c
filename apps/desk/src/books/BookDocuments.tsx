import { FailureBanner, reading, useKit } from '@portal/app-kit';
import { invoiceDay } from '@portal/app-kit/words/billing-words';
import { books } from '@portal/contract/billing/books';
import { Button, ButtonRow, DateText, formatCount, groupDigits, Link, SkeletonLines, Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import styles from './Books.module.css';
import type { NumberAsked } from './book-words.ts';

const PAGE = 100;

/** The documents behind a number of the books, each with a link to its account. */
export function BookDocuments({ month, asked, onClose }: { month: string; asked: NumberAsked; onClose: () => void }) {
  const { call } = useKit();
  const [page, setPage] = useState(1);
  const { data, error } = useQuery(reading(call, books.listBookDocuments, { month, query: { ...asked.query, page } }));
  return (
    <Dialog open onClose={onClose} title={asked.title}>
      {error ? (
        <FailureBanner failure={error} />
      ) : data ? (
        <Stack gap={12}>
          <p className={styles.words}>
            {data.count === 1 ? '1 document' : `${formatCount(data.count)} documents`}, together {groupDigits(data.sum)}.
          </p>
          <ul className={styles.documents} aria-label={asked.title}>
            {data.rows.map(({ day, accountName, document, description, amount }, place) => (
              <li key={`${document} ${day} ${String(place)}`}>
                <span>
                  <b className="strong">{document || description}</b>,{' '}
                  <Link href={`/desk/accounts/${encodeURIComponent(accountName)}#billing`}>{accountName}</Link>
                  <span className="quiet small">
                    <DateText value={day} shape="date" format={invoiceDay} /> <bdi>{document ? description : ''}</bdi>
                  </span>
                </span>
                <span className="num">{groupDigits(amount)}</span>
              </li>
            ))}
          </ul>
          {data.count > PAGE && (
            <ButtonRow>
              {page > 1 && <Button onClick={() => setPage(page - 1)}>Earlier</Button>}
              {page * PAGE < data.count && <Button onClick={() => setPage(page + 1)}>Later</Button>}
            </ButtonRow>
          )}
        </Stack>
      ) : (
        <SkeletonLines lines={6} label="Reading the documents" />
      )}
    </Dialog>
  );
}
