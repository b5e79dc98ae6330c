import { NewNirDelegation } from '@portal/contract/nir/delegations';
import type { NumberResource } from '@portal/number-resources';
import { readRow } from '../../platform/row-problem.ts';

/** A row of a file: its cells by column name, and the requested delegation, or its problem. */
export type DelegationLine = {
  line: number;
  given: Record<string, string>;
  facts: NewNirDelegation | null;
  resource: NumberResource | null;
  problem: string | null;
};

/** Reads one row of a file. @param given its cells by column name */
export function delegationLine(line: number, given: Record<string, string>): DelegationLine {
  const { subaccount: _subaccount, kind, ...rest } = given;
  const values = { ...rest, type: (kind || 'assigned').toLowerCase(), subaccountId: '0' };
  const { read, problem } = readRow(NewNirDelegation, values, { type: 'kind' });
  return { line, given, facts: read, resource: null, problem };
}
