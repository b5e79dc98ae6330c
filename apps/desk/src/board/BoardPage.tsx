import { Page, read, useAddress, useDownload, useSteadyAnswer } from '@portal/app-kit';
import { board, type BoardFact, boardParts, type BoardReport } from '@portal/contract/board/board';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, formatDate, Select, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import styles from './Board.module.css';
import { changeWords, factWords, isPeriod, lastMonth, monthsOf, periodWords, shortPeriod, yearsOf } from './board-words.ts';

/** /desk/board: the report of a month or a year for the board, beside the period before. */
export default function BoardPage() {
  const address = useAddress();
  const [now] = useState(() => new Date());
  const asked = address.get('period');
  const period = asked !== null && isPeriod(asked) ? asked : lastMonth(now);
  const { answer: report, stale } = useSteadyAnswer(board.getBoardReport, { period });
  const save = useDownload(board.exportBoardReport);
  const file = (format: 'pdf' | 'csv' | 'json') => void save({ period: report.period, query: { format } });
  return (
    <Page
      title={`${pages.deskBoard.title}: ${periodWords(report.period)}`}
      sub={`Computed from dated documents and from history, so that the report of a past month or year stays the same. Amounts in ${report.currency}, days in ${report.timeZone}.`}
      actions={
        <ButtonRow>
          <Button icon="download" onClick={() => file('csv')}>
            CSV
          </Button>
          <Button icon="download" onClick={() => file('json')}>
            JSON
          </Button>
          <Button icon="document" variant="primary" onClick={() => file('pdf')}>
            PDF
          </Button>
        </ButtonRow>
      }
    >
      <Stack gap={16}>
        <Sheet aria-label="Period">
          <Period report={report} period={period} onChoose={each => address.set({ period: each })} />
        </Sheet>
        {!report.isOver && (
          <Banner kind="info" title="So far">
            {periodWords(report.period)} hasn’t ended. It is shown beside the whole of {periodWords(report.before)}.
          </Banner>
        )}
        <div className={styles.parts} data-stale={stale || undefined}>
          {report.parts.map(({ part, facts }) => (
            <Sheet key={part} flush title={boardParts[part]}>
              <Facts title={boardParts[part]} facts={facts} report={report} />
            </Sheet>
          ))}
        </div>
      </Stack>
    </Page>
  );
}

/** The first read of the page. */
export const reads = [read(board.getBoardReport, { period: lastMonth(new Date()) })];

/** A year, and a month of it or all of it. */
function Period({ report, period, onChoose }: { report: BoardReport; period: string; onChoose: (period: string) => void }) {
  const [year, month = ''] = period.split('-');
  const months = monthsOf(Number(year), report.today);
  return (
    <div className={styles.period}>
      <Select
        aria-label="Year"
        value={year!}
        options={yearsOf(report).map(each => ({ value: String(each), label: String(each) }))}
        onChange={({ target: { value } }) =>
          onChoose(month === '' || !monthsOf(Number(value), report.today).includes(month) ? value : `${value}-${month}`)
        }
      />
      <Select
        aria-label="Month"
        value={month}
        options={[
          { value: '', label: 'Whole year' },
          ...months.map(each => ({ value: each, label: periodWords(`${year}-${each}`).split(' ')[0]! })),
        ]}
        onChange={({ target: { value } }) => onChoose(value === '' ? year! : `${year}-${value}`)}
      />
      <span className="quiet small">
        {dayWords(report.from)} to {dayWords(report.to)}
      </span>
    </div>
  );
}

const dayWords = (day: string): string => formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');

function Facts({ title, facts, report }: { title: string; facts: readonly BoardFact[]; report: BoardReport }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard
    <section className={styles.scroll} aria-label={`Table of ${title}`} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">{shortPeriod(report.before)}</th>
            <th scope="col">{shortPeriod(report.period)}</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {facts.map(fact => (
            <tr key={fact.name}>
              <th scope="row">{fact.name}</th>
              <td className="quiet">{factWords(fact, fact.before)}</td>
              <td className="strong">{factWords(fact, fact.value)}</td>
              <td className="quiet">{changeWords(fact)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
