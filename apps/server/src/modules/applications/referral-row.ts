import type { Referral } from '@portal/contract/applications/referrals';
import { utcDay } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { applicationsTexts } from './mail-texts.ts';

/** A referral as used in this module; its state is that of the customer's application, once there is one. */
export type ReferralRow = Omit<Referral, 'referralId' | 'reference'> & {
  id: number;
  accountName: string;
  orgNameOfReferrer: string;
  referrerEmail: string;
  referrerPhone: string;
  referrerLoginId: string | null;
  phone: string;
  linkId: string | null;
};

/** The state of the customer's application as the referrer sees it. */
const shownState = sql`case r.state when 'opened' then case m.state
    when 'draft' then 'opened' when 'approved' then case a.account_status when 'open' then 'active' else 'approved' end
    when 'submitted' then 'submitted' when 'in-review' then 'submitted' when 'needs-info' then 'submitted' else 'declined' end
  else r.state end`;

export const referralsWhere = (where: RawBuilder<unknown>): RawBuilder<ReferralRow> => sql<ReferralRow>`
  select r.referral_id as id, r.account_name, own.org_name as org_name_of_referrer, ${shownState} as state, r.org_name, r.economy, r.contact_name,
    r.contact_email, r.phone, r.resources, r.note, r.technical_contact, c.full_name as referred_by, c.email as referrer_email,
    c.phone as referrer_phone, c.login_id as referrer_login_id, r.link_id, r.sent_at, r.expires_at, greatest(r.since, m.since) as since
  from referral r join contact c on c.contact_id = r.referred_by join account own on own.account_name = r.account_name
    left join membership_application m using (membership_application_id) left join account a on a.account_name = m.account_name
  where ${where}`;

const referralReference = (id: number): string => `REF-${id}`;

/** Returns the referral as the referring account sees it. */
export const forReferrer = (row: ReferralRow): Referral => ({
  referralId: String(row.id),
  reference: referralReference(row.id),
  state: row.state,
  orgName: row.orgName,
  economy: row.economy,
  contactName: row.contactName,
  contactEmail: row.contactEmail,
  resources: row.resources,
  note: row.note,
  technicalContact: row.technicalContact,
  referredBy: row.referredBy,
  sentAt: row.sentAt,
  expiresAt: row.expiresAt,
  since: row.since,
});

export const referralById = async (read: Read, id: number): Promise<ReferralRow> =>
  (await read.rows(referralsWhere(sql`r.referral_id = ${id}`)))[0]!;

const outcomes = {
  opened: 'accepted and started its application',
  submitted: 'submitted its application',
  approved: 'was approved as a member',
  declined: 'won’t become a member through this referral',
  expired: 'didn’t answer within 14 days',
} as const;

/** Notifies the referrer of a new state, without any detail of the application. */
export async function notifyAboutReferral(change: Change, row: ReferralRow, outcome: keyof typeof outcomes): Promise<void> {
  await notifyPeople(
    change,
    {
      topic: 'applications.referrals',
      accountName: row.accountName,
      text: applicationsTexts.written('referralOutcome', {
        reference: referralReference(row.id),
        orgName: row.orgName,
        outcomes: outcomes[outcome],
        referredBy: row.referredBy,
        accountName: row.accountName,
        sentOn: utcDay(row.sentAt),
      }),
      path: '/member-account-settings/referral-application',
      act: 'View referrals',
    },
    [{ fullName: row.referredBy, email: row.referrerEmail, loginId: row.referrerLoginId }],
  );
}

/** The same for an application that came from a referral. */
export async function notifyReferrer(change: Change, applicationId: number, outcome: 'submitted' | 'approved' | 'declined'): Promise<void> {
  const [row] = await change.rows(referralsWhere(sql`r.membership_application_id = ${applicationId}`));
  if (row) await notifyAboutReferral(change, row, outcome);
}
