import { entityColumns, maxImportedEntities, NewNirEntity } from '@portal/contract/nir/entities';
import { cellsOf, problemColumn } from '../../platform/csv-cells.ts';
import { refuse } from '../../platform/failure.ts';
import { readRow } from '../../platform/row-problem.ts';

/** The facts of an organisation in a file. */
export type EntityFacts = ReturnType<typeof NewNirEntity.parse>;
/** A row of a file: its cells by column name, and the organisation, or its problem. */
export type EntityLine = { line: number; given: Record<string, string>; facts: EntityFacts | null; problem: string | null };

/** Reads the rows of a file. @throws Failure INVALID_REQUEST for a file without rows, with too many, or with an unknown header */
export function readEntityLines(csv: string): EntityLine[] {
  const { rows, problem } = cellsOf(csv);
  if (problem !== null) throw refuse('INVALID_REQUEST', { detail: problem });
  const [head, ...lines] = rows;
  const written = (head?.cells ?? []).map(cell => cell.trim().toLowerCase());
  const names = written.map(name => entityColumns.find(column => column.toLowerCase() === name));
  const unknown = written.filter((name, place) => name !== problemColumn && names[place] === undefined);
  if (!names.includes('name') || unknown.length > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `the first line must list the columns ${entityColumns.join(', ')}${unknown.length > 0 ? `. Found: ${unknown.join(', ')}` : '; name is missing'}`,
    });
  if (lines.length === 0) throw refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' });
  if (lines.length > maxImportedEntities)
    throw refuse('INVALID_REQUEST', { detail: `there are ${lines.length} rows. Send at most ${maxImportedEntities} at a time` });
  return lines.map(({ cells, line }): EntityLine => {
    const given = Object.fromEntries(
      names.flatMap((name, place) => (name === undefined ? [] : [[name, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]])),
    );
    const { read, problem } = readRow(NewNirEntity, given);
    return { line, given, facts: read, problem };
  });
}
