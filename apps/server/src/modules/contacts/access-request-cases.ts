import { isRowId } from '@portal/contract/row-ids';
import { accessRequestLife } from '@portal/contract/contacts/life';
import { sql } from 'kysely';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import { lockAccount } from '../accounts/index.ts';
import { requestOf, type Row, rowsWhere } from './access-requests.ts';
import { rowsOf } from './own-requests.ts';

/** Requests to the contacts of an account: cancelled by who asked, resolved by any other contact who may. The account is locked first. */
export const accessRequestCases: CasesOf<Row> = {
  stateOf: ({ status }) => status,
  lock: async ({ change, account, caller, params, body }, { name }) => {
    const { accountName } = account!;
    const isOwn = name === accessRequestLife.cancel.name;
    await lockAccount(change, accountName);
    const requestId = isOwn ? params['requestId']! : (body as { requestId: string }).requestId;
    const [row] = isRowId(requestId)
      ? await change.rows(rowsWhere(sql`q.access_request_id = ${Number(requestId)} and q.account_name = ${accountName}`))
      : [];
    if (!row || (isOwn && row.loginId !== caller.loginId))
      throw refuse('NOT_FOUND', { what: isOwn ? 'The request' : 'The access request' });
    if (!isOwn && row.status === 'pending' && row.loginId === caller.loginId) throw refuse('OWN_REQUEST');
    return row;
  },
  refusal: async (row, { change, account, caller }, { name }) =>
    name === accessRequestLife.cancel.name
      ? refuseWithCurrent(await rowsOf(change, account!.accountName, caller), 'ALREADY_RESOLVED', { what: 'The request' })
      : refuseWithCurrent(requestOf(row, caller), 'ALREADY_RESOLVED', { what: 'The access request' }),
};
