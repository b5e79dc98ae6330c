import { maxImportedDelegations, NewNirDelegation, nirDelegationColumns } from '@portal/contract/nir/delegations';
import type { NumberResource } from '@portal/number-resources';
import { cellsOf, problemColumn } from '../../platform/csv-cells.ts';
import { refuse } from '../../platform/failure.ts';
import { readRow } from '../../platform/row-problem.ts';

/** A row of a file: its cells by column name, and the requested delegation, or its problem. */
export type DelegationLine = {
  line: number;
  given: Record<string, string>;
  facts: NewNirDelegation | null;
  resource: NumberResource | null;
  problem: string | null;
};

/** Reads the rows of a file. @throws Failure INVALID_REQUEST for a file without rows, with too many, or with an unknown header */
export function readDelegationLines(csv: string): DelegationLine[] {
  const { rows, problem: unreadable } = cellsOf(csv);
  if (unreadable !== null) throw refuse('INVALID_REQUEST', { detail: unreadable });
  const [head, ...lines] = rows;
  const names = (head?.cells ?? []).map(cell => cell.trim().toLowerCase());
  const missing = ['subaccount', 'resource'].filter(name => !names.includes(name));
  const unknown = names.filter(name => name !== problemColumn && !(nirDelegationColumns as readonly string[]).includes(name));
  if (missing.length > 0 || unknown.length > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `the first line must list the columns ${nirDelegationColumns.join(', ')}${unknown.length > 0 ? `. Found: ${unknown.join(', ')}` : `; ${missing.join(' and ')} is missing`}`,
    });
  if (lines.length === 0) throw refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' });
  if (lines.length > maxImportedDelegations)
    throw refuse('INVALID_REQUEST', { detail: `there are ${lines.length} rows. Send at most ${maxImportedDelegations} at a time` });
  return lines.map(({ cells, line }) =>
    delegationLine(line, Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]))),
  );
}

/** Reads one row of a file. @param given its cells by column name */
export function delegationLine(line: number, given: Record<string, string>): DelegationLine {
  const { subaccount: _subaccount, kind, ...rest } = given;
  const values = { ...rest, type: (kind || 'assigned').toLowerCase(), subaccountId: '0' };
  const { read, problem } = readRow(NewNirDelegation, values, { type: 'kind' });
  return { line, given, facts: read, resource: null, problem };
}
