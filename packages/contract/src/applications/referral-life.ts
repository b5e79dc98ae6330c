import { life } from '../life.ts';

/** States of a referral; the referrer sees those of the application as well (`referralStates`). */
export const storedReferralStates = ['sent', 'opened', 'declined', 'expired', 'withdrawn'] as const;

/** The life of a referral of a customer. */
export const referralLife = life(
  { title: 'Referrals', table: 'referral', column: 'state', states: storedReferralStates },
  {
    accept: { from: ['sent'], to: ['opened'], who: 'customer', does: 'starts an application' },
    decline: { from: ['sent'], to: ['declined'], who: 'customer', does: 'declines it' },
    withdraw: { from: ['sent'], to: ['withdrawn'], who: 'referrer', does: 'withdraws it' },
    expire: {
      from: ['sent'],
      to: ['expired'],
      who: 'registry',
      does: 'ends it: no one answered in time',
      by: ['applications.expireReferral'],
    },
  },
);
