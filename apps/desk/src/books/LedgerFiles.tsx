import { useDownload } from '@portal/app-kit';
import { books, type PostingFormat, postingFormats } from '@portal/contract/billing/books';
import { Select } from '@portal/ui';

/** The general ledger of a month, as an accounting program imports it. */
export function LedgerFiles({ month }: { month: string }) {
  const save = useDownload(books.exportPostings);
  return (
    <Select
      size="s"
      className="no-print"
      aria-label="General ledger for"
      value=""
      options={[{ value: '', label: 'General ledger for' }, ...Object.entries(postingFormats).map(([value, label]) => ({ value, label }))]}
      onChange={({ target }) => {
        if (target.value !== '') void save({ month, query: { format: target.value as PostingFormat } });
      }}
    />
  );
}
