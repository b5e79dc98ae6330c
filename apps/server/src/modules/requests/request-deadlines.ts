import { DAY_MS, daysAfter, instantAfter, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { ActOf } from '../../platform/activity-words.ts';
import { type ActivityInfo, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, stepsAlone } from '../../platform/each-alone.ts';
import type { PolicyNow } from '../../platform/registry.ts';
import type { Profile } from '../../profile.ts';
import { isFeeComing } from '../billing/index.ts';
import { endQuarantine, lockLedger } from '../resources/index.ts';
import { todayOf } from './account-facts.ts';
import { isStopped } from './completion.ts';
import { endRequest } from './drafts.ts';
import { endEventSpace } from './event-space.ts';
import { countReminder, questionsToRemindOf, questionTo } from './questions.ts';
import { notifyParties, notifyParty } from './request-notices.ts';
import { inWords, lockRequest, recordEvent, referenceOf, requestById, requestRows } from './request-row.ts';
import { endHeldObjects } from './transfers/held-objects.ts';
import { requestsTexts } from './mail-texts.ts';

const line = (action: ActOf<'requests'>, summary: string, accountName?: string): ActivityInfo =>
  ownActivity(`requests.${action}`, summary, accountName);

/** Days after a question, and before the end of an offer, on which a party is reminded. */
const REMINDERS = [7, 14] as const;
const OFFER_NOTICE_DAYS = 7;

/** Handles deadlines of cases: expiring drafts and offers, unanswered questions, ended quarantine. Each is its own change. */
export async function runRequestDeadlines(db: Database, now: Date, profile: Profile): Promise<void> {
  await stepsAlone({
    expireRequests: () => expireRequests(db, { now, profile }),
    endRequestsOfClosedAccounts: () => endRequestsOfClosedAccounts(db, { now, profile }),
    remindOfQuestions: () => remindOfQuestions(db, now),
    remindOfOffers: () => remindOfOffers(db, now),
    endRests: () => endRests(db, now, profile),
    remindOfPreApprovals: () => remindOfPreApprovals(db, now, profile),
    endHeldObjects: () => endHeldObjects(db, now, profile),
    endEventSpace: () => endEventSpace(db, now, profile),
  });
}

async function expireRequests(db: Database, policy: PolicyNow): Promise<void> {
  const { now } = policy;
  const due = await requestRows(
    db.read,
    sql`r.expires_at <= ${now.toISOString()} and r.resolved_at is null and not ${isStopped(now)} order by r.resource_request_id`,
  );
  await eachAlone(
    due,
    ({ id, accountName }) => `${referenceOf(id)} of ${accountName}`,
    ({ id, accountName }) =>
      db.change(line('expireRequest', 'A request expired', accountName), async change => {
        await lockRequest(change, id);
        const [row] = await requestRows(change, sql`r.resource_request_id = ${id} and not ${isStopped(now)}`);
        if (!row || row.expiresAt === null || Date.parse(row.expiresAt) > now.getTime() || row.resolvedAt !== null) return;
        // The payment arrived in time: the worker is about to complete it, or a person to match it.
        if (
          row.state === 'awaiting-fee' &&
          (await isFeeComing(change, referenceOf(id), { today: todayOf(policy.profile, now), profile: policy.profile }))
        )
          return;
        await endRequest(change, row, 'expired', policy);
        await change.note({ request: referenceOf(id) });
        const why =
          row.state === 'offered'
            ? 'The recipient didn’t acknowledge it in time. The space is unlocked.'
            : row.state === 'awaiting-fee'
              ? 'The transfer fee wasn’t paid in time. The space is unlocked and the invoice is cancelled.'
              : row.state === 'draft'
                ? 'The draft wasn’t sent in time.'
                : 'Our question wasn’t answered in time.';
        await notifyParties(change, row, {
          text: requestsTexts.written('requestExpired', {
            numbers: inWords(row),
            why,
            nothingChangesFor: row.direct ? 'Nothing changes for you.' : 'You can start another one at any time.',
          }),
        });
      }),
  );
}

/**
 * Ends open cases of accounts closed meanwhile, as either party: no one can continue them, and the other party's space would stay locked. Returns and
 * recoveries continue, because a closed account loses its numbers anyway.
 */
async function endRequestsOfClosedAccounts(db: Database, policy: PolicyNow): Promise<void> {
  const ofClosed = sql`r.resolved_at is null and not (r.kind = 'return' and r.submitted_at is not null) and exists (select from account c where c.account_status = 'closed'
    and (c.account_name = r.account_name or (c.account_name = r.recipient_name and r.state <> 'draft')))`;
  await eachAlone(
    await requestRows(db.read, sql`${ofClosed} order by r.resource_request_id`),
    ({ id, accountName }) => `${referenceOf(id)} of ${accountName}`,
    ({ id, accountName }) =>
      db.change(line('endRequest', 'A request ended with its account', accountName), async change => {
        await lockRequest(change, id);
        const [row] = await requestRows(change, sql`r.resource_request_id = ${id} and ${ofClosed}`);
        if (!row) return;
        await endRequest(change, row, 'expired', policy, { byStaff: true, words: 'An account was closed' });
        await change.note({ request: referenceOf(id) });
        const open = row.accountStatus === 'closed' ? row.recipientName : row.accountName;
        if (open !== null && row.submittedAt !== null)
          await notifyParty(change, row, open, {
            text: requestsTexts.written('otherPartyClosed', { numbers: inWords(row) }),
          });
      }),
  );
}

async function remindOfQuestions(db: Database, now: Date): Promise<void> {
  await eachAlone(
    [...REMINDERS.entries()],
    ([sent]) => `reminder ${sent + 1}`,
    async ([sent, days]) => {
      await eachAlone(
        await questionsToRemindOf(db.read, { sent, days, now }),
        ({ id, accountName }) => `question to ${accountName} about ${referenceOf(id)}`,
        ({ questionId, id, accountName }) =>
          db.change(line('remindOfQuestion', 'Sent a reminder of a question', accountName), async change => {
            await lockRequest(change, id);
            const row = (await requestById(change, id))!;
            const question = questionTo(row, accountName);
            if (!question || !(await countReminder(change, questionId, sent))) return;
            await recordEvent(change, id, 'reminded', { byStaff: true, accountName });
            await change.note({ request: referenceOf(id) });
            await notifyParty(change, row, accountName, {
              text: requestsTexts.written('wereWaitingAnswer', { question: question.words, until: utcDay(question.answerBy) }),
              act: 'Answer',
            });
          }),
      );
    },
  );
}

async function remindOfOffers(db: Database, now: Date): Promise<void> {
  const due = await requestRows(
    db.read,
    sql`r.state = 'offered' and r.reminders = 0 and r.expires_at <= ${instantAfter(now, OFFER_NOTICE_DAYS * DAY_MS)} and not ${isStopped(now)} order by r.resource_request_id`,
  );
  await eachAlone(
    due,
    ({ id, accountName }) => `${referenceOf(id)} of ${accountName}`,
    ({ id, accountName }) =>
      db.change(line('remindOfOffer', 'Sent a reminder of a transfer', accountName), async change => {
        await lockRequest(change, id);
        const row = (await requestById(change, id))!;
        if (row.state !== 'offered' || row.reminders !== 0) return;
        await change.rows(sql`update resource_request set reminders = 1 where resource_request_id = ${id}`);
        await recordEvent(change, id, 'reminded', { byStaff: true });
        await change.note({ request: referenceOf(id) });
        await notifyParties(change, row, {
          text: requestsTexts.written('offerEndsSoon', { numbers: inWords(row), until: utcDay(row.expiresAt!) }),
        });
      }),
  );
}

async function endRests(db: Database, now: Date, profile: Profile): Promise<void> {
  const today = todayOf(profile, now);
  const [due] = await db.read.rows(sql`select 1 from pool where rests_until <= ${today}::date or kept_until <= ${today}::date limit 1`);
  if (!due) return;
  await db.change(line('endQuarantine', 'Returned or reserved space became available'), async change => {
    await lockLedger(change);
    await change.note({ resources: await endQuarantine(change, today) });
  });
}

async function remindOfPreApprovals(db: Database, now: Date, profile: Profile): Promise<void> {
  const today = todayOf(profile, now);
  const due = await db.read.rows<{
    preApprovalId: number;
    accountName: string;
    requestId: number;
    remaining: number;
    expiresOn: string;
  }>(sql`
    select pre_approval_id, account_name, resource_request_id as request_id, remaining, expires_on::text from pre_approval
    where replaced_on is null and reminded_on is null and expires_on between ${today}::date and ${daysAfter(today, 30)}::date`);
  await eachAlone(
    due,
    ({ requestId, accountName }) => `pre-approval of ${referenceOf(requestId)} of ${accountName}`,
    ({ preApprovalId, accountName, requestId, remaining, expiresOn }) =>
      db.change(line('remindOfPreApproval', 'Sent a reminder of a pre-approval', accountName), async change => {
        const reminded = await change.rows(
          sql`update pre_approval set reminded_on = ${today}::date where pre_approval_id = ${preApprovalId} and reminded_on is null returning 1`,
        );
        if (reminded.length === 0) return;
        await change.note({ request: referenceOf(requestId) });
        await notifyParty(change, (await requestById(change, requestId))!, accountName, {
          text: requestsTexts.written('preApprovalEndsSoon', { remaining, expiresOn }),
        });
      }),
  );
}
