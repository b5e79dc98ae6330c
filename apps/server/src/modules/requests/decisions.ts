import { DAY_MS, daysAfter, instantAfter } from '@portal/contract/days';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { type NumberResource, parseResource, ResourceSyntaxError } from '@portal/number-resources';
import type { Caller } from '../../platform/caller.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import { accountNamed, refuseOwn } from '../accounts/index.ts';
import { endDelegationsIn } from '../nir/index.ts';
import { columnsOf, lockLedger, movedSpace, restInPool } from '../resources/index.ts';
import { handOverRoas } from '../rpki/index.ts';
import { endObjectsIn } from '../whois/index.ts';
import { blocksOf, judge, todayOf } from './account-facts.ts';
import { endRequest, stateWords } from './drafts.ts';
import { give, holdFor } from './giving.ts';
import { endListingsIn } from './listings.ts';
import { readResources } from './open-request.ts';
import { grantPreApproval } from './pre-approvals.ts';
import type { Deps } from './request-detail.ts';
import { inWords, notifyParties, notifyParty } from './request-notices.ts';
import {
  isOpen,
  lockRequest,
  numberOf,
  type Outcome,
  type Row,
  recordEvent,
  referenceOf,
  requestById,
  updateRequest,
} from './request-row.ts';
import { allMet, blocks } from './request-rules.ts';
import { staffDetail } from './staff-request.ts';
import { feeOnApproval } from './transfer-plan.ts';

const what = { what: 'The request' };

/** A case held for staff. @throws Failure NOT_FOUND, ALREADY_RESOLVED with the case as it is, OWN_REQUEST */
async function lockForStaff(change: Change, requestId: string, caller: Caller, deps: Deps): Promise<Row> {
  const id = numberOf(requestId);
  const found = id === null ? null : await requestById(change, id);
  if (!found || found.submittedAt === null) throw refuse('NOT_FOUND', what);
  await lockRequest(change, found.id);
  const row = (await requestById(change, found.id))!;
  if (!isOpen(row)) throw refuseWithCurrent(await staffDetail(change, row, deps), 'ALREADY_RESOLVED', what);
  await refuseOwn(change, row.accountName, caller);
  if (row.recipientName !== null) await refuseOwn(change, row.recipientName, caller);
  return row;
}

const again = async (change: Change, row: Row, deps: Deps): Promise<StaffResourceRequest> =>
  staffDetail(change, (await requestById(change, row.id))!, deps);

async function refuseUnless(change: Change, row: Row, states: readonly Row['state'][], deps: Deps): Promise<void> {
  if (!states.includes(row.state)) throw refuseWithCurrent(await staffDetail(change, row, deps), 'STALE', what);
}

/** Takes a case into review; a block is held for it. @throws Failure NOT_FOUND, ALREADY_RESOLVED, OWN_REQUEST, STALE */
export async function reviewRequest(change: Change, requestId: string, caller: Caller, deps: Deps): Promise<StaffResourceRequest> {
  const row = await lockForStaff(change, requestId, caller, deps);
  await refuseUnless(change, row, ['submitted', 'needs-info'], deps);
  await updateRequest(change, row, { state: 'in-review', reviewer: caller.loginId, question: null });
  await recordEvent(change, row.id, 'in-review', { by: caller.loginId, byStaff: true });
  if (row.kind === 'ipv4' || row.kind === 'ipv6' || row.kind === 'asn') {
    const held = await holdFor(change, row);
    if (held) await recordEvent(change, row.id, 'reserved', { byStaff: true, internal: true, words: columnsOf(held).resource });
  }
  await change.concerns(row.accountName);
  await change.note({ request: referenceOf(row.id) });
  return again(change, row, deps);
}

/** Asks the member; the clock stops until the answer. @throws Failure NOT_FOUND, ALREADY_RESOLVED, OWN_REQUEST, STALE while an earlier question waits */
export async function askAboutRequest(
  change: Change,
  requestId: string,
  { question }: { question: string },
  caller: Caller,
  deps: Deps,
): Promise<StaffResourceRequest> {
  const row = await lockForStaff(change, requestId, caller, deps);
  await refuseUnless(change, row, ['submitted', 'in-review'], deps);
  const { answerDays } = deps.profile.requestPolicy;
  await updateRequest(change, row, {
    state: 'needs-info',
    reviewer: caller.loginId,
    question,
    expiresAt: instantAfter(change.now, answerDays * DAY_MS),
  });
  await recordEvent(change, row.id, 'question', { by: caller.loginId, byStaff: true, accountName: row.accountName, words: question });
  await change.concerns(row.accountName);
  await change.note({ request: referenceOf(row.id), question });
  await notifyParty(change, row, row.accountName, {
    subject: 'we have a question',
    body: [
      'Registry staff reviewed your request and ask:',
      question,
      `Answer within ${answerDays} days. Without an answer the request expires.`,
    ],
    act: 'Answer',
  });
  return again(change, row, deps);
}

/** Adds a note. @throws Failure NOT_FOUND */
export async function noteOnRequest(
  change: Change,
  requestId: string,
  { words, internal }: { words: string; internal: boolean },
  caller: Caller,
  deps: Deps,
): Promise<StaffResourceRequest> {
  const id = numberOf(requestId);
  const row = id === null ? null : await requestById(change, id);
  if (!row || row.submittedAt === null) throw refuse('NOT_FOUND', what);
  await recordEvent(change, row.id, internal ? 'note' : 'message', {
    by: caller.loginId,
    byStaff: true,
    internal,
    accountName: internal ? null : row.accountName,
    words,
  });
  await change.note({ request: referenceOf(row.id) });
  if (!internal) await notifyParty(change, row, row.accountName, { subject: 'a message from the registry', body: [words] });
  return again(change, row, deps);
}

/** Rejects, with the reason. @throws Failure NOT_FOUND, ALREADY_RESOLVED, OWN_REQUEST */
export async function refuseRequest(
  change: Change,
  requestId: string,
  { reason }: { reason: string },
  caller: Caller,
  deps: Deps,
): Promise<StaffResourceRequest> {
  const row = await lockForStaff(change, requestId, caller, deps);
  await endRequest(change, row, 'rejected', { by: caller.loginId, byStaff: true, words: reason, note: reason });
  await change.concerns(row.accountName);
  await change.note({ request: referenceOf(row.id), reason });
  await notifyParties(change, row, {
    subject: `rejected: ${inWords(row)}`,
    body: ['The request was rejected. Reason:', reason, 'You can send another one once this is resolved.'],
  });
  return again(change, row, deps);
}

/** The block staff picked instead of the proposed one. @throws Failure INVALID_REQUEST */
function pickedBlock(row: Row, text: string): NumberResource | null {
  if (text.trim() === '') return null;
  let resource: NumberResource;
  try {
    resource = parseResource(text.trim());
  } catch (error) {
    if (error instanceof ResourceSyntaxError) throw refuseField('resource', error.message);
    throw error;
  }
  const fits =
    resource.family === row.kind &&
    (resource.family === 'asn' ? resource.first === resource.last : columnsOf(resource).resource.endsWith(`/${row.form.length}`));
  if (!fits)
    throw refuseField(
      'resource',
      row.kind === 'asn' ? 'Enter one AS number, such as AS65540' : `Enter a /${row.form.length}, such as the proposed one`,
    );
  return resource;
}

/** Approves a case, by a person of the registry. @throws Failure as `approve`, and NOT_FOUND, ALREADY_RESOLVED, OWN_REQUEST, STALE */
export async function approveRequest(
  change: Change,
  requestId: string,
  { note, resource }: { note: string; resource: string },
  caller: Caller,
  deps: Deps,
): Promise<StaffResourceRequest> {
  const row = await lockForStaff(change, requestId, caller, deps);
  await refuseUnless(change, row, ['submitted', 'in-review'], deps);
  await change.concerns(row.accountName);
  await approve(change, row, { note, picked: pickedBlock(row, resource), by: caller.loginId }, deps);
  return again(change, row, deps);
}

/** Approves what policy allows outright, without a person: for demonstrations and small registries. Logged as such. */
export async function decideAlone(change: Change, row: Row, deps: Deps): Promise<void> {
  if (!['ipv4', 'ipv6', 'asn'].includes(row.kind)) return;
  if (!allMet(await judge(change, row, deps))) return;
  await approve(change, row, { note: '', picked: null, by: null }, deps);
}

/**
 * Carries a decision out, in one change: what was asked for is delegated, granted, returned or moved, or waits for the transfer fee.
 * @throws Failure POOL_EXHAUSTED, DELEGATION_OVERLAPS, REQUEST_NOT_ALLOWED where policy is no longer met, ACCOUNT_CLOSED
 */
async function approve(
  change: Change,
  row: Row,
  { note, picked, by }: { note: string; picked: NumberResource | null; by: string | null },
  deps: Deps,
): Promise<void> {
  const { profile } = deps;
  const account = await accountNamed(change, row.accountName);
  if (account.accountStatus === 'closed') throw refuse('ACCOUNT_CLOSED', { account: row.accountName });
  const against = blocks(await judge(change, { ...row, isLocked: true }, deps));
  if (against) throw refuse('REQUEST_NOT_ALLOWED', { why: `${against.fact}: ${against.known} (${against.policy})` });
  const decided = { decidedBy: by, byRobot: by === null, note };
  await recordEvent(change, row.id, 'approved', { by, byStaff: true, words: note });
  if (row.kind === 'transfer' || row.kind === 'acquisition') {
    const fee = await feeOnApproval(change, row, deps);
    if (fee !== null) {
      await updateRequest(change, row, { ...decided, state: 'awaiting-fee', fee });
      await recordEvent(change, row.id, 'awaiting-fee', { byStaff: true });
      await change.note({ request: referenceOf(row.id), fee: `${profile.currency} ${fee}` });
      await notifyParty(change, row, row.recipientName ?? row.accountName, {
        subject: `approved: pay the transfer fee of ${profile.currency} ${fee}`,
        body: [
          `The transfer of ${row.form.resources.join(', ')} is approved. It completes when the fee is paid.`,
          [...profile.paymentInstructions, `Reference: ${referenceOf(row.id)}`].join('\n'),
        ],
      });
      return;
    }
    await complete(change, row, decided, deps);
    return;
  }
  const outcome = await decisionOf(change, row, picked, deps);
  await updateRequest(change, row, { ...decided, state: 'completed', resolvedAt: change.now, outcome });
  await recordEvent(change, row.id, 'completed', { byStaff: true, words: outcome.resources.join(', ') });
  await change.note({
    request: referenceOf(row.id),
    resources: outcome.resources,
    ...(by === null && { decidedBy: 'rules' }),
    ...(note !== '' && { note }),
  });
  await notifyParty(change, row, row.accountName, {
    subject: row.kind === 'return' ? `returned: ${outcome.resources.join(', ')}` : `approved: ${outcome.resources.join(', ')}`,
    body: [...approvedWords(row, outcome), ...(note === '' ? [] : [`Registry staff write:\n\n${note}`])],
  });
}

function approvedWords(row: Row, { resources, restsUntil }: Outcome): string[] {
  if (row.kind === 'pre-approval') return [`${resources[0]}. Each completed transfer counts against it.`];
  if (row.kind === 'return')
    return [`${resources.join(', ')} went back to the registry and rests until ${restsUntil}. Its whois objects and ROAs are gone.`];
  return [
    `${resources.join(', ')} is delegated to ${row.accountName}. Whois, RDAP and RPKI show it within seconds, the statistics files from tomorrow.`,
    'Next: create routes, reverse DNS and contacts for it.',
  ];
}

/** Carries out an approval other than that of a transfer and returns its outcome. */
async function decisionOf(change: Change, row: Row, picked: NumberResource | null, { profile }: Deps): Promise<Outcome> {
  const policy = profile.requestPolicy;
  if (row.kind === 'pre-approval') {
    const until = await grantPreApproval(change, {
      accountName: row.accountName,
      requestId: row.id,
      blocks: row.form.blocks,
      months: policy.preApprovalMonths,
    });
    return { resources: [`${row.form.blocks} × /24 until ${until}`] };
  }
  if (row.kind !== 'return') return { resources: [await give(change, row, { picked, profile })] };
  const { resources, texts } = readResources(row.form.resources);
  await lockLedger(change);
  await endDelegationsIn(change, row.accountName, resources);
  await endListingsIn(change, row.accountName, resources);
  const { ended } = await movedSpace(change, row.accountName, resources, null);
  await handOverRoas(change, { from: row.accountName, to: null, moved: resources, keep: false });
  const restsUntil = daysAfter(todayOf(profile, change.now), policy.quarantineDays);
  for (const resource of resources) {
    await restInPool(change, resource, restsUntil);
    await endObjectsIn(change, columnsOf(resource), 'The space was returned to the registry', profile);
  }
  return { resources: texts, restsUntil, registrationsEnded: ended };
}

/**
 * Completes a transfer whose fee was paid. @throws Failure NOT_FOUND, ALREADY_RESOLVED, OWN_REQUEST, REQUEST_STATE, REQUEST_NOT_ALLOWED where a party can't any
 * more, ACCOUNT_CLOSED
 */
export async function completeTransfer(
  change: Change,
  requestId: string,
  { paidOn, paymentReference }: { paidOn: string; paymentReference: string },
  caller: Caller,
  deps: Deps,
): Promise<StaffResourceRequest> {
  const row = await lockForStaff(change, requestId, caller, deps);
  if (row.state !== 'awaiting-fee')
    throw refuseWithCurrent(await staffDetail(change, row, deps), 'REQUEST_STATE', {
      reference: referenceOf(row.id),
      state: stateWords[row.state],
    });
  if (paidOn > todayOf(deps.profile, change.now)) throw refuseField('paidOn', 'This day is in the future');
  await updateRequest(change, row, { feePaidOn: paidOn, feeReference: paymentReference });
  await recordEvent(change, row.id, 'fee-paid', { by: caller.loginId, byStaff: true, words: paymentReference });
  await change.concerns(row.accountName);
  await complete(change, row, { decidedBy: caller.loginId }, deps);
  return again(change, row, deps);
}

/** Moves the space: ledger, registrations, whois and ROAs in this change, and notifies both parties. */
async function complete(change: Change, row: Row, decided: Partial<Parameters<typeof updateRequest>[2]>, deps: Deps): Promise<void> {
  const { profile } = deps;
  const against = blocks(await judge(change, { ...row, isLocked: true }, deps));
  if (against) throw refuse('REQUEST_NOT_ALLOWED', { why: `${against.fact}: ${against.known} (${against.policy})` });
  const to = row.recipientName === null ? null : await accountNamed(change, row.recipientName);
  if (to?.accountStatus === 'closed') throw refuse('ACCOUNT_CLOSED', { account: to.accountName });
  const { resources, texts } = readResources(row.form.resources);
  await lockLedger(change);
  await endDelegationsIn(change, row.accountName, resources);
  await endListingsIn(change, row.accountName, resources);
  const { ended } = await movedSpace(
    change,
    row.accountName,
    resources,
    to && { accountName: to.accountName, economy: to.economy, withRegistrations: row.form.withRegistrations },
  );
  const roas = await handOverRoas(change, {
    from: row.accountName,
    to: to?.accountName ?? null,
    moved: resources,
    keep: row.form.withRoas,
  });
  if (to === null || !row.form.withRegistrations)
    for (const resource of resources)
      await endObjectsIn(
        change,
        columnsOf(resource),
        to === null ? `Transferred to ${row.otherRegistry}` : `Transferred to ${to.accountName}`,
        profile,
      );
  const outcome: Outcome = {
    resources: texts,
    from: row.accountName,
    to: to?.accountName ?? row.otherRegistry ?? '',
    registrationsEnded: ended,
    roas,
  };
  await updateRequest(change, row, { ...decided, state: 'completed', resolvedAt: change.now, outcome });
  await recordEvent(change, row.id, 'completed', { byStaff: true, words: texts.join(', ') });
  await change.note({ request: referenceOf(row.id), resources: texts, to: outcome.to, roasHandedOver: roas, registrationsEnded: ended });
  await notifyParties(change, row, {
    subject: `completed: ${texts.join(', ')}`,
    body: [
      `${texts.join(', ')} moved from ${row.accountName} to ${outcome.to}.`,
      roas > 0 ? `${roas} ROAs were handed over and are published together with the change.` : 'No ROAs were handed over.',
      `The transfer of ${blocksOf(texts)} × /24 is in the public transfer log from today.`,
    ],
  });
}
