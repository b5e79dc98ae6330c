import { useAddress, type useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type FormChange, type FormSchema, useForm } from '@portal/app-kit/form/use-form';
import { Button, ButtonRow, Checkbox, Sheet, Stack } from '@portal/ui';
import type { ReactNode } from 'react';
import { CsvText } from './CsvText.tsx';
import { withCell, withoutLines } from './csv-records.ts';
import { type DryRunRow, DryRunRows } from './DryRunRows.tsx';

/** Content of an import: the lines, and whether recently returned space may be used. */
export type ImportedRows = { csv: string; reuse: boolean };

/** Whether two imports are the same, so that a dry run of one is valid for the other. */
const isSame = (a: ImportedRows, b: ImportedRows | null): boolean => b !== null && a.csv === b.csv && a.reuse === b.reuse;

type Props<Row> = {
  columns: readonly string[];
  example: string;
  /** Note about recently returned space; left out if rows aren't address space. */
  resting?: string;
  act: string;
  /** The act for the valid rows alone. */
  actOnValid: (rows: number) => string;
  /** Rows to begin with. */
  given?: string;
  /** Page to go back to. */
  home: string;
  /** Goes back elsewhere. */
  onCancel?: () => void;
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
};

/** Imports rows of a CSV file: a dry run reports the errors of each line, with values that would be right. All are written, or the valid ones alone. */
export function RowsImport<Row extends DryRunRow>(props: Props<Row>) {
  const { columns, example, resting, act, actOnValid, result, change, schema, send, cells } = props;
  const address = useAddress();
  const cancel = props.onCancel ?? (() => address.go(props.home));
  const form = useForm(
    schema,
    { csv: props.given ?? '', reuse: false },
    {
      name: 'rows',
      toBody: ({ csv, reuse }) => ({ csv, ...(resting !== undefined && { reuse }), dryRun: true }),
      check: ({ csv }) => ({ ...(csv.trim() === '' && { csv: 'Choose a file or paste rows first' }) }),
      change,
      send: (_, values) => send({ ...values, dryRun: true }),
    },
  );
  const { csv, reuse } = form.values;
  // Rows stay while they are checked again.
  const rows = result && (isSame({ csv, reuse }, result.of) || form.busy) ? result.rows : [];
  const wrong = rows.filter(({ problem }) => problem !== null);
  const isRight = rows.length > 0 && wrong.length === 0;
  const fix = (fixed: readonly Row[]): void => {
    const next = fixed.reduce((text, { line, fix: right }) => (right ? withCell(text, line, right.column, right.value) : text), csv);
    form.set({ csv: next });
    send({ csv: next, reuse, dryRun: true });
  };
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
            <Button onClick={cancel}>Cancel</Button>
          </ButtonRow>
        </Form>
      </Sheet>
      {rows.length > 0 && (
        <DryRunRows
          rows={rows}
          csv={csv}
          busy={form.busy}
          cells={cells}
          onFix={fix}
          onValid={{
            act: actOnValid(rows.length - wrong.length),
            refusal: props.refusal,
            run: () => send({ csv: withoutLines(csv, new Set(wrong.map(({ line }) => line))), reuse, dryRun: false }),
          }}
        />
      )}
    </Stack>
  );
}
