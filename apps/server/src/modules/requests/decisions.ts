import { rowNumber } from '@portal/contract/row-ids';
import { DAY_MS, daysAfter, instantAfter } from '@portal/contract/days';
import type { Addressee, requestDesk, StaffResourceRequest } from '@portal/contract/requests/desk';
import { askedFor } from '@portal/contract/requests/request-words';
import { type NumberResource, parseResource, ResourceSyntaxError } from '@portal/number-resources';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change } from '../../platform/database/index.ts';
import { type Act, type CaseAct, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import { Failure, refuse, refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import { accountNamed } from '../accounts/index.ts';
import { chargeTransferFee } from '../billing/index.ts';
import { loginById } from '../identity/index.ts';
import { notifyFormerHandler } from '../roles/index.ts';
import { columnsOf, lockLedger, restInPool } from '../resources/index.ts';
import { dayInWords } from '../../platform/attention.ts';
import type { PolicyNow, Registry } from '../../platform/registry.ts';
import { checkRequest, todayOf } from './account-facts.ts';
import { complete } from './completion.ts';
import { needsTwo, requireDeciders } from './deciders.ts';
import { endRequest } from './drafts.ts';
import { carryOutMove } from './transfers/carry-out-move.ts';
import { delegateChosen, holdForReview } from './transfers/chosen-resource.ts';
import { readResources } from './open-request.ts';
import { grantPreApproval } from './pre-approvals.ts';
import { askParties, closeQuestions, questionTo } from './questions.ts';
import { notifyRecovered } from './recoveries.ts';
import { deskPageOf, notifyParties, notifyParty, partiesOf } from './request-notices.ts';
import { inWords, type Outcome, type Row, recordEvent, referenceOf, requestById, setReviewer, updateRequest } from './request-row.ts';
import { allMet, blocks } from './rules/check.ts';
import { refuseState } from './request-states.ts';
import { again, staffDetail } from './staff-request.ts';
import { feeOnApproval, feePayerOf } from './transfers/transfer-plan.ts';
import { mustWait, putOnWaitingList } from './waiting-list/waiting-list.ts';
import { requestsTexts } from './mail-texts.ts';

const what = { what: 'The request' };

/**
 * Takes a case into review, or over from a colleague, who is notified; a block is held for it.
 */
export async function reviewRequest({
  change,
  caller,
  row,
  registry,
}: CaseAct<typeof requestDesk.reviewRequest, Row, 'profile' | 'now'>): Promise<StaffResourceRequest> {
  if (row.state === 'in-review') return takeOver(change, row, caller, registry);
  await closeQuestions(change, row);
  await updateRequest(change, row, { state: 'in-review', reviewer: caller.loginId });
  await recordEvent(change, row.id, 'in-review', { by: caller.loginId, byStaff: true });
  await holdForReview(change, row);
  await change.concerns(row.accountName);
  await change.note({ request: referenceOf(row.id) });
  await notifyFormer(change, row, caller);
  return again(change, row, registry);
}

/** Takes a case over from the colleague who reviews it. Questions and held numbers stay; the parties don't see the reviewer's name. */
async function takeOver(change: Change, row: Row, caller: Caller, registry: PolicyNow): Promise<StaffResourceRequest> {
  const former = await loginById(change, row.reviewerId!);
  await setReviewer(change, row, caller.loginId);
  await recordEvent(change, row.id, 'in-review', {
    by: caller.loginId,
    byStaff: true,
    internal: true,
    words: `Taken over from ${former!.fullName}`,
  });
  await change.concerns(row.accountName);
  await change.note({ request: referenceOf(row.id) });
  await notifyFormer(change, row, caller);
  return again(change, row, registry);
}

/** Notifies a colleague who had the case that the caller goes on with it. */
const notifyFormer = (change: Change, row: Row, caller: Caller): Promise<void> =>
  notifyFormerHandler(change, caller, {
    formerId: row.reviewerId,
    name: `${referenceOf(row.id)} (${inWords(row)})`,
    path: deskPageOf(row),
  });

/**
 * Returns the parties that staff write to. With two parties they must choose, because a message for one may reveal something about it.
 * @throws Failure INVALID_REQUEST
 */
function addressed(row: Row, to: Addressee | undefined): string[] {
  const [accountName, recipientName] = partiesOf(row) as [string, string?];
  if (recipientName === undefined) {
    if (to === 'recipient' || to === 'both') throw refuseField('to', 'This request has no recipient. Write to the sender');
    return [accountName];
  }
  if (to === undefined) throw refuseField('to', `Choose who reads it: the sender ${accountName}, the recipient ${recipientName} or both`);
  return [...(to === 'recipient' ? [] : [accountName]), ...(to === 'sender' ? [] : [recipientName])];
}

/** Stores a message of staff in the conversation with one party, or with both. */
const sayTo = (
  change: Change,
  row: Row,
  kind: 'question' | 'message',
  { parties, words, by }: { parties: readonly string[]; words: string; by: string },
): Promise<void> => recordEvent(change, row.id, kind, { by, byStaff: true, accountName: parties.length === 1 ? parties[0]! : null, words });

/**
 * Asks one party or both; the clock stops until they answer. Each sees only its own question, with its own deadline.
 * @throws Failure INVALID_REQUEST
 */
export async function askAboutRequest({
  change,
  caller,
  row,
  body: { question, to },
  registry,
}: CaseAct<typeof requestDesk.askAboutRequest, Row, 'profile' | 'now'>): Promise<StaffResourceRequest> {
  const parties = addressed(row, to);
  // A party with an open question has to answer first.
  if (parties.some(party => questionTo(row, party))) throw refuseState(row, await staffDetail(change, row, registry));
  const { answerDays } = registry.profile.requestPolicy;
  await askParties(change, row, { parties, words: question, by: caller.loginId, days: answerDays });
  await notifyFormer(change, row, caller);
  await sayTo(change, row, 'question', { parties, words: question, by: caller.loginId });
  await change.concerns(parties[0]!);
  await change.note({ request: referenceOf(row.id), question });
  for (const party of parties)
    await notifyParty(change, row, party, {
      text: requestsTexts.written('weHaveQuestion', {
        outcome: party === row.accountName ? 'your request' : 'the transfer to you',
        question,
        answerDays,
        bothPartiesWere: parties.length > 1 ? 'Both parties were asked. Each sees only its own answer.' : '',
      }),
      act: 'Answer',
    });
  return again(change, row, registry);
}

/** Adds a note, or a message for the named parties. @throws Failure NOT_FOUND, INVALID_REQUEST */
export async function noteOnRequest({
  change,
  caller,
  params: { requestId },
  body: { words, internal, to },
  registry,
}: Act<typeof requestDesk.noteOnRequest>): Promise<StaffResourceRequest> {
  const id = rowNumber(requestId);
  const row = id === null ? null : await requestById(change, id);
  if (!row || row.submittedAt === null) throw refuse('NOT_FOUND', what);
  await requireDeciders(change, row, caller);
  await change.note({ request: referenceOf(row.id) });
  if (internal) await recordEvent(change, row.id, 'note', { by: caller.loginId, byStaff: true, internal, words });
  else {
    const parties = addressed(row, to);
    await sayTo(change, row, 'message', { parties, words, by: caller.loginId });
    for (const party of parties) await notifyParty(change, row, party, { text: requestsTexts.written('messageRegistry', { words }) });
  }
  return again(change, row, registry);
}

/** Rejects, with the reason. */
export async function refuseRequest({
  change,
  caller,
  row,
  body: { reason },
  registry,
}: CaseAct<typeof requestDesk.refuseRequest, Row, 'profile' | 'now'>): Promise<StaffResourceRequest> {
  await endRequest(change, row, 'rejected', registry, { by: caller.loginId, byStaff: true, words: reason, note: reason });
  await change.concerns(row.accountName);
  await change.note({ request: referenceOf(row.id), reason });
  await notifyParties(
    change,
    row,
    row.direct
      ? {
          text: requestsTexts.written('notDelegated', { numbers: inWords(row), reason }),
        }
      : {
          text: requestsTexts.written('rejected', { numbers: inWords(row), reason }),
        },
  );
  return again(change, row, registry);
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

/** A change of holder as shown to the second person: what moves to which account, and the case. */
const subjectOf = (row: Row) => ({
  title: row.direct
    ? `Direct delegation ${referenceOf(row.id)}: ${row.form.resources[0] ?? askedFor(row.kind, row.form)} to ${row.accountName}`
    : `${row.recoveryGround !== null ? 'Recovery' : { transfer: 'Transfer', acquisition: 'Merger', return: 'Return' }[row.kind as 'transfer']} ${referenceOf(row.id)}: ${shortened(row.form.resources)} ${
        row.kind === 'return' ? `of ${row.accountName}` : `from ${moving(row).from} to ${moving(row).to}`
      }`,
  link: deskPageOf(row),
});

/**
 * Approves a case, by a person of the registry. A second one confirms a change of holder or a direct delegation, for exactly the version of the case
 * that the first one saw.
 * @throws Failure as `approve`, and STALE
 * @throws SecondPersonNeeded
 */
export async function approveRequest({
  change,
  caller,
  row,
  body: { note, resource, version },
  hasSecondPerson,
  registry,
}: CaseAct<typeof requestDesk.approveRequest, Row, 'profile' | 'now'>): Promise<StaffResourceRequest> {
  if (version !== row.version) throw refuseWithCurrent(await staffDetail(change, row, registry), 'STALE', what);
  if (row.otherRegistry !== null && note.trim() === '')
    throw refuseField('note', `Enter the approval of ${row.otherRegistry} with its reference, such as NCC#2026112345`);
  await change.concerns(row.accountName);
  if (note.trim() !== '') await change.note({ note });
  await approve(change, row, { note, picked: pickedBlock(row, resource), by: caller.loginId }, registry);
  if (needsTwo(row, registry.profile) && !hasSecondPerson) throw new SecondPersonNeeded(subjectOf(row));
  return again(change, row, registry);
}

/** Approves automatically what policy allows outright, for demonstrations and small registries. Logged as such. */
export async function decideAlone(change: Change, row: Row, registry: PolicyNow): Promise<void> {
  if (!['ipv4', 'ipv6', 'asn'].includes(row.kind)) return;
  if (!allMet(await checkRequest(change, row, registry))) return;
  try {
    await change.attempt(() => approve(change, row, { note: '', picked: null, by: null }, registry));
  } catch (error) {
    // For example if nothing is free: the request is sent anyway, and a person decides.
    if (!(error instanceof Failure)) throw error;
  }
}

/** Refuses to carry out a case before its day. @throws Failure NOTICE_RUNS, NOT_BEFORE */
function refuseEarly({ id, accountName, earliestOn, noticeUntil }: Row, today: string): void {
  if (earliestOn === null || today >= earliestOn) return;
  const named = { reference: referenceOf(id), account: accountName, day: dayInWords(earliestOn) };
  throw noticeUntil === null ? refuse('NOT_BEFORE', named) : refuse('NOTICE_RUNS', named);
}

/**
 * Carries out an approval in one change: the numbers are delegated, granted, returned or moved, or the transfer fee is charged. @throws Failure
 * POOL_EXHAUSTED, DELEGATION_OVERLAPS, REQUEST_NOT_ALLOWED if policy is no longer met, ACCOUNT_CLOSED
 */
async function approve(
  change: Change,
  row: Row,
  { note, picked, by }: { note: string; picked: NumberResource | null; by: string | null },
  registry: PolicyNow,
): Promise<void> {
  const { profile } = registry;
  refuseEarly(row, todayOf(profile, change.now));
  const account = await accountNamed(change, row.accountName);
  // Numbers of a closed account can still be returned.
  if (account.accountStatus === 'closed' && row.kind !== 'return') throw refuse('ACCOUNT_CLOSED', { account: row.accountName });
  const against = blocks(await checkRequest(change, row, registry));
  if (against) throw refuse('REQUEST_NOT_ALLOWED', { why: `${against.fact}: ${against.known} (${against.policy})` });
  const decided = { decidedBy: by, byRobot: by === null, note };
  await recordEvent(change, row.id, 'approved', { by, byStaff: true, words: note });
  if (row.kind === 'transfer' || row.kind === 'acquisition') {
    const fee = await feeOnApproval(change, row, registry);
    if (fee !== null) {
      const { transferFeeDays } = profile.requestPolicy;
      await updateRequest(change, row, {
        ...decided,
        state: 'awaiting-fee',
        fee,
        expiresAt: instantAfter(change.now, 2 * transferFeeDays * DAY_MS),
      });
      await recordEvent(change, row.id, 'awaiting-fee', { byStaff: true });
      const payer = feePayerOf(row);
      await chargeTransferFee(change, {
        accountName: payer,
        reference: referenceOf(row.id),
        description: `${row.kind === 'transfer' ? 'Transfer' : 'Merger'} fee: ${shortened(row.form.resources)}, ${referenceOf(row.id)}`,
        amount: fee,
        days: transferFeeDays,
      });
      await change.note({ request: referenceOf(row.id), ...moving(row), fee: `${profile.currency} ${fee}`, payer });
      await notifyParty(change, row, payer, {
        text: requestsTexts.written('approvedInvoiceTransferFeeFollows', {
          resources: row.form.resources.join(', '),
          currency: profile.currency,
          fee,
          outcome: 2 * transferFeeDays,
        }),
      });
      return;
    }
    await complete(change, row, decided, registry);
    return;
  }
  if (profile.requestPolicy.ipv4WaitingList && picked === null && !row.direct && (await mustWait(change, row)))
    return putOnWaitingList(change, row, decided);
  await carryOut(change, row, { note, picked, decided, byRules: by === null }, registry);
}

/** Delegates, grants or takes back what was approved, ends the case and notifies the account. @throws Failure as `approve` */
export async function carryOut(
  change: Change,
  row: Row,
  {
    note,
    picked,
    decided,
    byRules,
  }: { note: string; picked: NumberResource | null; decided: Parameters<typeof updateRequest>[2]; byRules: boolean },
  registry: PolicyNow,
): Promise<void> {
  const outcome = await decisionOf(change, row, picked, registry);
  await updateRequest(change, row, { ...decided, state: 'completed', resolvedAt: change.now, outcome });
  await recordEvent(change, row.id, 'completed', { byStaff: true, words: outcome.resources.join(', ') });
  await change.note({
    request: referenceOf(row.id),
    resources: outcome.resources,
    ...(row.kind === 'return' && { from: row.accountName, restsUntil: outcome.restsUntil }),
    ...(byRules && { decidedBy: 'rules' }),
    ...(note !== '' && { note }),
  });
  if (row.recoveryGround !== null) return notifyRecovered(change, row, { resources: outcome.resources, restsUntil: outcome.restsUntil! });
  await notifyParty(change, row, row.accountName, {
    text: row.direct
      ? requestsTexts.written('delegated', {
          resources: outcome.resources.join(', '),
          details: approvedWords(row, outcome).join('\n\n'),
          note: note === '' ? '' : `Registry staff write:\n\n${note}`,
        })
      : row.kind === 'return'
        ? requestsTexts.written('returned', {
            resources: outcome.resources.join(', '),
            details: approvedWords(row, outcome).join('\n\n'),
            note: note === '' ? '' : `Registry staff write:\n\n${note}`,
          })
        : requestsTexts.written('approved', {
            resources: outcome.resources.join(', '),
            details: approvedWords(row, outcome).join('\n\n'),
            note: note === '' ? '' : `Registry staff write:\n\n${note}`,
          }),
  });
}

function approvedWords(row: Row, { resources, restsUntil }: Outcome): string[] {
  if (row.kind === 'pre-approval') return [`${resources[0]}. Each completed transfer counts against it.`];
  if (row.kind === 'return')
    return [`${resources.join(', ')} went back to the registry and rests until ${restsUntil}. Its whois objects and ROAs are gone.`];
  return [
    ...(row.direct ? [`The registry delegated it without a request of yours. Reason:\n\n${row.form.reason}`] : []),
    `${resources.join(', ')} is delegated to ${row.accountName}. Whois, RDAP and RPKI show it within seconds, the statistics files from tomorrow.`,
    'Next: create routes, reverse DNS and contacts for it.',
  ];
}

/** Carries out an approval other than that of a transfer and returns its outcome. */
async function decisionOf(
  change: Change,
  row: Row,
  picked: NumberResource | null,
  { profile }: Pick<Registry, 'profile'>,
): Promise<Outcome> {
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
  if (row.kind !== 'return') return { resources: [await delegateChosen(change, row, { picked, profile })] };
  const { resources, texts } = readResources(row.form.resources);
  await lockLedger(change);
  const { registrationsEnded } = await carryOutMove(change, row, {
    to: null,
    reason: row.recoveryGround === null ? 'The space was returned to the registry' : 'The registry took the space back',
    profile,
  });
  const restsUntil = daysAfter(todayOf(profile, change.now), policy.quarantineDays);
  for (const resource of resources) await restInPool(change, resource, restsUntil);
  return { resources: texts, restsUntil, registrationsEnded };
}

/** Returns the part of a case that a second person has to see: the moved numbers and their holders. */
const moving = (row: Row) => ({
  resources: row.form.resources,
  from: row.form.incoming ? (row.otherRegistry ?? '') : row.accountName,
  to: row.form.incoming ? row.accountName : (row.recipientName ?? row.otherRegistry ?? ''),
});

/** The resources of an invoice line. */
const shortened = (resources: readonly string[]): string =>
  resources.length > 3 ? `${resources.slice(0, 3).join(', ')} and ${resources.length - 3} more` : resources.join(', ');
