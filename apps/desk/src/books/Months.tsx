import type { BookMonth, Books } from '@portal/contract/billing/books';
import { Disclosure, Icon } from '@portal/ui';
import styles from './Books.module.css';
import { monthName, yearOf } from './book-words.ts';

/** As many as a year has, of which the latest are shown first. */
const YEAR = 12;

/** The latest months in a strip, and those before them by year, the latest year first. */
export function Months({
  desk: { months, closable },
  closing,
  chosen,
  onChoose,
}: {
  desk: Books;
  /** The month until which a person has asked to close; null for none. */
  closing: string | null;
  chosen: string;
  onChoose: (month: string) => void;
}) {
  const latest = months.slice(-YEAR);
  const earlier = months.slice(0, -YEAR);
  const years = Map.groupBy(earlier, ({ month }) => yearOf(month));
  const strip = (of: readonly BookMonth[], years = false) => (
    <ul className={styles.months}>
      {of.map((each, place) => (
        <li key={each.month}>
          <MonthButton
            month={each.month}
            state={each.closed ? 'closed' : closing !== null && each.month <= closing ? 'closing' : 'open'}
            hasEnded={each.closed !== null || (closable !== null && each.month <= closable)}
            isRunning={each.month === months.at(-1)?.month}
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

const signOf = { closed: 'lock', closing: 'edit', open: null } as const;

function MonthButton({
  month,
  state,
  hasEnded,
  isRunning,
  withYear,
  isChosen,
  onChoose,
}: {
  month: string;
  state: keyof typeof signOf;
  hasEnded: boolean;
  isRunning: boolean;
  withYear: boolean;
  isChosen: boolean;
  onChoose: (month: string) => void;
}) {
  const sign = signOf[state];
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      data-state={state}
      data-running={hasEnded ? undefined : ''}
      onClick={() => onChoose(month)}
    >
      <b>
        {monthName(month, 'short')}
        {withYear && ` ${yearOf(month).slice(2)}`}
      </b>
      <span>
        {sign && <Icon name={sign} />} {isRunning && state === 'open' ? 'in progress' : state}
      </span>
    </button>
  );
}
