import { type ApplicationDraft, emptyApplication } from '@portal/contract/applications/application-form';
import type { ReferralOffer, referrals } from '@portal/contract/applications/referrals';
import type { Change } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { takeLink } from '../identity/index.ts';
import { beginApplication } from './drafts.ts';
import { referralOfLink, refuseGuesses, type StoredReferral } from './referral-cases.ts';
import { notifyAboutReferral, referralById } from './referral-row.ts';

/** Returns a referral to the holder of its link. Guessing tokens is slowed down. @throws Failure REFERRAL_NOT_FOUND, TOO_MANY_REQUESTS */
export async function getReferral({
  read,
  caller,
  params: { referralToken: token },
  registry: { now },
}: Act<typeof referrals.getReferral>): Promise<ReferralOffer> {
  await refuseGuesses(read, caller, now);
  const found = await referralOfLink(read, token, now);
  if (!found) throw refuse('REFERRAL_NOT_FOUND');
  const { referral: row, state } = found;
  return {
    state: offered[state],
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

/** The state of an offer by that of its referral. */
const offered = { sent: 'open', opened: 'used', declined: 'used', expired: 'expired', withdrawn: 'withdrawn' } as const;

/** Makes the link void, whichever way the referral was answered. @throws Failure REFERRAL_USED */
async function endLinkOf(change: Change, token: string): Promise<void> {
  if ((await takeLink(change, token, 'referral')).state !== 'open') throw refuse('REFERRAL_USED');
}

/** Accepts a referral: starts an application with its values. @throws Failure REFERRAL_…, TOO_MANY_DRAFTS */
export async function acceptReferral({
  change,
  caller,
  params: { referralToken: token },
  row: { referral: row },
}: CaseAct<typeof referrals.acceptReferral, StoredReferral>): Promise<{ applicationId: string }> {
  await endLinkOf(change, token);
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
  params: { referralToken: token },
  row: { referral: row },
}: CaseAct<typeof referrals.declineReferral, StoredReferral>): Promise<void> {
  await endLinkOf(change, token);
  await change.updateTable('referral').set({ state: 'declined', since: change.now }).where('referralId', '=', row.id).execute();
  await change.note({ referral: `REF-${row.id}`, customer: row.orgName });
  await notifyAboutReferral(change, row, 'declined');
}
