import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Banner, Button, ButtonRow, formatCount, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { withProblems } from './csv-records.ts';
import styles from './DryRunRows.module.css';
import rowStyles from './RowList.module.css';

/** Rows of a file that were not recorded: the file, and what is wrong with each, by line. */
export type RowsLeft = { csv: string; problems: ReadonlyMap<number, string> };

/** Rows that are shown before a press shows all. */
const SHOWN_FIRST = 20;

/** Names what an import recorded, and offers the rows that it did not record as a file with their problems. It stays until the person goes on. */
export function ImportReceipt<Row extends { line: number }>({
  rows,
  left,
  recorded,
  home,
  cells,
  onAgain,
}: {
  rows: readonly Row[];
  left: RowsLeft | null;
  /** The sentence for so many recorded rows. */
  recorded: (rows: number) => string;
  home: { label: string; href: string };
  cells: (row: Row) => ReactNode;
  onAgain: () => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone.
  useEffect(() => place.current?.focus(), []);
  const lost = left?.problems.size ?? 0;
  const shown = isWhole ? rows : rows.slice(0, SHOWN_FIRST);
  return (
    <div ref={place} tabIndex={-1}>
      <Stack gap={16}>
        {left && lost > 0 && (
          <Banner
            kind="warning"
            beside
            actions={
              <Button size="s" icon="download" onClick={() => saveTextFile('rows-with-errors.csv', withProblems(left.csv, left.problems))}>
                Download {lost === 1 ? 'it with the reason' : 'them with the reasons'}
              </Button>
            }
          >
            {lost === 1 ? '1 row isn’t recorded.' : `${formatCount(lost)} rows aren’t recorded.`} Fix the file and import it again.
          </Banner>
        )}
        <Sheet
          title={recorded(rows.length)}
          flush
          footer={
            <ButtonRow>
              <LinkButton variant="primary" href={home.href}>
                {home.label}
              </LinkButton>
              <Button onClick={onAgain}>Import another file</Button>
            </ButtonRow>
          }
        >
          <ul className={rowStyles.list} aria-label="Recorded rows">
            {shown.map(row => (
              <li key={row.line}>
                <span className={rowStyles.mark}>
                  <StateMark state="valid">Recorded</StateMark>
                </span>
                {cells(row)}
              </li>
            ))}
          </ul>
          {shown.length < rows.length && (
            <p className={styles.rest}>
              <Button size="s" variant="quiet" onClick={() => setWhole(true)}>
                Show all {formatCount(rows.length)} rows
              </Button>
            </p>
          )}
        </Sheet>
      </Stack>
    </div>
  );
}
