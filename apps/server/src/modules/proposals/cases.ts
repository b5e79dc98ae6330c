import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import type { Row } from './proposal-row.ts';
import { byId, ofSide, proposalOf } from './proposals.ts';

const what = { what: 'The change' };

/** Proposals of an account, or at the registry's desk. An expired one doesn't count as waiting, even if its end isn't recorded yet. */
export const proposalCases: CasesOf<Row> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, account, caller, params: { proposalId } }) => {
    const side = account ?? 'staff';
    const id = isRowId(proposalId!) ? Number(proposalId) : null;
    const held =
      id === null
        ? []
        : await change.rows(sql`select proposal_id from proposal p where proposal_id = ${id} and ${ofSide(side)} for update`);
    if (held.length === 0) throw refuse('NOT_FOUND', what);
    const row = await byId(change, id!);
    if (row.expiresAt <= change.now) throw refuseWithCurrent(proposalOf(row, caller.loginId), 'ALREADY_RESOLVED', what);
    if (side === 'staff' && row.about !== null) await change.concerns(row.about);
    return row;
  },
  refusal: async (row, { caller }) => refuseWithCurrent(proposalOf(row, caller.loginId), 'ALREADY_RESOLVED', what),
};
