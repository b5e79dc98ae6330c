import { useAddress, type useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type FormChange, type FormSchema, useForm } from '@portal/app-kit/form/use-form';
import { Banner, Button, ButtonRow, Checkbox, Sheet, Stack, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import { CsvText } from './CsvText.tsx';
import styles from './RowList.module.css';

/** Content of an import: the lines, and whether recently returned space may be used. */
export type ImportedRows = { csv: string; reuse: boolean };

type ImportedRow = { line: number; problem: string | null };

/** Whether two imports are the same, so that a dry run of one is valid for the other. */
const isSame = (a: ImportedRows, b: ImportedRows | null): boolean => b !== null && a.csv === b.csv && a.reuse === b.reuse;

/** Imports rows of a CSV file: a dry run reports the errors of each line; all are written, or none. */
export function RowsImport<Row extends ImportedRow>(props: {
  columns: readonly string[];
  example: string;
  /** Note about recently returned space; left out if rows aren't address space. */
  resting?: string;
  act: string;
  /** Page to go back to. */
  home: string;
  /** Result of the latest call, and the lines it belongs to. */
  result: { rows: readonly Row[]; of: ImportedRows } | null;
  /** The call, and what its body has to be. */
  change: FormChange;
  schema: FormSchema;
  refusal: ReturnType<typeof useRefusal>;
  /** Why even a dry run is refused. */
  dryRunRefusal: ReturnType<typeof useRefusal>;
  send: (content: ImportedRows & { dryRun: boolean }) => void;
  /** Shows the cells of a row. */
  cells: (row: Row) => ReactNode;
}) {
  const { columns, example, resting, act, home, result, change, schema, send, cells } = props;
  const address = useAddress();
  const form = useForm(
    schema,
    { csv: '', reuse: false },
    {
      name: 'rows',
      toBody: ({ csv, reuse }) => ({ csv, ...(resting !== undefined && { reuse }), dryRun: true }),
      check: ({ csv }) => ({ ...(csv.trim() === '' && { csv: 'Choose a file or paste rows first' }) }),
      change,
      send: (_, values) => send({ ...values, dryRun: true }),
    },
  );
  const { csv, reuse } = form.values;
  const rows = result && isSame({ csv, reuse }, result.of) ? result.rows : [];
  const wrong = rows.filter(({ problem }) => problem !== null);
  const isRight = rows.length > 0 && wrong.length === 0;
  return (
    <Stack gap={16}>
      <Sheet aria-label="File">
        <Form form={form} label="File">
          <CsvText
            field={form.field('csv')}
            label="Rows"
            help={`The first line names the columns: ${columns.join(', ')}`}
            example={`${columns.join(',')}\n${example}`}
            rows={10}
            value={csv}
            onChange={text => form.set({ csv: text })}
          />
          {resting !== undefined && (
            <Checkbox checked={reuse} help={resting} onChange={({ target }) => form.set({ reuse: target.checked })}>
              Use returned space again immediately
            </Checkbox>
          )}
          <ButtonRow>
            <Button type="submit" busy={form.busy} refusal={props.dryRunRefusal} refusalIn="note">
              Dry run
            </Button>
            <Button
              variant="commit"
              busy={form.busy}
              refusal={props.refusal ?? (isRight ? null : { reason: 'Run a dry run without errors first' })}
              refusalIn="note"
              onClick={() => send({ csv, reuse, dryRun: false })}
            >
              {act}
            </Button>
            <Button onClick={() => address.go(home)}>Cancel</Button>
          </ButtonRow>
        </Form>
      </Sheet>
      {rows.length > 0 && (
        <Sheet title="Dry run" meta={`${rows.length} ${rows.length === 1 ? 'row' : 'rows'}, ${wrong.length} with errors`} flush>
          {wrong.length > 0 && <Banner kind="warning">Fix the rows with errors. No rows are saved until all are right.</Banner>}
          <ul className={styles.list} aria-label="Rows of the file">
            {[...wrong, ...rows.filter(({ problem }) => problem === null)].map(row => (
              <li key={row.line}>
                <span className={styles.mark}>
                  <StateMark state={row.problem === null ? 'valid' : 'invalid'}>{row.problem === null ? 'Valid' : 'Has errors'}</StateMark>
                </span>
                <span className="quiet nw">line {row.line}</span>
                {cells(row)}
                {row.problem !== null && <span className={styles.words}>{row.problem}</span>}
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </Stack>
  );
}
