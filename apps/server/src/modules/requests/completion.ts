import type { requestDesk, StaffResourceRequest } from '@portal/contract/requests/desk';
import { type RawBuilder, sql } from 'kysely';
import { type Change, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { Failure, refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CaseAct } from '../../platform/http/endpoints.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import type { Profile } from '../../profile.ts';
import { accountNamed, lockAccount } from '../accounts/index.ts';
import { feeInvoiceOf, paidFees } from '../billing/index.ts';
import { closeAccount } from '../organisations/index.ts';
import { lockLedger } from '../resources/index.ts';
import { holdingsStopped } from '../restraints/index.ts';
import { checkRequest } from './account-facts.ts';
import { blocksOf, readResources } from './open-request.ts';
import { obstacleFor } from './obstacles.ts';
import { notifyParties, notifyParty, partiesOf } from './request-notices.ts';
import { lockRequest, type Outcome, type Row, recordEvent, referenceOf, requestRows, updateRequest } from './request-row.ts';
import { blocks } from './rules/check.ts';
import { again, staffDetail } from './staff-request.ts';
import { carryOutMove } from './transfers/carry-out-move.ts';
import { recordHeld } from './transfers/held-objects.ts';
import { receive } from './incoming.ts';
import { requestsTexts } from './mail-texts.ts';

/** SQL: an account of the case `r` is restrained, so that the case waits. */
export const isStopped = (now: Date | string): RawBuilder<boolean> =>
  sql<boolean>`(${holdingsStopped(sql`r.account_name`, now)} or ${holdingsStopped(sql`r.recipient_name`, now)})`;

/** Whether a transfer completes as soon as its fee is paid. */
export const waitsForFee = ({ state, fee }: Row): boolean => state === 'awaiting-fee' || (state === 'on-hold' && fee !== null);

/**
 * Completes a paid transfer manually, if it couldn't be completed when the payment arrived.
 * @throws Failure STALE, FEE_UNPAID, REQUEST_NOT_ALLOWED if a party no longer may, ACCOUNT_CLOSED
 */
export async function completeTransfer({
  change,
  row,
  body: { version },
  registry,
}: CaseAct<typeof requestDesk.completeTransfer, Row, 'profile' | 'now'>): Promise<StaffResourceRequest> {
  if (version !== row.version) throw refuseWithCurrent(await staffDetail(change, row, registry), 'STALE', { what: 'the request' });
  await change.concerns(row.accountName);
  await completePaid(change, row, registry);
  return again(change, row, registry);
}

/** @throws Failure FEE_UNPAID, and as `complete` */
async function completePaid(change: Change, row: Row, registry: PolicyNow): Promise<void> {
  const invoice = await feeInvoiceOf(change, referenceOf(row.id));
  if (!invoice?.paidOn) throw refuse('FEE_UNPAID', { amount: `${registry.profile.currency} ${invoice?.total ?? row.fee!}` });
  await recordEvent(change, row.id, 'fee-paid', { byStaff: true, words: invoice.number });
  await complete(change, row, { feePaidOn: invoice.paidOn, feeReference: invoice.number }, registry);
}

/**
 * Completes the transfers whose fee was paid, each in its own change, so that a crash leaves the current one unchanged. One that can no longer be
 * completed is put on hold with the reason: both parties are informed, and registry staff complete or reject it. While an account of it is restrained it waits as it is.
 */
export async function completePaidTransfers(db: Database, now: Date, profile: Profile): Promise<void> {
  const waiting = await requestRows(db.read, sql`r.state = 'awaiting-fee' and not ${isStopped(now)} order by r.resource_request_id`);
  if (waiting.length === 0) return;
  const paid = await paidFees(
    db.read,
    waiting.map(({ id }) => referenceOf(id)),
  );
  await eachAlone(
    waiting.filter(row => paid.has(referenceOf(row.id))),
    ({ id, accountName }) => `${referenceOf(id)} of ${accountName}`,
    async ({ id, accountName }) => {
      const activity = ownActivity('requests.completePaidTransfer', 'Completed a transfer whose fee was paid', accountName);
      try {
        await db.change(activity, async change => {
          const row = await lockAwaiting(change, id, now);
          if (row) await completePaid(change, row, { profile, now });
        });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        await holdUp(db, { id, accountName, failure: error }, { profile, now });
      }
    },
  );
}

/** Locks and returns a case that still waits for its fee; null if another process was first, or an account of it is restrained. */
async function lockAwaiting(change: Change, id: number, now: Date): Promise<Row | null> {
  await lockRequest(change, id);
  const [row] = await requestRows(change, sql`r.resource_request_id = ${id} and not ${isStopped(now)}`);
  return row?.state === 'awaiting-fee' ? row : null;
}

/** Puts a case on hold. Each party gets the reason in suitable words; registry staff see the refusal itself. */
const holdUp = (
  db: Database,
  { id, accountName, failure }: { id: number; accountName: string; failure: Failure },
  registry: PolicyNow,
): Promise<void> =>
  db.change(ownActivity('requests.holdTransfer', 'Put a transfer on hold', accountName), async change => {
    const row = await lockAwaiting(change, id, registry.now);
    if (!row) return;
    await updateRequest(change, row, { state: 'on-hold' });
    await recordEvent(change, id, 'note', { byStaff: true, internal: true, words: failure.words });
    for (const party of partiesOf(row)) {
      const why = await obstacleFor(change, row, failure, party, registry);
      await recordEvent(change, id, 'on-hold', { byStaff: true, accountName: party, words: why });
      // The log line belongs to the sender.
      if (party === row.accountName) await change.note({ request: referenceOf(id), reason: why });
      await notifyParty(change, row, party, {
        text: requestsTexts.written('transferHold', { why }),
      });
    }
  });

/** Moves the space: ledger, registrations, whois and ROAs, in one change. Notifies both parties. */
export async function complete(
  change: Change,
  row: Row,
  decided: Partial<Parameters<typeof updateRequest>[2]>,
  registry: PolicyNow,
): Promise<void> {
  const { profile } = registry;
  const against = blocks(await checkRequest(change, row, registry));
  if (against) throw refuse('REQUEST_NOT_ALLOWED', { why: `${against.fact}: ${against.known} (${against.policy})` });
  if (row.form.incoming) return receive(change, row, decided, profile);
  const to = row.recipientName === null ? null : await accountNamed(change, row.recipientName);
  if (to?.accountStatus === 'closed') throw refuse('ACCOUNT_CLOSED', { account: to.accountName });
  const { texts } = readResources(row.form.resources);
  const closes = row.kind === 'acquisition' && row.form.closeAfter;
  // Locked before the ledger, as in every change of an account.
  if (closes) await lockAccount(change, row.accountName);
  await lockLedger(change);
  const reason = `Transferred to ${to?.accountName ?? row.otherRegistry ?? ''}`;
  const { roas, held, registrationsEnded, differences } = await carryOutMove(change, row, { to, reason, profile });
  const heldUntil = await recordHeld(change, row, held, profile);
  const outcome: Outcome = {
    resources: texts,
    from: row.accountName,
    to: to?.accountName ?? row.otherRegistry ?? '',
    registrationsEnded,
    roas,
  };
  await updateRequest(change, row, { ...decided, state: 'completed', resolvedAt: change.now, outcome });
  await recordEvent(change, row.id, 'completed', { byStaff: true, words: texts.join(', ') });
  await change.note({
    request: referenceOf(row.id),
    resources: texts,
    from: outcome.from,
    to: outcome.to,
    roasHandedOver: roas,
    registrationsEnded,
    ...(differences.length > 0 && { changedSincePlan: differences.slice(0, 50) }),
    ...(held.length > 0 && { held: held.map(({ name }) => name), heldUntil }),
    ...(closes && { closed: row.accountName }),
  });
  await notifyParties(change, row, {
    text: requestsTexts.written('transferCompleted', {
      resources: texts.join(', '),
      accountName: row.accountName,
      recipient: outcome.to!,
      roasHandedOver: roas > 0 ? `${roas} ROAs were handed over and are published together with the change.` : 'No ROAs were handed over.',
      objectsAreHanded:
        held.length > 0
          ? `${held.length} objects are handed over until ${heldUntil}. ${outcome.to} can keep them on the page of the transfer.`
          : '',
      somethingChangedSince:
        differences.length > 0
          ? `Something changed since the plan was acknowledged. Completion followed what was there:\n\n${differences.slice(0, 50).join('\n')}${differences.length > 50 ? `\nand ${differences.length - 50} more` : ''}`
          : '',
      resources2: blocksOf(texts),
      isClosedAs: closes ? `${row.accountName} is closed, as it asked. It can no longer be used in the portal.` : '',
    }),
  });
  if (closes) await closeAccount(change, row.accountName);
}
