import { Button } from '../action/Button.tsx';
import styles from './DataTable.module.css';
import { formatCount } from '../text/Count.tsx';

type Props = {
  /** Place of the first row shown, over all pages. */
  from: number;
  /** Rows shown; 0 while they are loading. */
  count: number;
  /** Rows that match, over all pages. */
  total: number;
  /** Counts from 1. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
};

/** "1 to 50 of 120", with the pages before and after. */
export const TablePager = ({ from, count, total, page, pages, onPage }: Props) => (
  <div className={styles.pager}>
    {count > 0 && `${formatCount(from)} to ${formatCount(Math.min(total, from + count - 1))} of ${formatCount(total)}`}
    {pages > 1 && (
      <span className={styles.turn}>
        <Button
          size="s"
          refusal={page <= 1 ? { reason: 'This is the first page' } : null}
          refusalIn="note"
          onClick={() => onPage(page - 1)}
        >
          Previous
        </Button>
        <Button
          size="s"
          refusal={page >= pages ? { reason: 'This is the last page' } : null}
          refusalIn="note"
          onClick={() => onPage(page + 1)}
        >
          Next
        </Button>
      </span>
    )}
  </div>
);
