import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Button, ButtonRow, formatCount, Row as Line, Sheet, Stack, StateMark } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import { withProblems } from './csv-records.ts';
import styles from './DryRunRows.module.css';
import rowStyles from './RowList.module.css';

type Refusal = Parameters<typeof Button>[0]['refusal'];

/** A row of a file after a dry run: what is wrong with it, null if nothing is, and a value of one column that would be right. */
export type DryRunRow = { line: number; problem: string | null; fix?: { column: string; value: string } | null };

/** Rows that are shown before a press shows all; of a longer file a mark of the picture is several rows. */
const SHOWN_FIRST = 20;
const MARKS = 400;

const countOf = (count: number, word: string): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'} ${word}`;

/** The result of a dry run: the rows of the file in their order, as a picture and as a list, the wrong ones with what is wrong and a value that would be right; and the one act that records what is right. */
export function DryRunRows<Row extends DryRunRow>({
  rows,
  csv,
  busy,
  cells,
  onFix,
  onRight,
}: {
  rows: readonly Row[];
  csv: string;
  busy: boolean;
  cells: (row: Row) => ReactNode;
  /** Takes the right values of these rows. */
  onFix: (rows: readonly Row[]) => void;
  /** The act on the file, or on its valid rows where others have errors. */
  onRight: { act: string; refusal: Refusal; run: () => void };
}) {
  const [isWhole, setWhole] = useState(false);
  const wrong = rows.filter(({ problem }) => problem !== null);
  const valid = rows.filter(({ problem }) => problem === null);
  const fixable = wrong.filter(({ fix }) => fix);
  const shown = isWhole ? rows : firstOf(wrong, valid);
  const save = (): void =>
    saveTextFile('rows-with-errors.csv', withProblems(csv, new Map(wrong.map(({ line, problem }) => [line, problem!]))));
  return (
    <Sheet
      title="Dry run"
      meta={`${rows.length} ${rows.length === 1 ? 'row' : 'rows'}, ${wrong.length} with errors`}
      actions={
        fixable.length > 1 && (
          <Button size="s" busy={busy} onClick={() => onFix(fixable)}>
            Use all {fixable.length} fixes
          </Button>
        )
      }
      footer={
        <ButtonRow>
          {valid.length > 0 && (
            <Button variant="commit" busy={busy} refusal={onRight.refusal ?? null} refusalIn="note" onClick={onRight.run}>
              {onRight.act}
            </Button>
          )}
          {wrong.length > 0 && (
            <Button icon="download" onClick={save}>
              Download {countOf(wrong.length, 'with errors')}
            </Button>
          )}
          {valid.length > 0 && wrong.length > 0 && (
            <span className="small muted">
              {wrong.length === 1 ? 'The row with errors is' : `The ${formatCount(wrong.length)} rows with errors are`} left out, and
              offered as a file with the reasons.
            </span>
          )}
        </ButtonRow>
      }
      flush
    >
      <Stack gap={8} className={styles.head}>
        <Line wrap gap={16}>
          {valid.length > 0 && <StateMark state="valid">{countOf(valid.length, 'ready')}</StateMark>}
          {wrong.length > 0 && <StateMark state="invalid">{countOf(wrong.length, 'with errors')}</StateMark>}
          <span className="small quiet">Nothing is saved yet.</span>
        </Line>
        {rows.length > 1 && <FilePicture rows={rows} />}
      </Stack>
      <div className={styles.frame}>
        <ul className={`${rowStyles.list} ${styles.rows}`} aria-label="Rows of the file" aria-busy={busy}>
          {shown.map(row => (
            <RowLine key={row.line} row={row} busy={busy} cells={cells} onFix={onFix} />
          ))}
        </ul>
      </div>
      {shown.length < rows.length && (
        <p className={styles.rest}>
          <Button size="s" variant="quiet" onClick={() => setWhole(true)}>
            Show all {formatCount(rows.length)} rows
          </Button>
        </p>
      )}
    </Sheet>
  );
}

/** The rows that are shown first, in the order of the file: those with errors, and valid ones as long as there is room. */
function firstOf<Row extends DryRunRow>(wrong: readonly Row[], valid: readonly Row[]): readonly Row[] {
  const first = wrong.slice(0, 5 * SHOWN_FIRST);
  return [...first, ...valid.slice(0, Math.max(0, SHOWN_FIRST - first.length))].toSorted((a, b) => a.line - b.line);
}

function RowLine<Row extends DryRunRow>({
  row,
  busy,
  cells,
  onFix,
}: {
  row: Row;
  busy: boolean;
  cells: (row: Row) => ReactNode;
  onFix: (rows: readonly Row[]) => void;
}) {
  return (
    <li>
      <span className={rowStyles.mark}>
        <StateMark state={row.problem === null ? 'valid' : 'invalid'}>{row.problem === null ? 'Valid' : 'Has errors'}</StateMark>
      </span>
      <span className="quiet nw">line {row.line}</span>
      {cells(row)}
      <span className={rowStyles.words}>{row.problem}</span>
      {row.fix && (
        <Button size="s" busy={busy} aria-label={`Use ${row.fix.value} in line ${row.line}`} onClick={() => onFix([row])}>
          Use <span className="mono">{row.fix.value}</span>
        </Button>
      )}
    </li>
  );
}

/** The rows in the order of the file, a mark each; of a long file a mark is wrong where one of its rows is. */
function FilePicture({ rows }: { rows: readonly DryRunRow[] }) {
  const each = Math.ceil(rows.length / MARKS);
  const marks = Array.from({ length: Math.ceil(rows.length / each) }, (_, place) => rows.slice(place * each, (place + 1) * each));
  return (
    <div className={styles.picture} aria-hidden="true">
      {marks.map(part => (
        <i key={part[0]!.line} data-wrong={part.some(({ problem }) => problem !== null) ? '' : undefined} />
      ))}
    </div>
  );
}
