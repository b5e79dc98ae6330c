import { assignmentColumns, maxImportedAssignments, NewCustomerAssignment } from '@portal/contract/customers/customers';
import { cellsOf, problemColumn } from '../../platform/csv-cells.ts';
import { refuse } from '../../platform/failure.ts';
import { readRow } from '../../platform/row-problem.ts';

/** A row of a file: its cells by the names of their columns, and the requested assignment, or its problem. */
export type AssignmentLine = { line: number; given: Record<string, string>; read: NewCustomerAssignment | null; problem: string | null };

/** Reads the rows of a file. @throws Failure INVALID_REQUEST for a file without rows, with too many, or with an unknown header. */
export function readRows(csv: string): AssignmentLine[] {
  const { rows, problem } = cellsOf(csv);
  if (problem !== null) throw refuse('INVALID_REQUEST', { detail: problem });
  const [head, ...lines] = rows;
  const names = (head?.cells ?? []).map(cell => cell.trim().toLowerCase());
  const missing = ['range', 'netname'].filter(name => !names.includes(name));
  const unknown = names.filter(name => name !== problemColumn && !(assignmentColumns as readonly string[]).includes(name));
  if (missing.length > 0 || unknown.length > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `the first line must list the columns ${assignmentColumns.join(', ')}${unknown.length > 0 ? `. Found: ${unknown.join(', ')}` : `; ${missing.join(' and ')} is missing`}`,
    });
  if (lines.length === 0) throw refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' });
  if (lines.length > maxImportedAssignments)
    throw refuse('INVALID_REQUEST', { detail: `there are ${lines.length} rows. Send at most ${maxImportedAssignments} at a time` });
  return lines.map(({ cells, line }): AssignmentLine => {
    const given = Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]));
    const { range: resource, kind, visibility, ...rest } = given;
    const values = { ...rest, resource, type: (kind || 'assigned').toLowerCase(), visibility: (visibility || 'private').toLowerCase() };
    return { line, given, ...readRow(NewCustomerAssignment, values, { resource: 'range', type: 'kind' }) };
  });
}
