import type { requests, ResourceRequestDetail } from '@portal/contract/requests/requests';
import { emptyForm } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lockOwnAccount } from '../accounts/index.ts';
import { endRequest } from './drafts.ts';
import { delegateChosen } from './transfers/chosen-resource.ts';
import { detailFor, oneClickOffer } from './request-detail.ts';
import { notifyParty } from './request-notices.ts';
import { recordEvent, referenceOf, requestById, requestRows, updateRequest } from './request-row.ts';
import { requestsTexts } from './mail-texts.ts';

/** Marks a one-click request: no form contains this text. */
const mark = 'IPv6 in one click';

/**
 * Delegates IPv6 to a member with IPv4 but no IPv6, without further questions. A repeated call returns the same.
 * @throws Failure NOT_ELIGIBLE with the reason, POOL_EXHAUSTED, DELEGATION_OVERLAPS
 */
export async function confirmOneClick({
  change,
  account,
  caller,
  registry,
}: Act<typeof requests.confirmOneClick>): Promise<ResourceRequestDetail> {
  const { accountName } = account;
  await lockOwnAccount(change, account);
  const [done] = await requestRows(
    change,
    sql`r.account_name = ${accountName} and r.kind = 'ipv6' and r.state = 'completed' and r.by_robot and r.note = ${mark}
    order by r.resource_request_id desc limit 1`,
  );
  const offer = await oneClickOffer(change, accountName, registry);
  if (!offer && done) return detailFor(change, done, accountName, registry);
  if (!offer)
    throw refuse('NOT_ELIGIBLE', {
      why: 'it’s for open accounts with current IPv4 and no IPv6, and with nothing overdue. Send a request instead',
    });
  // A draft of the same kind is deleted with its files, because the account has what it asked for.
  for (const draft of await requestRows(change, sql`r.account_name = ${accountName} and r.kind = 'ipv6' and r.state = 'draft'`))
    await endRequest(change, draft, 'withdrawn', registry, { by: caller.loginId, accountName });
  const { resourceRequestId: id } = await change
    .insertInto('resourceRequest')
    .values({
      accountName,
      kind: 'ipv6',
      state: 'submitted',
      form: JSON.stringify({
        ...emptyForm,
        path: offer.length === registry.profile.requestPolicy.ipv6EndSite ? 'end-site' : 'lir',
        length: offer.length,
      }),
      requestedBy: caller.loginId,
      startedAt: change.now,
      submittedAt: change.now,
      since: change.now,
    })
    .returning('resourceRequestId')
    .executeTakeFirstOrThrow();
  const row = (await requestById(change, id))!;
  await recordEvent(change, id, 'submitted', { by: caller.loginId, accountName });
  const resource = await delegateChosen(change, row, { picked: null, profile: registry.profile });
  await updateRequest(change, row, {
    state: 'completed',
    resolvedAt: change.now,
    byRobot: true,
    note: mark,
    outcome: { resources: [resource] },
  });
  await recordEvent(change, id, 'completed', { byStaff: true, words: resource });
  await change.note({ request: referenceOf(id), resource });
  await notifyParty(change, row, accountName, {
    text: requestsTexts.written('approvedInOneClick', { resource, accountName }),
  });
  return detailFor(change, (await requestById(change, id))!, accountName, registry);
}
