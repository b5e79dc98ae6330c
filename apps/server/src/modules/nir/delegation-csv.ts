import { maxImportedDelegations, nirDelegationColumns } from '@portal/contract/nir/delegations';
import { cellsOf, problemColumn } from '../../platform/csv-cells.ts';
import { refuse } from '../../platform/failure.ts';
import { type DelegationLine, delegationLine } from './delegation-line.ts';

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
