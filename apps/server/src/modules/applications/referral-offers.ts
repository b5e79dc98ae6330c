import { type ApplicationDraft, emptyApplication } from '@portal/contract/applications/application-form';
import type { ReferralOffer, referrals } from '@portal/contract/applications/referrals';
import { instantBefore, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { tooMany } from '../../platform/counted-limit.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readLink, takeLink } from '../identity/index.ts';
import { beginApplication } from './drafts.ts';
import { referralById, type ReferralRow, referralsWhere, notifyAboutReferral } from './referral-row.ts';

/** Number of guessed tokens before a person has to wait, and for how long. */
const GUESSES = 10;
const GUESS_SECONDS = 900;

/** The referral of a token, or null. */
async function findReferral(read: Read, token: string, now: Date): Promise<{ row: ReferralRow; state: ReferralOffer['state'] } | null> {
  const found = await readLink(read, token, 'referral', now);
  if (found.state === 'unknown') return null;
  const linkId = found.state === 'open' ? found.link.linkId : found.linkId;
  const [row] = await read.rows(referralsWhere(sql`r.link_id = ${linkId}`));
  if (!row) return null;
  if (row.state === 'sent') return { row, state: Date.parse(row.expiresAt) <= now.getTime() ? 'expired' : 'open' };
  return { row, state: row.state === 'expired' ? 'expired' : row.state === 'withdrawn' ? 'withdrawn' : 'used' };
}

/** Returns a referral to the holder of its link. Guessing tokens is slowed down. @throws Failure REFERRAL_NOT_FOUND, TOO_MANY_REQUESTS */
export async function getReferral({
  read,
  caller,
  params: { referralToken: token },
  registry: { now },
}: Act<typeof referrals.getReferral>): Promise<ReferralOffer> {
  await refuseGuesses(read, caller, now);
  const found = await findReferral(read, token, now);
  if (!found) throw refuse('REFERRAL_NOT_FOUND');
  const { row, state } = found;
  return {
    state,
    orgName: row.orgName,
    economy: row.economy,
    referrer: row.orgNameOfReferrer,
    referredBy: row.referredBy,
    resources: row.resources,
    technicalContact: row.technicalContact,
    sentAt: row.sentAt,
    expiresAt: row.expiresAt,
  };
}

/** Slows down guessing of tokens: refused attempts are counted by their lines in the activity log. @throws Failure TOO_MANY_REQUESTS */
async function refuseGuesses(read: Read, caller: Caller, now: Date): Promise<void> {
  const since = instantBefore(now, GUESS_SECONDS * SECOND_MS);
  const [guessed] = await read.rows<{ count: number }>(sql`select count(*)::int as count from activity
    where login_subject = ${caller.subject} and login_issuer = ${caller.issuer} and refusal = 'REFERRAL_NOT_FOUND' and happened_at > ${since}`);
  if (guessed!.count >= GUESSES) throw tooMany(GUESS_SECONDS);
}

/** Locks and returns an open referral. @throws Failure REFERRAL_…, TOO_MANY_REQUESTS */
async function lockReferral(change: Change, token: string, caller: Caller): Promise<ReferralRow> {
  await refuseGuesses(change, caller, new Date(change.now));
  const seen = await findReferral(change, token, new Date(change.now));
  if (!seen) throw refuse('REFERRAL_NOT_FOUND');
  await change.selectFrom('referral').select('referralId').where('referralId', '=', seen.row.id).forUpdate().execute();
  const { row, state } = (await findReferral(change, token, new Date(change.now)))!;
  await change.concerns(row.accountName);
  if (state === 'withdrawn') throw refuse('REFERRAL_WITHDRAWN');
  if (state === 'expired') throw refuse('REFERRAL_EXPIRED');
  if (state === 'used' || (await takeLink(change, token, 'referral')).state !== 'open') throw refuse('REFERRAL_USED');
  return row;
}

/** Accepts a referral: starts an application with its values. @throws Failure REFERRAL_…, TOO_MANY_DRAFTS */
export async function acceptReferral({
  change,
  caller,
  params: { referralToken: token },
}: Act<typeof referrals.acceptReferral>): Promise<{ applicationId: string }> {
  const row = await lockReferral(change, token, caller);
  const known: Partial<ApplicationDraft> = {
    orgName: row.orgName,
    economy: row.economy,
    contactPhone: row.phone,
    resources: row.resources,
    ...(row.technicalContact && {
      technicalContact: {
        ...emptyApplication.technicalContact,
        same: false,
        fullName: row.referredBy,
        email: row.referrerEmail,
        emailAgain: row.referrerEmail,
        phone: row.referrerPhone,
      },
    }),
  };
  const membershipApplicationId = await beginApplication(change, caller, known);
  await change
    .updateTable('referral')
    .set({ state: 'opened', membershipApplicationId, since: change.now })
    .where('referralId', '=', row.id)
    .execute();
  await change.note({ referral: `REF-${row.id}`, customer: row.orgName });
  await notifyAboutReferral(change, await referralById(change, row.id), 'opened');
  return { applicationId: String(membershipApplicationId) };
}

/** Declines a referral; the referrer is notified. @throws Failure REFERRAL_… */
export async function declineReferral({
  change,
  caller,
  params: { referralToken: token },
}: Act<typeof referrals.declineReferral>): Promise<void> {
  const row = await lockReferral(change, token, caller);
  await change.updateTable('referral').set({ state: 'declined', since: change.now }).where('referralId', '=', row.id).execute();
  await change.note({ referral: `REF-${row.id}`, customer: row.orgName });
  await notifyAboutReferral(change, row, 'declined');
}
