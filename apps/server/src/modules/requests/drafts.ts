import { canMove } from '@portal/contract/life';
import { requestLife } from '@portal/contract/requests/life';
import type { BodyOf } from '@portal/contract';
import { DAY_MS, dayIn, instantAfter } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { problemOfGrounds } from '@portal/contract/requests/request-grounds';
import type { ResourceRequest, ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import { printAsNumber } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { dayInWords } from '../../platform/attention.ts';
import { refuse, refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import { lockOwnAccount, refuseSuspended } from '../accounts/index.ts';
import { cancelTransferFee } from '../billing/index.ts';
import { attach, detachOthers } from '../documents/index.ts';
import { unlockParts } from '../resources/index.ts';
import { releaseRequestHold } from './transfers/chosen-resource.ts';
import { versionOf } from './transfers/offer-version.ts';
import { factsOf } from './account-facts.ts';
import { blocksOf } from './open-request.ts';
import { restorePreApproval } from './pre-approvals.ts';
import { closeQuestions, questionTo } from './questions.ts';
import { detailFor, filesOf, returnDueOf } from './request-detail.ts';
import { notifyParty } from './request-notices.ts';
import { networksSeen } from './seen-networks.ts';
import { refuseState } from './request-states.ts';
import {
  inWords,
  forMember,
  isOpen,
  lockOwnRequest,
  type Row,
  recordEvent,
  referenceOf,
  requestById,
  requestRows,
  updateRequest,
} from './request-row.ts';
import { requestsTexts } from './mail-texts.ts';

/** Starts a draft, or returns the existing one of the same kind. @throws Failure ACCOUNT_SUSPENDED, REQUEST_OPEN */
export async function startRequest({
  change,
  account,
  caller,
  body: { kind, incoming: asked = false },
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  caller: Caller;
  body: { kind: RequestKind; incoming?: boolean };
  registry: PolicyNow;
}): Promise<ResourceRequestDetail> {
  const { accountName } = account;
  // Only a transfer can be to or from another registry.
  const incoming = asked && kind === 'transfer';
  refuseSuspended(account);
  await lockOwnAccount(change, account);
  const own = await requestRows(
    change,
    sql`r.account_name = ${accountName} and r.kind = ${kind} and r.resolved_at is null and r.subaccount_id is null and not r.direct
    and (r.kind <> 'transfer' or coalesce((r.form ->> 'incoming')::boolean, false) = ${incoming})
    order by r.state = 'draft' desc, r.resource_request_id desc`,
  );
  const [present] = own;
  const several = kind === 'transfer' || kind === 'acquisition' || kind === 'return';
  if (present && present.state !== 'draft' && !several)
    throw refuseWithCurrent(await detailFor(change, present, accountName, registry), 'REQUEST_OPEN', {
      reference: referenceOf(present.id),
    });
  if (present?.state === 'draft') return detailFor(change, present, accountName, registry);
  const { resourceRequestId } = await change
    .insertInto('resourceRequest')
    .values({
      accountName,
      kind,
      form: JSON.stringify({
        ...emptyForm,
        incoming,
        ...(kind === 'ipv4' && { length: registry.profile.requestPolicy.ipv4Smallest }),
        ...(kind === 'asn' && { neighbours: await seenNeighbours(change, accountName, registry) }),
      }),
      requestedBy: caller.loginId,
      startedAt: change.now,
      since: change.now,
      expiresAt: instantAfter(change.now, registry.profile.requestPolicy.draftDays * DAY_MS),
    })
    .returning('resourceRequestId')
    .executeTakeFirstOrThrow();
  await change.note({ request: referenceOf(resourceRequestId), kind });
  return detailFor(change, (await requestById(change, resourceRequestId))!, accountName, registry);
}

/** Refuses a case that was changed since it was read. @throws Failure STALE with the case as it is */
export async function expectVersion(
  change: Change,
  row: Row,
  { reader, version }: { reader: string; version: number },
  registry: PolicyNow,
): Promise<void> {
  if ((await versionOf(change, row, registry.profile)) === version) return;
  throw refuseWithCurrent(await detailFor(change, row, reader, registry), 'STALE', {
    what: row.state === 'offered' ? 'this request, or what its plan lists' : 'this request',
  });
}

/** The networks that routing data shows beside an account, as the first answer of a request for an AS number. */
async function seenNeighbours(read: Read, accountName: string, registry: PolicyNow): Promise<RequestForm['neighbours']> {
  const facts = await factsOf(read, accountName, { kind: 'asn', ...registry });
  return (await networksSeen(read, accountName, facts)).map(({ asn }) => ({ asn: printAsNumber(asn), name: '' }));
}

/** Saves the answers so far. @throws Failure NOT_FOUND, REQUEST_STATE, STALE, FILE_UNUSABLE, INVALID_REQUEST for grounds that the kind doesn’t have */
export async function saveRequest({
  change,
  account: { accountName },
  caller,
  params: { requestId },
  body: { version, form, documentIds },
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  caller: Caller;
  params: { requestId: string };
  body: BodyOf<typeof requests.saveRequest>;
  registry: PolicyNow;
}): Promise<ResourceRequestDetail> {
  const row = await lockOwnRequest(change, accountName, requestId);
  if (row.accountName !== accountName) throw refuse('NOT_FOUND', { what: 'The request' });
  const isWritten = questionTo(row, accountName) ? requestLife.answer : requestLife.send;
  if (!canMove(isWritten, row.state)) throw refuseState(row, await detailFor(change, row, accountName, registry));
  await expectVersion(change, row, { reader: accountName, version }, registry);
  const problem = problemOfGrounds(row.kind, form.path, { isDraft: true });
  if (problem) throw refuseField('form.path', problem.message);
  // The subject of a case under way is fixed: only the explanations of a transfer can change while the registry asks.
  const { resources, recipient, otherRegistry, incoming, withRegistrations, withRoas, usePreApproval, closeAfter, plans } = row.form;
  // For a direct delegation the account can only answer how it appears in whois.
  const { netname, adminContact, techContact, maintainer, abuseMailbox } = form;
  const kept = row.direct
    ? { ...row.form, netname, adminContact, techContact, maintainer, abuseMailbox }
    : row.state === 'draft'
      ? { ...form, incoming }
      : { ...form, resources, recipient, otherRegistry, incoming, withRegistrations, withRoas, usePreApproval, closeAfter, plans };
  // The held block was chosen for another size; the answer to the question holds a new one.
  if (kept.length !== row.form.length || kept.path !== row.form.path || kept.twoByte !== row.form.twoByte)
    await releaseRequestHold(change, row);
  await updateRequest(change, row, {
    form: kept,
    ...(row.state === 'draft' && { expiresAt: instantAfter(change.now, registry.profile.requestPolicy.draftDays * DAY_MS) }),
  });
  await attachFiles(change, row, { accountName, loginId: caller.loginId, documentIds });
  if (row.state === 'draft') await detachOthers(change, filesOf(row, accountName), documentIds);
  await change.note({ request: referenceOf(row.id) });
  return detailFor(change, (await requestById(change, row.id))!, accountName, registry);
}

/** Attaches files to a case; those of a draft belong to the account once it is sent. */
export async function attachFiles(
  change: Change,
  row: Row,
  { accountName, loginId, documentIds }: { accountName: string; loginId: string; documentIds: readonly string[] },
): Promise<void> {
  await attach(change, loginId, documentIds, {
    reference: filesOf(row, accountName),
    accountName: row.state === 'draft' ? null : accountName,
    type: 'other',
    visibility: 'corporate',
  });
}

/**
 * Withdraws an open case, or deletes a draft. A transfer can't be withdrawn once its recipient has acknowledged it, nor the return of event space
 * after its last day, because the registry would open it again.
 * @throws Failure RETURN_DUE
 */
export async function withdrawRequest({
  change,
  account: { accountName },
  caller,
  row,
  registry,
}: CaseAct<typeof requests.withdrawRequest, Row, 'profile' | 'now'>): Promise<ResourceRequest> {
  if (row.recoveryGround !== null) throw refuse('RECOVERY', { reference: referenceOf(row.id) });
  const due = await returnDueOf(change, row, registry);
  if (due) throw refuse('RETURN_DUE', { resource: due.resource, day: dayInWords(due.endedOn) });
  await endRequest(change, row, 'withdrawn', registry, { by: caller.loginId, accountName });
  await change.note({ request: referenceOf(row.id), before: row.state, after: 'withdrawn' });
  if (row.recipientName !== null && row.state !== 'draft')
    await notifyParty(change, row, row.recipientName, {
      text: requestsTexts.written('transferWithdrawn', { accountName: row.accountName, numbers: inWords(row) }),
    });
  return forMember((await requestById(change, row.id))!, accountName);
}

/** Ends an open case without a result: held numbers are freed, locked ones unlocked, its fee is credited, and files of a draft are deleted. */
export async function endRequest(
  change: Change,
  row: Row,
  state: 'withdrawn' | 'expired' | 'rejected' | 'declined',
  { profile, now }: PolicyNow,
  {
    by = null,
    byStaff = false,
    accountName = null,
    words = '',
    note,
  }: { by?: string | null; byStaff?: boolean; accountName?: string | null; words?: string; note?: string } = {},
): Promise<void> {
  if (!isOpen(row)) return;
  await releaseRequestHold(change, row);
  await unlockParts(change, referenceOf(row.id));
  if (row.receiveForm?.usePreApproval && row.recipientName !== null)
    await restorePreApproval(change, row.recipientName, blocksOf(row.form.resources), row.id);
  if (row.form.incoming && row.form.usePreApproval && row.state !== 'draft')
    await restorePreApproval(change, row.accountName, blocksOf(row.form.resources), row.id);
  await updateRequest(change, row, {
    state,
    resolvedAt: change.now,
    ...(byStaff && { decidedBy: by }),
    ...(note !== undefined && { note }),
  });
  await closeQuestions(change, row);
  if (row.fee !== null) await cancelTransferFee(change, referenceOf(row.id), { profile, today: dayIn(profile.timeZone, now) });
  await recordEvent(change, row.id, state, { by, byStaff, accountName, words });
  if (row.state === 'draft') await detachOthers(change, filesOf(row, row.accountName), []);
}
