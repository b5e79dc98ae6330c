import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import { lockAccount } from '../accounts/index.ts';
import { lockContact } from './contact-row.ts';
import { byId, type RequestOfContact, requestOf } from './registry-requests.ts';

const what = { what: 'The request' };

/** Changes of corporate contacts, moved by registry staff. They don't decide about themselves. */
export const registryRequestCases: CasesOf<RequestOfContact> = {
  stateOf: ({ request }) => request.status,
  lock: async ({ change, caller, params: { requestId } }) => {
    const found = isRowId(requestId!)
      ? await change
          .selectFrom('registryRequest')
          .select(['registryRequestId', 'accountName'])
          .where('registryRequestId', '=', Number(requestId))
          .executeTakeFirst()
      : undefined;
    if (!found) throw refuse('NOT_FOUND', what);
    // Same lock order as every change of corporate contacts: account first.
    await lockAccount(change, found.accountName);
    const request = await byId(change, found.registryRequestId);
    if (request.status !== 'pending') throw refuseWithCurrent(requestOf(request), 'ALREADY_RESOLVED', what);
    const contact = await lockContact(change, request.accountName, request.contactId);
    const [own] = await change.rows<{ own: boolean }>(sql`select exists (select from contact
      where contact_id in (${request.contactId}::uuid, ${request.requestedById}::uuid) and login_id = ${caller.loginId}) as own`);
    if (own!.own) throw refuse('OWN_REQUEST');
    await change.concerns(request.accountName);
    return { request, contact };
  },
  refusal: async ({ request }) => refuseWithCurrent(requestOf(request), 'ALREADY_RESOLVED', what),
};
