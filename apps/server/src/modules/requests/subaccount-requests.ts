import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import type { subaccountRequests } from '@portal/contract/requests/subaccounts';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuseWithCurrent } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lockOwnAccount, refuseSuspended } from '../accounts/index.ts';
import { openSubaccount } from '../nir/index.ts';
import { queueFacts } from './account-facts.ts';
import { detailFor } from './request-detail.ts';
import { forMember, referenceOf, requestById, requestRows } from './request-row.ts';

/** Requests of a national registry for its sub-accounts: open ones by age, then closed ones, newest first. */
export async function listSubaccountRequests({
  read,
  account: { accountName },
  query: { subaccountId, offset, limit },
  registry: { now },
}: Act<typeof subaccountRequests.listSubaccountRequests>): Promise<AnswerOf<typeof subaccountRequests.listSubaccountRequests>> {
  const where = sql`r.account_name = ${accountName} and r.subaccount_id is not null and not (r.state = 'expired' and r.submitted_at is null)
    ${subaccountId === undefined ? sql`` : sql`and r.subaccount_id = ${subaccountId}::bigint`}`;
  const [rows, [counted], queue] = await Promise.all([
    requestRows(
      read,
      sql`${where} order by r.resolved_at is null desc, case when r.resolved_at is null then r.resource_request_id end, r.resource_request_id desc
        limit ${limit} offset ${offset}`,
    ),
    read.rows<{ total: number }>(sql`select count(*)::int as total from resource_request r where ${where}`),
    queueFacts(read, now),
  ]);
  return { rows: rows.map(row => forMember(row, accountName)), total: counted!.total, queue };
}

/** Starts a draft for a sub-account, or returns the existing one of the kind. @throws Failure ACCOUNT_SUSPENDED, REQUEST_OPEN, NOT_FOUND, SUBACCOUNT_CLOSED */
export async function startSubaccountRequest({
  change,
  account,
  caller,
  body: { kind, subaccountId },
  registry,
}: Act<typeof subaccountRequests.startSubaccountRequest>): Promise<ResourceRequestDetail> {
  const { accountName } = account;
  refuseSuspended(account);
  await lockOwnAccount(change, account);
  const subaccount = await openSubaccount(change, accountName, subaccountId);
  const [present] = await requestRows(
    change,
    sql`r.account_name = ${accountName} and r.kind = ${kind} and r.resolved_at is null and r.subaccount_id = ${subaccountId}::bigint`,
  );
  if (present && present.state !== 'draft')
    throw refuseWithCurrent(await detailFor(change, present, accountName, registry), 'REQUEST_OPEN', {
      reference: referenceOf(present.id),
    });
  if (present) return detailFor(change, present, accountName, registry);
  const { resourceRequestId } = await change
    .insertInto('resourceRequest')
    .values({
      accountName,
      kind,
      subaccountId: Number(subaccountId),
      form: JSON.stringify({
        ...emptyForm,
        customer: subaccount.entity,
        ...(kind === 'ipv4' && { length: registry.profile.requestPolicy.ipv4Smallest }),
      }),
      requestedBy: caller.loginId,
      startedAt: change.now,
      since: change.now,
      expiresAt: instantAfter(change.now, registry.profile.requestPolicy.draftDays * DAY_MS),
    })
    .returning('resourceRequestId')
    .executeTakeFirstOrThrow();
  await change.note({ request: referenceOf(resourceRequestId), kind, subaccount: subaccount.name });
  return detailFor(change, (await requestById(change, resourceRequestId))!, accountName, registry);
}

/** Counts open requests for a sub-account, drafts too. */
export async function countSubaccountRequests(read: Pick<Read, 'rows'>, subaccountId: string): Promise<number> {
  const [row] = await read.rows<{ count: number }>(
    sql`select count(*)::int as count from resource_request where subaccount_id = ${subaccountId}::bigint and resolved_at is null`,
  );
  return row!.count;
}
