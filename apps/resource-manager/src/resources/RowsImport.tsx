import { useAddress, type useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type FormChange, type FormSchema, useForm } from '@portal/app-kit/form/use-form';
import { Button, ButtonRow, Checkbox, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { later } from '@portal/app-kit/page/later';
import { type ReactNode, Suspense, useState } from 'react';
import { CsvText } from './CsvText.tsx';
import { withCell, withoutLines } from './csv-records.ts';
import { type DryRunRow, DryRunRows } from './DryRunRows.tsx';
import type { RowsLeft } from './ImportReceipt.tsx';

const ImportReceipt = later(() => import('./ImportReceipt.tsx'), 'ImportReceipt');

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
  /** Title of the receipt for so many recorded rows. */
  recorded: (rows: number) => string;
  /** Page to go back to, and the label of the link to it. */
  home: { label: string; href: string };
  /** Goes back elsewhere. */
  onCancel?: () => void;
  /** Result of the latest call, whether it recorded the rows, and the lines it belongs to. */
  result: { stored: boolean; rows: readonly Row[]; of: ImportedRows } | null;
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

/** Imports rows of a CSV file: a dry run reports the errors of each line, with values that would be right. All are written, or the valid ones alone; a receipt says which. */
export function RowsImport<Row extends DryRunRow>(props: Props<Row>) {
  const { columns, example, resting, act, actOnValid, result, change, schema, send, cells } = props;
  const address = useAddress();
  const cancel = props.onCancel ?? (() => address.go(props.home.href));
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
  /** Rows with errors, left out when the others were sent. */
  const [left, setLeft] = useState<RowsLeft | null>(null);
  const fix = (fixed: readonly Row[]): void => {
    const next = fixed.reduce((text, { line, fix: right }) => (right ? withCell(text, line, right.column, right.value) : text), csv);
    form.set({ csv: next });
    send({ csv: next, reuse, dryRun: true });
  };
  if (result?.stored)
    return (
      <Suspense fallback={<SkeletonLines lines={4} label="Loading the receipt" />}>
        <ImportReceipt
          rows={result.rows}
          left={left}
          recorded={props.recorded}
          home={props.home}
          cells={cells}
          onAgain={() => {
            setLeft(null);
            form.reset();
          }}
        />
      </Suspense>
    );
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
            <Button
              type="submit"
              variant={rows.length > 0 ? 'default' : 'primary'}
              busy={form.busy}
              refusal={props.dryRunRefusal}
              refusalIn="note"
            >
              Dry run
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
          onRight={{
            act: wrong.length === 0 ? act : actOnValid(rows.length - wrong.length),
            refusal: props.refusal,
            run() {
              if (wrong.length === 0) {
                setLeft(null);
                return send({ csv, reuse, dryRun: false });
              }
              setLeft({ csv, problems: new Map(wrong.map(({ line, problem }) => [line, problem!])) });
              send({ csv: withoutLines(csv, new Set(wrong.map(({ line }) => line))), reuse, dryRun: false });
            },
          }}
        />
      )}
    </Stack>
  );
}
