import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { endpoint, group, member, signedIn } from '../endpoint.ts';
import { PersonName } from '../one-line.ts';
import { LegalName } from '../organisations/changes.ts';
import { PhoneNumber } from '../phone.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { severalLines } from '../several-lines.ts';
import { listOffset } from '../whole-numbers.ts';
import { referralLife } from './referral-life.ts';

/**
 * The states a referrer sees of its customer's application; `declined` covers every application that failed.
 */
export const referralStates = ['sent', 'opened', 'submitted', 'approved', 'active', 'declined', 'expired', 'withdrawn'] as const;

/** A member's proposal that its customer become a member. */
export const Referral = z.object({
  referralId: z.string(),
  /** Quoted in mails: `REF-3`. */
  reference: z.string(),
  state: z.enum(referralStates),
  orgName: z.string(),
  economy: z.string(),
  contactName: z.string(),
  contactEmail: z.string(),
  resources: z.array(z.enum(resourceKinds)),
  note: z.string(),
  technicalContact: z.boolean(),
  referredBy: z.string(),
  sentAt: z.iso.datetime(),
  /** Until when the customer can answer. */
  expiresAt: z.iso.datetime(),
  /** Since when it is in its state. */
  since: z.iso.datetime(),
});
export type Referral = z.infer<typeof Referral>;

/** The customer's details, entered by the referring member. */
export const NewReferral = z.object({
  orgName: LegalName,
  economy: z.string().check(z.regex(/^[A-Z]{2}$/, { error: 'Choose the customer’s economy' })),
  contactName: PersonName,
  contactEmail: Email,
  phone: z._default(PhoneNumber, ''),
  resources: z._default(z.array(z.enum(resourceKinds)).check(z.maxLength(resourceKinds.length)), []),
  /** For the registry and the customer's application; it is not mailed. */
  note: z._default(severalLines(1000), ''),
  /** The referrer is proposed as the customer's technical contact. */
  technicalContact: z._default(z.boolean(), false),
  consent: z.literal(true, { error: 'Confirm that the customer agreed to share these details' }),
  /** Confirms that a customer referred within the last 30 days is referred again. */
  again: z._default(z.boolean(), false),
});
export type NewReferral = z.infer<typeof NewReferral>;

/** A referral as seen by the holder of its link. */
export const ReferralOffer = z.object({
  /** Only an `open` one can be answered. */
  state: z.enum(['open', 'expired', 'used', 'withdrawn']),
  orgName: z.string(),
  economy: z.string(),
  /** The organisation and person who refer. */
  referrer: z.string(),
  referredBy: z.string(),
  resources: z.array(z.enum(resourceKinds)),
  technicalContact: z.boolean(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type ReferralOffer = z.infer<typeof ReferralOffer>;

const refer = member('tickets-resources-update');
const answers = ['REFERRAL_NOT_FOUND', 'REFERRAL_EXPIRED', 'REFERRAL_USED', 'REFERRAL_WITHDRAWN', 'TOO_MANY_REQUESTS'] as const;

export const referrals = group('applications.referrals', {
  listReferrals: endpoint({
    method: 'GET',
    path: '/api/:account/referrals',
    summary: 'Customers the account proposed as members, newest first, and their result. The application itself is the customer’s.',
    access: member('tickets-resources-update', { staff: true }),
    query: z.object({
      offset: listOffset,
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 20),
    }),
    answer: z.object({
      rows: z.array(Referral),
      total: z.int(),
      /** Why this account can't refer anyone; null if it can. */
      notPossible: z.nullable(z.string()),
      /** ISO 3166 alpha-2 codes of the registry's service region. */
      economies: z.array(z.string()),
    }),
  }),
  referCustomer: endpoint({
    method: 'POST',
    path: '/api/:account/referrals',
    summary: 'Propose a customer as a member: it is mailed a link to begin its own application with what is known of it.',
    access: refer,
    effect: 'statements',
    body: NewReferral,
    answer: Referral,
    errors: ['ACCOUNT_SUSPENDED', 'NOT_A_MEMBER', 'REFERRAL_NOT_POSSIBLE', 'ALREADY_REFERRED', 'TOO_MANY_REQUESTS'],
    activity: 'Referred a customer to the registry',
  }),
  withdrawReferral: endpoint({
    method: 'POST',
    path: '/api/:account/referrals/:referralId/withdraw',
    moves: referralLife.withdraw,
    summary: 'Withdraw a referral that the customer has not answered; its link does nothing any more.',
    access: refer,
    effect: 'statements',
    answer: Referral,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED'],
    activity: 'Withdrew a referral',
  }),
  getReferral: endpoint({
    method: 'GET',
    path: '/api/referrals/:referralToken',
    summary: 'What a referral says about its recipient, and whether it can be answered.',
    access: signedIn,
    answer: ReferralOffer,
    errors: ['REFERRAL_NOT_FOUND', 'TOO_MANY_REQUESTS'],
    guessable: true,
  }),
  acceptReferral: endpoint({
    method: 'POST',
    path: '/api/referrals/:referralToken/accept',
    moves: referralLife.accept,
    summary: 'Agree, and begin an application of one’s own with what the referral says.',
    access: signedIn,
    effect: 'joining',
    answer: z.object({ applicationId: z.string() }),
    errors: [...answers, 'TOO_MANY_DRAFTS'],
    activity: 'Accepted a referral',
  }),
  declineReferral: endpoint({
    method: 'POST',
    path: '/api/referrals/:referralToken/decline',
    moves: referralLife.decline,
    summary: 'Decline. The referrer gets an e-mail, and only the answer is kept.',
    access: signedIn,
    effect: 'protection',
    errors: [...answers],
    activity: 'Declined a referral',
  }),
});
