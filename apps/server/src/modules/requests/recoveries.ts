import type { AnswerOf } from '@portal/contract';
import { daysAfter } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import { openRequestStates } from '@portal/contract/requests/life';
import { recoveryGrounds, type recoveries } from '@portal/contract/requests/recoveries';
import { sql } from 'kysely';
import { dayInWords } from '../../platform/attention.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { findAccount, lockAccount, refuseOwnAccount } from '../accounts/index.ts';
import { notifyCorporateContacts } from '../contacts/index.ts';
import { gateObstacle, heldBlocks, lockLedger, lockParts, spaceToMove } from '../resources/index.ts';
import { todayOf } from './account-facts.ts';
import { readResources } from './open-request.ts';
import { pageOf } from './request-notices.ts';
import { inWords, isOpen, recordEvent, referenceOf, requestById, requestRows, type Row } from './request-row.ts';
import { keepAgreedPlan } from './transfers/carry-out-move.ts';
import { requestsTexts } from './mail-texts.ts';

/** Lists the resources that an account holds and could lose. @throws Failure NOT_FOUND */
export async function listRecoverable({
  read,
  params: { accountName },
  registry: { profile },
}: Act<typeof recoveries.listRecoverable>): Promise<AnswerOf<typeof recoveries.listRecoverable>> {
  if (!(await findAccount(read, accountName))) throw refuse('NOT_FOUND', { what: 'The account' });
  return {
    resources: (await heldBlocks(read, accountName)).map(({ resource }) => resource),
    noticeDays: profile.requestPolicy.recoveryDays,
  };
}

/**
 * Gives notice of the recovery of numbers: a return that the registry opens itself. From now on nothing over them can change and they can't move
 * elsewhere; after the notice period, two people carry it out by the plan of the case. What prevents a holder from returning them, such as its lock
 * or a suspended or closed account, doesn’t apply.
 * @throws Failure NOT_FOUND, OWN_REQUEST, INVALID_REQUEST, NOT_HOLDER, RESOURCE_LOCKED by another request, REQUEST_NOT_ALLOWED if the ledger’s gate refuses
 */
export async function openRecovery({
  change,
  caller,
  params: { accountName },
  body: { resources: given, ground, reason },
  registry,
}: Act<typeof recoveries.openRecovery>): Promise<AnswerOf<typeof recoveries.openRecovery>> {
  const { profile } = registry;
  if (!(await findAccount(change, accountName))) throw refuse('NOT_FOUND', { what: 'The account' });
  await lockAccount(change, accountName);
  await refuseOwnAccount(change, accountName, caller);
  const { resources, texts } = readResources(given);
  await lockLedger(change);
  for (const [index, space] of (await spaceToMove(change, accountName, resources)).entries()) {
    if (!space) throw refuse('NOT_HOLDER', { resource: texts[index]!, account: accountName }).at('resources');
    const obstacle = gateObstacle('returned', { ...space, historical: space.source === 'historical' }, profile);
    if (obstacle) throw refuse('REQUEST_NOT_ALLOWED', { why: `${obstacle.resource} ${obstacle.words}` }).at('resources');
  }
  const noticeUntil = daysAfter(todayOf(profile, change.now), profile.requestPolicy.recoveryDays[ground]);
  const { resourceRequestId: id } = await change
    .insertInto('resourceRequest')
    .values({
      accountName,
      kind: 'return',
      state: 'submitted',
      form: JSON.stringify({ ...emptyForm, resources: texts, startsOn: noticeUntil, reason }),
      requestedBy: caller.loginId,
      startedAt: change.now,
      submittedAt: change.now,
      since: change.now,
      recoveryGround: ground,
      noticeUntil,
    })
    .returning('resourceRequestId')
    .executeTakeFirstOrThrow();
  await lockParts(change, { reference: referenceOf(id), accountName, act: 'return', fixed: true }, resources);
  await recordEvent(change, id, 'submitted', { byStaff: true, words: `${recoveryGrounds[ground]}. ${reason}` });
  const row = (await requestById(change, id))!;
  await keepAgreedPlan(change, row, profile);
  await change.concerns(accountName);
  await change.note({ request: referenceOf(id), resources: texts, ground, reason, noticeUntil });
  await notifyCorporateContacts(change, {
    topic: 'account.security',
    accountName,
    text: requestsTexts.written('registryTakesBack', {
      reference: referenceOf(id),
      resources: shortened(texts),
      noticeUntil: dayInWords(noticeUntil),
      resources2: texts.join(', '),
      ground: recoveryGrounds[ground],
      reason,
    }),
    path: pageOf(row, accountName),
    act: 'Read and object',
  });
  return { requestId: String(id), reference: referenceOf(id), noticeUntil };
}

/**
 * Returns the recovery of numbers of an account that is open, or that took back what its unpaid term was counted with, such as `REQ-12 is open: Recovery of 192.0.2.0/24`; null without
 * one.
 */
export async function recoveryInWords(read: Read, accountName: string): Promise<string | null> {
  const [row] = await requestRows(
    read,
    sql`r.account_name = ${accountName} and r.recovery_ground is not null
      and (r.state = any(${openRequestStates}) or (r.state = 'completed' and r.resolved_at::date > a.expiry_date)) order by r.state = 'completed', r.resource_request_id limit 1`,
  );
  return row ? `${referenceOf(row.id)} is ${isOpen(row) ? 'open' : 'done'}: ${inWords(row)}` : null;
}

/** Notifies the corporate contacts that numbers were recovered, and how to object. */
export const notifyRecovered = (
  change: Change,
  row: Row,
  { resources, restsUntil }: { resources: readonly string[]; restsUntil: string },
): Promise<void> =>
  notifyCorporateContacts(change, {
    topic: 'account.security',
    accountName: row.accountName,
    text: requestsTexts.written('takenBack', {
      reference: referenceOf(row.id),
      resources: shortened(resources),
      resources2: resources.join(', '),
      ground: recoveryGrounds[row.recoveryGround!],
      restsUntil: dayInWords(restsUntil),
    }),
    path: pageOf(row, row.accountName),
    act: 'View case',
  });

const shortened = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
