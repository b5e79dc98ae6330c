import { maxImportedDelegations, NewNirDelegation, nirDelegationColumns } from '@portal/contract/nir/delegations';
import type { NumberResource } from '@portal/number-resources';
import { cellsOf, problemColumn } from '../../platform/csv-cells.ts';
import { refuse } from '../../platform/failure.ts';

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
  const { rows, problem } = cellsOf(csv);
  if (problem !== null) throw refuse('INVALID_REQUEST', { detail: problem });
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
  return lines.map(({ cells, line }): DelegationLine => {
    const given = Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]));
    const { subaccount: _subaccount, kind, ...rest } = given;
    const parsed = NewNirDelegation.safeParse({ ...rest, type: (kind || 'assigned').toLowerCase(), subaccountId: '0' });
    return parsed.success
      ? { line, given, facts: parsed.data, resource: null, problem: null }
      : {
          line,
          given,
          facts: null,
          resource: null,
          problem: parsed.error.issues
            .map(issue => `${issue.path.join('.') === 'type' ? 'kind' : issue.path.join('.')}: ${issue.message}`)
            .join('; '),
        };
  });
}
