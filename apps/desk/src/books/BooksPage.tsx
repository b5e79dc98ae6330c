import { Page, useAddress, useAnswer } from '@portal/app-kit';
import { type BookMonth, type Books, books } from '@portal/contract/billing/books';
import { pages } from '@portal/contract/pages';
import { Disclosure, Icon, Sheet, Stack } from '@portal/ui';
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
          <Months desk={desk} chosen={month.month} onChoose={each => address.set({ month: each })} />
        </Sheet>
        <BookMonthParts key={month.month} desk={desk} month={month} />
        <OwnLimits desk={desk} />
      </Stack>
    </Page>
  );
}

/** As many as a year has, of which the latest are shown first. */
const YEAR = 12;

/** The latest months in a strip, and those before them by year, the latest year first. */
function Months({ desk: { months }, chosen, onChoose }: { desk: Books; chosen: string; onChoose: (month: string) => void }) {
  const latest = months.slice(-YEAR);
  const earlier = months.slice(0, -YEAR);
  const years = Map.groupBy(earlier, ({ month }) => yearOf(month));
  const strip = (of: readonly BookMonth[], years = false) => (
    <ul className={styles.months}>
      {of.map((each, place) => (
        <li key={each.month}>
          <MonthButton
            month={each}
            withYear={years && (place === 0 || each.month.endsWith('-01'))}
            isChosen={each.month === chosen}
            onChoose={onChoose}
          />
        </li>
      ))}
    </ul>
  );
  return (
    <div className={styles.years}>
      {strip(latest, true)}
      {earlier.length > 0 && (
        <Disclosure summary="Earlier months" open={earlier.some(({ month }) => month === chosen)}>
          <div className={styles.years}>
            {[...years].reverse().map(([year, of]) => (
              <div key={year} className={styles.year}>
                <span>{year}</span>
                {strip(of)}
              </div>
            ))}
          </div>
        </Disclosure>
      )}
    </div>
  );
}

function MonthButton({
  month: { month, closed },
  withYear,
  isChosen,
  onChoose,
}: {
  month: BookMonth;
  withYear: boolean;
  isChosen: boolean;
  onChoose: (month: string) => void;
}) {
  return (
    <button type="button" aria-pressed={isChosen} data-closed={closed ? '' : undefined} onClick={() => onChoose(month)}>
      <b>
        {monthName(month, 'short')}
        {withYear && ` ${yearOf(month).slice(2)}`}
      </b>
      {closed && <Icon name="lock" />} {closed ? 'closed' : 'open'}
    </button>
  );
}
