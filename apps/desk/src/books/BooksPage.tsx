import { Page, useAddress, useAnswer } from '@portal/app-kit';
import { type BookMonth, type Books, books } from '@portal/contract/billing/books';
import { pages } from '@portal/contract/pages';
import { Sheet, Stack } from '@portal/ui';
import styles from './Books.module.css';
import { BookMonthParts } from './BookMonthParts.tsx';
import { monthName, yearOf } from './book-words.ts';
import { OwnLimits } from './OwnLimits.tsx';

/** /desk/books: the months of the books, closed by one person and confirmed by another, and what each comes to. */
export default function BooksPage() {
  const desk = useAnswer(books.getBooks, {});
  const address = useAddress();
  const asked = address.get('month');
  const month =
    desk.months.find(each => each.month === asked) ?? desk.months.find(each => each.month === desk.closable) ?? desk.months.at(-1)!;
  return (
    <Page title={pages.deskBooks.title} sub={`What was charged, received and given, in ${desk.currency}. Auditors see the same page.`}>
      <Stack gap={16}>
        <Sheet title="Months">
          <Years desk={desk} chosen={month.month} onChoose={each => address.set({ month: each })} />
        </Sheet>
        <BookMonthParts key={month.month} desk={desk} month={month} />
        <OwnLimits desk={desk} />
      </Stack>
    </Page>
  );
}

/** The months of each year, the latest year first. */
function Years({ desk: { months }, chosen, onChoose }: { desk: Books; chosen: string; onChoose: (month: string) => void }) {
  const years = Map.groupBy(months, ({ month }) => yearOf(month));
  return (
    <div className={styles.years}>
      {[...years].reverse().map(([year, of]) => (
        <div key={year} className={styles.year}>
          <span>{year}</span>
          <ul className={styles.months}>
            {of.map(each => (
              <li key={each.month}>
                <MonthButton month={each} isChosen={each.month === chosen} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function MonthButton({
  month: { month, closed },
  isChosen,
  onChoose,
}: {
  month: BookMonth;
  isChosen: boolean;
  onChoose: (month: string) => void;
}) {
  return (
    <button type="button" aria-pressed={isChosen} data-closed={closed ? '' : undefined} onClick={() => onChoose(month)}>
      <b>{monthName(month, 'short')}</b>
      {closed ? 'closed' : 'open'}
    </button>
  );
}
