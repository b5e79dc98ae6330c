import { DAY_MS, instantAfter } from '@portal/contract/days';
import { problemsOfForm } from '@portal/contract/requests/form-problems';
import { problemsOfWhoisNames } from '@portal/contract/requests/whois-names';
import type { ResourceRequest, ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import type { Change } from '../../platform/database/index.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { type Failure, refuse, refuseFields } from '../../platform/failure.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import { findAccount, refuseSuspended } from '../accounts/index.ts';
import { attachmentsOf, attachToAccount } from '../documents/index.ts';
import { fixParts, lockLedger, lockParts, spaceToMove } from '../resources/index.ts';
import { abuseMailboxOf } from '../whois/index.ts';
import { checkRequest, todayOf } from './account-facts.ts';
import { checksFor } from './checks-for-party.ts';
import { decideAlone } from './decisions.ts';
import { attachFiles, endRequest, expectVersion } from './drafts.ts';
import { problemsOfAnswers, problemsOfNames, refuseLacking } from './form-answers.ts';
import { blocksOf, readResources } from './open-request.ts';
import { reservePreApproval } from './pre-approvals.ts';
import { closeQuestion } from './questions.ts';
import { holdForReview } from './transfers/chosen-resource.ts';
import { detailFor, filesOf } from './request-detail.ts';
import { notifyParty } from './request-notices.ts';
import { documentsFor } from './request-offers.ts';
import {
  inWords,
  forMember,
  isOpen,
  lockOwnRequest,
  type Row,
  recordEvent,
  referenceOf,
  requestById,
  updateRequest,
} from './request-row.ts';
import { refuseState } from './request-states.ts';
import { blocks } from './rules/check.ts';
import { keepAgreedPlan } from './transfers/carry-out-move.ts';
import { requestsTexts } from './mail-texts.ts';

/** Returns the required document that a party still has to add before it sends or acknowledges. */
function missingDocuments({ kind, form }: Row, files: readonly unknown[]): { field: 'documents'; message: string }[] {
  const lacking = documentsFor(kind, form).find(({ required }) => required);
  return lacking && files.length === 0 ? [{ field: 'documents', message: `Add a document: ${lacking.name.toLowerCase()}` }] : [];
}

/** Refuses what policy doesn't allow, with the reason. @throws Failure REQUEST_NOT_ALLOWED */
async function refuseAgainstPolicy(change: Change, row: Row, reader: string, registry: PolicyNow): Promise<void> {
  const against = blocks(checksFor(await checkRequest(change, row, registry), row, reader));
  // The refusal is the same for every recipient that can't receive: unknown, closed, suspended or in debt.
  if (against?.checkId === 'recipient' && reader === row.accountName) throw refuseRecipient(row.recipientName!);
  if (against) throw refuse('REQUEST_NOT_ALLOWED', { why: `${against.fact}: ${against.known} (${against.policy})` });
}

/**
 * Sends a draft: to the registry, or as an offer to the recipient of a transfer. Resources to be handed over are locked from now on. @throws Failure
 * INVALID_REQUEST with everything missing, REQUEST_NOT_ALLOWED, RECIPIENT_UNKNOWN, NOT_HOLDER, RESOURCE_LOCKED, STALE, ACCOUNT_SUSPENDED
 */
export async function submitRequest({
  change,
  account: { accountName, accountStatus },
  caller,
  row,
  body: { version },
  registry,
}: CaseAct<typeof requests.submitRequest, Row, 'profile' | 'now' | 'config'>): Promise<ResourceRequestDetail> {
  refuseSuspended({ accountName, accountStatus });
  // Already sent: the same answer again.
  if (row.state !== 'draft') return detailFor(change, row, accountName, registry);
  await expectVersion(change, row, { reader: accountName, version }, registry);
  const files = (await attachmentsOf(change, [filesOf(row, accountName)])).get(filesOf(row, accountName))!;
  const problems = await problemsOfAnswers(change, row, registry);
  problems.push(...missingDocuments(row, files));
  if (problems.length > 0) throw refuseFields(problems);
  const incoming = row.kind === 'transfer' && row.form.incoming;
  const handsOver = !incoming && (row.kind === 'transfer' || row.kind === 'acquisition' || row.kind === 'return');
  let recipientName: string | null = null;
  if (handsOver) {
    const { resources, texts } = readResources(row.form.resources);
    await lockLedger(change);
    const reference = referenceOf(row.id);
    const spaces = await spaceToMove(change, accountName, resources, reference);
    spaces.forEach((space, index) => {
      if (!space) throw refuse('NOT_HOLDER', { resource: texts[index]!, account: accountName }).at('resources');
      if (space.lockedPart)
        throw refuse('RESOURCE_LOCKED', { resource: space.lockedPart.resource, reference: space.lockedPart.reference }).at('resources');
      if (space.ownLock) throw refuse('RESOURCE_LOCKED', { resource: space.from, reference: 'a lock of your account' }).at('resources');
      if (row.kind !== 'return' && space.holdUntil !== null && space.holdUntil > todayOf(registry.profile, change.now))
        throw refuse('ON_HOLD_UNTIL', { resource: texts[index]!, day: space.holdUntil }).at('resources');
    });
    if (row.kind !== 'return' && row.form.otherRegistry.trim() === '') recipientName = await recipientOf(change, row);
    row.form = { ...row.form, resources: texts };
    await refuseAgainstPolicy(change, { ...row, recipientName }, accountName, registry);
    // A recipient has to read the plan first; the registry reads it with the request.
    const part = { reference, accountName, act: row.kind === 'return' ? ('return' as const) : ('transfer' as const) };
    await lockParts(change, { ...part, fixed: recipientName === null }, resources);
  } else {
    if (incoming) row.form = { ...row.form, resources: readResources(row.form.resources).texts };
    await refuseAgainstPolicy(change, row, accountName, registry);
    if (incoming && row.form.usePreApproval)
      await reservePreApproval(change, accountName, blocksOf(row.form.resources), todayOf(registry.profile, change.now));
  }
  const offered = recipientName !== null;
  await updateRequest(change, row, {
    state: offered ? 'offered' : 'submitted',
    form: row.form,
    submittedAt: change.now,
    recipientName,
    otherRegistry: row.form.otherRegistry.trim() || null,
    ...(offered && { expiresAt: instantAfter(change.now, registry.profile.requestPolicy.acknowledgeDays * DAY_MS) }),
  });
  await attachToAccount(change, filesOf(row, accountName), accountName);
  await recordEvent(change, row.id, offered ? 'offered' : 'submitted', { by: caller.loginId, accountName });
  const sent = (await requestById(change, row.id))!;
  if (handsOver && !offered) await keepAgreedPlan(change, sent, registry.profile);
  await change.note({ request: referenceOf(row.id), asked: inWords(sent), ...(recipientName && { recipient: recipientName }) });
  await notifyParty(change, sent, accountName, {
    text: offered
      ? requestsTexts.written('offerSent', {
          numbers: inWords(sent),
          recipientName: recipientName!,
          acknowledgeDays: registry.profile.requestPolicy.acknowledgeDays,
        })
      : requestsTexts.written('requestReceived', { numbers: inWords(sent), place: sent.place! }),
  });
  if (offered)
    await notifyParty(change, sent, recipientName!, {
      text: requestsTexts.written('offersYouTransfer', {
        orgName: row.orgName,
        accountName,
        resources: sent.form.resources.join(', '),
        recipientName: recipientName!,
        acknowledgeDays: registry.profile.requestPolicy.acknowledgeDays,
      }),
      act: 'View offer',
    });
  else if (registry.config.robotHostmaster) await decideAlone(change, sent, registry);
  return detailFor(change, (await requestById(change, row.id))!, accountName, registry);
}

const refuseRecipient = (account: string): Failure => refuse('RECIPIENT_UNKNOWN', { account }).at('recipient');

/** The account that receives: open, another one, of a type that can hold resources. @throws Failure RECIPIENT_UNKNOWN, which says the same of every other account */
async function recipientOf(change: Change, row: Row): Promise<string> {
  const name = row.form.recipient.trim().toUpperCase();
  const found = await findAccount(change, name);
  if (!found || name === row.accountName || found.accountStatus !== 'open' || ['historical', 'rir', 'n/a'].includes(found.accountType))
    throw refuseRecipient(name);
  return name;
}

/**
 * Answers the registry's question to a party. With the last answer the case is in review again, and its numbers are held.
 * @throws Failure STALE, INVALID_REQUEST for a form that is now incomplete, FILE_UNUSABLE
 */
export async function answerRequest({
  change,
  account: { accountName },
  caller,
  row,
  body: { version, answer, documentIds },
  registry,
}: CaseAct<typeof requests.answerRequest, Row, 'profile' | 'now'>): Promise<ResourceRequestDetail> {
  await expectVersion(change, row, { reader: accountName, version }, registry);
  // The form belongs to the sender.
  if (row.accountName === accountName) await refuseLacking(change, row, registry);
  await closeQuestion(change, row, accountName);
  await attachFiles(change, row, { accountName, loginId: caller.loginId, documentIds });
  await recordEvent(change, row.id, 'answer', { by: caller.loginId, accountName, words: answer });
  await holdForReview(change, row);
  await change.note({ request: referenceOf(row.id) });
  return detailFor(change, (await requestById(change, row.id))!, accountName, registry);
}

/** Adds a message of a party to an open case. @throws Failure NOT_FOUND, REQUEST_STATE, FILE_UNUSABLE */
export async function writeAboutRequest({
  change,
  account: { accountName },
  caller,
  params: { requestId },
  body: { words, documentIds },
  registry,
}: Act<typeof requests.writeAboutRequest>): Promise<ResourceRequestDetail> {
  const row = await lockOwnRequest(change, accountName, requestId);
  if (row.state === 'draft' || !isOpen(row)) throw refuseState(row, await detailFor(change, row, accountName, registry));
  await attachFiles(change, row, { accountName, loginId: caller.loginId, documentIds });
  await recordEvent(change, row.id, 'message', { by: caller.loginId, accountName, words });
  await change.note({ request: referenceOf(row.id) });
  return detailFor(change, (await requestById(change, row.id))!, accountName, registry);
}

/**
 * Accepts an offer as its recipient: need is shown by a plan, or by a pre-approval, of which the amount is reserved. Then the registry reviews it.
 * @throws Failure STALE, INVALID_REQUEST, PREAPPROVAL_INSUFFICIENT, REQUEST_NOT_ALLOWED, ACCOUNT_SUSPENDED
 */
export async function acknowledgeTransfer({
  change,
  account: { accountName, accountStatus },
  caller,
  row,
  body: { version, form, documentIds },
  registry,
}: CaseAct<typeof requests.acknowledgeTransfer, Row, 'profile' | 'now'>): Promise<ResourceRequestDetail> {
  refuseSuspended({ accountName, accountStatus });
  await expectVersion(change, row, { reader: accountName, version }, registry);
  const missing = missingDocuments(row, documentIds);
  if (missing.length > 0) throw refuseFields(missing);
  if (row.kind === 'transfer' && blocksOf(row.form.resources) > 0) {
    if (form.usePreApproval)
      await reservePreApproval(change, accountName, blocksOf(row.form.resources), todayOf(registry.profile, change.now));
    else {
      const problems = problemsOfForm('pre-approval', { ...form, blocks: 1 }).map(({ field, message }) => ({ field, message }));
      if (problems.length > 0) throw refuseFields(problems);
    }
  }
  const names = [
    ...problemsOfWhoisNames(form, { asNumbers: row.form.resources.every(text => text.startsWith('AS')) }),
    ...(await problemsOfNames(change, accountName, form, registry.profile)),
  ];
  if (form.abuseMailbox.trim() === '' && (await abuseMailboxOf(change, accountName, registry.profile)) === '')
    names.push({
      field: 'abuseMailbox',
      message: 'Enter the mailbox that takes abuse reports about the numbers: the organisation has none',
    });
  if (names.length > 0) throw refuseFields(names);
  await refuseAgainstPolicy(change, { ...row, receiveForm: form }, accountName, registry);
  await attachFiles(change, row, { accountName, loginId: caller.loginId, documentIds });
  await updateRequest(change, row, { state: 'submitted', receiveForm: form });
  await fixParts(change, referenceOf(row.id));
  await recordEvent(change, row.id, 'acknowledged', { by: caller.loginId, accountName });
  await change.note({
    request: referenceOf(row.id),
    resources: row.form.resources,
    signsRoas: form.takesRoas,
    signsAspas: form.takesAspas,
  });
  const now = (await requestById(change, row.id))!;
  await keepAgreedPlan(change, now, registry.profile);
  await notifyParty(change, now, row.accountName, {
    text: requestsTexts.written('acknowledgedTransfer', { accountName }),
  });
  return detailFor(change, now, accountName, registry);
}

/** Declines an offer; the block is unlocked. @throws Failure STALE */
export async function declineTransfer({
  change,
  account: { accountName },
  caller,
  row,
  body: { version, reason },
  registry,
}: CaseAct<typeof requests.declineTransfer, Row, 'profile' | 'now'>): Promise<ResourceRequest> {
  await expectVersion(change, row, { reader: accountName, version }, registry);
  await endRequest(change, row, 'declined', registry, { by: caller.loginId, accountName, words: reason });
  await change.note({ request: referenceOf(row.id) });
  await notifyParty(change, row, row.accountName, {
    text: requestsTexts.written('declinedTransfer', {
      accountName,
      resources: row.form.resources.join(', '),
      details: reason.trim() === '' ? '' : reason,
    }),
  });
  return forMember((await requestById(change, row.id))!, accountName);
}
