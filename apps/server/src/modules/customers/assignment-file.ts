import type { AnswerOf, BodyOf } from '@portal/contract';
import {
  assignmentColumns,
  maxImportedAssignments,
  NewCustomerAssignment,
  type whoisCustomers,
} from '@portal/contract/customers/customers';
import { cellsOf } from '../../platform/csv-cells.ts';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { registerRows } from './assignment-rows.ts';
import type { Writing } from './new-assignment.ts';

type CsvRow = { line: number; given: Record<string, string>; read: NewCustomerAssignment | null; problem: string | null };

/** Registers the rows of a CSV file, all or none; every row is checked as if those before it were done, and its errors are reported. */
export async function importAssignments(
  change: Change,
  account: AdmittedAccount,
  { csv, dryRun, reuse }: BodyOf<typeof whoisCustomers.importAssignments>,
  writing: Writing,
): Promise<AnswerOf<typeof whoisCustomers.importAssignments>> {
  const rows = readRows(csv);
  const { stored, problems } = await registerRows(change, account, rows, { ...writing, dryRun, reuse });
  await change.note({ rows: rows.length, stored });
  return {
    stored,
    rows: rows.map(({ line, given }, place) => ({
      line,
      resource: given['range'] ?? '',
      netname: given['netname'] ?? '',
      visibility: given['visibility'] || 'private',
      problem: problems[place]!,
    })),
  };
}

/** @throws Failure INVALID_REQUEST when the file has no rows, too many, or a head that is not ours. */
function readRows(csv: string): CsvRow[] {
  const { rows, problem } = cellsOf(csv);
  if (problem !== null) throw refuse('INVALID_REQUEST', { detail: problem });
  const [head, ...lines] = rows;
  const names = (head?.cells ?? []).map(cell => cell.trim().toLowerCase());
  const missing = ['range', 'netname'].filter(name => !names.includes(name));
  const unknown = names.filter(name => !(assignmentColumns as readonly string[]).includes(name));
  if (missing.length > 0 || unknown.length > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `the first line must list the columns ${assignmentColumns.join(', ')}${unknown.length > 0 ? `. Found: ${unknown.join(', ')}` : `; ${missing.join(' and ')} is missing`}`,
    });
  if (lines.length === 0) throw refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' });
  if (lines.length > maxImportedAssignments)
    throw refuse('INVALID_REQUEST', { detail: `there are ${lines.length} rows. Send at most ${maxImportedAssignments} at a time` });
  return lines.map(({ cells, line }): CsvRow => {
    const given = Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]));
    const { range: resource, kind, visibility, ...rest } = given;
    const parsed = NewCustomerAssignment.safeParse({
      ...rest,
      resource,
      type: (kind || 'assigned').toLowerCase(),
      visibility: (visibility || 'private').toLowerCase(),
    });
    if (parsed.success) return { line, given, read: parsed.data, problem: null };
    return { line, given, read: null, problem: parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  });
}
