import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import type { ActOf } from '../../platform/activity-words.ts';
import { type ActivityInfo, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, stepsAlone } from '../../platform/each-alone.ts';
import { sendMail } from '../mail/index.ts';
import { byId, DRAFT_DAYS, DRAFT_REMINDER_DAYS, expiryOf, lockApplication, referenceOf } from './application-row.ts';
import { notifyApplicant } from './application-notices.ts';
import { endApplication } from './drafts.ts';
import { referralById, referralsWhere, notifyAboutReferral } from './referral-row.ts';
import { applicationsTexts } from './mail-texts.ts';

const REFERRAL_REMINDER_DAYS = 7;

const line = (action: ActOf<'applications'>, summary: string, accountName?: string): ActivityInfo =>
  ownActivity(`applications.${action}`, summary, accountName);
const daysBefore = (now: Date, days: number): string => instantBefore(now, days * DAY_MS);
const nameOf = (orgName: string): string => (orgName.trim() === '' ? 'an organisation without a name yet' : orgName.trim());

/** Handles deadlines of drafts and referrals. Each is its own change and skips what another process has done. */
export async function runApplicationDeadlines(db: Database, now: Date): Promise<void> {
  await stepsAlone({
    remindOfDrafts: () => remindOfDrafts(db, now),
    expireDrafts: () => expireDrafts(db, now),
    remindCustomers: () => remindCustomers(db, now),
    expireReferrals: () => expireReferrals(db, now),
  });
}

const untouched = (db: Database, since: string) =>
  db.read
    .selectFrom('applicationDraft')
    .innerJoin('membershipApplication', 'membershipApplication.membershipApplicationId', 'applicationDraft.membershipApplicationId')
    .select(['applicationDraft.membershipApplicationId as id', 'savedAt'])
    .where('state', '=', 'draft')
    .where('savedAt', '<=', since)
    .orderBy('savedAt');

/** After ten days without a change the applicant is reminded when the draft will be deleted. */
async function remindOfDrafts(db: Database, now: Date): Promise<void> {
  const due = await untouched(db, daysBefore(now, DRAFT_REMINDER_DAYS))
    .where('remindedAt', 'is', null)
    .where('savedAt', '>', daysBefore(now, DRAFT_DAYS))
    .execute();
  await eachAlone(
    due,
    ({ id }) => referenceOf(id),
    ({ id, savedAt }) =>
      db.change(line('remindOfDraft', 'Sent a reminder of a draft'), async change => {
        await lockApplication(change, id);
        const reminded = await change
          .updateTable('applicationDraft')
          .set({ remindedAt: now.toISOString() })
          .where('membershipApplicationId', '=', id)
          .where('savedAt', '=', savedAt)
          .where('remindedAt', 'is', null)
          .returning('membershipApplicationId')
          .executeTakeFirst();
        if (!reminded) return;
        const row = await byId(change, id);
        await change.note({ application: referenceOf(id) });
        await notifyApplicant(change, row, {
          text: applicationsTexts.written('draftWaiting', {
            orgName: nameOf(row.draft!.orgName),
            savedOn: utcDay(savedAt),
            until: utcDay(expiryOf(savedAt)),
          }),
          act: 'Continue',
        });
      }),
  );
}

/** After fourteen days a draft is deleted, and its owner notified. */
async function expireDrafts(db: Database, now: Date): Promise<void> {
  await eachAlone(
    await untouched(db, daysBefore(now, DRAFT_DAYS)).execute(),
    ({ id }) => referenceOf(id),
    ({ id, savedAt }) =>
      db.change(line('expireDraft', 'A draft expired'), async change => {
        await lockApplication(change, id);
        const row = await byId(change, id);
        if (row.state !== 'draft' || row.savedAt !== savedAt) return;
        await endApplication(change, row, 'expired', null);
        await change.note({ application: referenceOf(id) });
        await notifyApplicant(change, row, {
          text: applicationsTexts.written('draftDeleted', { orgName: nameOf(row.draft!.orgName), draftDays: DRAFT_DAYS }),
          path: '/add-account',
          act: 'Apply for membership',
        });
      }),
  );
}

/** After a week the customer is reminded; the link is in the first mail only. */
async function remindCustomers(db: Database, now: Date): Promise<void> {
  const due = await db.read.rows(
    referralsWhere(sql`r.state = 'sent' and r.reminded_at is null and r.sent_at <= ${daysBefore(now, REFERRAL_REMINDER_DAYS)}
      and r.expires_at > ${now.toISOString()} order by r.referral_id`),
  );
  await eachAlone(
    due,
    ({ id }) => `referral ${id}`,
    ({ id, accountName }) =>
      db.change(line('remindOfReferral', 'Sent a reminder of a referral', accountName), async change => {
        const reminded = await change
          .updateTable('referral')
          .set({ remindedAt: now.toISOString() })
          .where('referralId', '=', id)
          .where('state', '=', 'sent')
          .where('remindedAt', 'is', null)
          .returning('referralId')
          .executeTakeFirst();
        if (!reminded) return;
        const row = await referralById(change, id);
        await change.note({ referral: `REF-${id}`, customer: row.orgName });
        await sendMail(change, {
          topic: 'applications.referrals',
          recipient: row.contactEmail,
          recipientName: row.contactName,
          text: applicationsTexts.written('waitingAnswer', {
            referrer: row.orgNameOfReferrer,
            referredBy: row.referredBy,
            orgName: row.orgName,
            until: row.expiresAt.slice(0, 16).replace('T', ' '),
          }),
        });
      }),
  );
}

/** Referrals without an answer within 14 days expire; the referrer is notified. */
async function expireReferrals(db: Database, now: Date): Promise<void> {
  const due = await db.read
    .selectFrom('referral')
    .select(['referralId', 'accountName'])
    .where('state', '=', 'sent')
    .where('expiresAt', '<=', now.toISOString())
    .orderBy('referralId')
    .execute();
  await eachAlone(
    due,
    ({ referralId }) => `referral ${referralId}`,
    ({ referralId, accountName }) =>
      db.change(line('expireReferral', 'A referral expired', accountName), async change => {
        const ended = await change
          .updateTable('referral')
          .set({ state: 'expired', since: change.now })
          .where('referralId', '=', referralId)
          .where('state', '=', 'sent')
          .returning('referralId')
          .executeTakeFirst();
        if (!ended) return;
        const row = await referralById(change, referralId);
        await change.note({ referral: `REF-${referralId}`, customer: row.orgName });
        await notifyAboutReferral(change, row, 'expired');
      }),
  );
}
