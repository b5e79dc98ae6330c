import type { Row } from './access-requests.ts';
import type { AnswerOf } from '@portal/contract';
import type { accessRequests } from '@portal/contract/contacts/access-requests';
import { sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { lockAccountIfAny } from '../accounts/index.ts';

type Own = AnswerOf<typeof accessRequests.listOwnRequests>;

export const rowsOf = (read: Read, accountName: string, caller: Caller) =>
  read.rows<
    Own[number]
  >(sql`select access_request_id::text as request_id, kind, status, contact_types, permissions, reason, requested_at, expires_at
    from access_request where account_name = ${accountName} and login_id = ${caller.loginId} and status = 'pending' order by access_request_id`);

/** Lists the caller's open requests to the account's contacts. */
export const listOwnRequests = ({ read, account: { accountName }, caller }: Act<typeof accessRequests.listOwnRequests>): Promise<Own> =>
  rowsOf(read, accountName, caller);

/** Cancels a request of the caller. */
export async function cancelOwnRequest({
  change,
  account: { accountName },
  caller,
  row: { accessRequestId, kind },
}: CaseAct<typeof accessRequests.cancelOwnRequest, Row>): Promise<Own> {
  await change
    .updateTable('accessRequest')
    .set({ status: 'other', outcome: 'cancelled', resolvedAt: change.now })
    .where('accessRequestId', '=', accessRequestId)
    .execute();
  await change.note({ request: accessRequestId, kind });
  return rowsOf(change, accountName, caller);
}

/**
 * Cancels the caller's request to be linked to an account. The answer is the same whether or not the account exists; the request still counts towards the limit.
 */
export async function cancelLinkRequest({
  change,
  caller,
  params: { name: accountName },
}: Act<typeof accessRequests.cancelLinkRequest>): Promise<void> {
  const name = accountName.trim().toUpperCase();
  // Locked before its requests, as in resolving them.
  await lockAccountIfAny(change, name);
  await change
    .updateTable('linkAttempt')
    .set({ cancelledAt: change.now })
    .where('loginId', '=', caller.loginId)
    .where('accountName', '=', name)
    .where('cancelledAt', 'is', null)
    .execute();
  await change
    .updateTable('accessRequest')
    .set({ status: 'other', outcome: 'cancelled', resolvedAt: change.now })
    .where('accountName', '=', name)
    .where('loginId', '=', caller.loginId)
    .where('kind', '=', 'link')
    .where('status', '=', 'pending')
    .execute();
  await change.note({ accountName: name });
}
