import { rowNumber } from '@portal/contract/row-ids';
import { openStatesOf } from '@portal/contract/life';
import { closureLife } from '@portal/contract/organisations/life';
import { sql } from 'kysely';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import { lockAccount, lockOwnAccount, refuseOwnAccount } from '../accounts/index.ts';
import { byId, forMembers, forStaff, type Row, rowsWhere } from './account-closures.ts';

const what = { what: 'The request' };
const open: readonly string[] = openStatesOf(closureLife);

/** Requests to end an account, moved by its corporate contacts or by registry staff who are none. The account is locked first, as in every change of it. */
export const closureCases: CasesOf<Row> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, account, caller, params: { closureId } }) => {
    const id = rowNumber(closureId!);
    if (account) {
      const { accountName } = await lockOwnAccount(change, account);
      const [row] =
        id === null ? [] : await change.rows(rowsWhere(sql`r.account_closure_request_id = ${id} and r.account_name = ${accountName}`));
      if (!row) throw refuse('NOT_FOUND', what);
      return row;
    }
    const found =
      id === null
        ? undefined
        : await change
            .selectFrom('accountClosureRequest')
            .select('accountName')
            .where('accountClosureRequestId', '=', id)
            .executeTakeFirst();
    if (id === null || !found) throw refuse('NOT_FOUND', what);
    await lockAccount(change, found.accountName);
    const row = await byId(change, id);
    if (!open.includes(row.state)) throw refuseWithCurrent(forStaff(row), 'ALREADY_RESOLVED', what);
    await refuseOwnAccount(change, row.accountName, caller);
    await change.concerns(row.accountName);
    return row;
  },
  refusal: async (row, { account }) => refuseWithCurrent(account ? forMembers(row) : forStaff(row), 'ALREADY_RESOLVED', what),
};
