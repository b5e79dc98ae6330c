import type { AnswerOf } from '@portal/contract';
import type { Referral, referrals } from '@portal/contract/applications/referrals';
import { DAY_MS, HOUR_MS, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import type { Change } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import { lockAccount, refuseSuspended } from '../accounts/index.ts';
import { endLink, makeLink } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import type { StoredReferral } from './referral-cases.ts';
import { forReferrer, referralById, referralsWhere } from './referral-row.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { applicationsTexts } from './mail-texts.ts';

/** Number of days a customer has to answer, and when it is reminded. */
const REFERRAL_DAYS = 14;
/** Number of days within which referring the same customer again needs a confirmation. */
const AGAIN_DAYS = 30;
/** Limits the mails a member can cause in the registry's name. */
const MAX_A_DAY = 20;
const MAX_TO_ONE_ADDRESS = 3;

/** Returns why an account can't refer anyone; null if it can. */
function whyNot({
  accountName,
  accountType,
  accountStatus,
}: Pick<AdmittedAccount, 'accountName' | 'accountType' | 'accountStatus'>): string | null {
  if (accountType !== 'regular') return `Only regular accounts can refer customers. ${accountName} is a ${accountType} account.`;
  if (accountStatus !== 'open') return `Only open accounts can refer customers. ${accountName} is ${accountStatus}.`;
  return null;
}

/** The customers an account referred, newest first. */
export async function listReferrals({
  read,
  account,
  query: { offset, limit },
  registry: {
    profile: { serviceRegion },
  },
}: Act<typeof referrals.listReferrals>): Promise<AnswerOf<typeof referrals.listReferrals>> {
  const where = sql`r.account_name = ${account.accountName}`;
  const [counted, rows] = await Promise.all([
    read.rows<{ total: number }>(sql`select count(*)::int as total from referral r where ${where}`),
    read.rows(referralsWhere(sql`${where} order by r.referral_id desc limit ${limit} offset ${offset}`)),
  ]);
  return { rows: rows.map(forReferrer), total: counted[0]!.total, notPossible: whyNot(account), economies: serviceRegion };
}

/**
 * Proposes a customer as a member, and asks it by mail. The application belongs to the customer.
 * @throws Failure NOT_A_MEMBER, ACCOUNT_SUSPENDED, REFERRAL_NOT_POSSIBLE, ALREADY_REFERRED, TOO_MANY_REQUESTS, INVALID_REQUEST
 */
export async function referCustomer({
  change,
  account,
  body,
  registry: { profile, config, box },
}: Act<typeof referrals.referCustomer>): Promise<Referral> {
  const { consent: _, again, ...customer } = body;
  const { accountName, contactId } = account;
  if (contactId === null) throw refuse('NO_PERMISSION');
  // Serialised per account, so that a double submit is noticed.
  const { accountType, accountStatus, orgName } = await lockAccount(change, accountName);
  if (accountType !== 'regular') throw refuse('NOT_A_MEMBER', { account: accountName, type: accountType });
  refuseSuspended({ accountName, accountStatus });
  if (accountStatus !== 'open') throw refuse('REFERRAL_NOT_POSSIBLE');
  if (!profile.serviceRegion.includes(customer.economy)) throw refuseField('economy', 'Choose an economy of the service region');
  await mayRefer(change, contactId, customer.contactEmail);
  const [known] = await change.rows<{ member: boolean; referredAt: string | null }>(sql`select
    exists (select from account where economy = ${customer.economy} and account_status <> 'closed' and lower(org_name) = lower(${customer.orgName}))
      as member,
    (select max(sent_at) from referral where account_name = ${accountName} and lower(contact_email) = lower(${customer.contactEmail})
      and lower(org_name) = lower(${customer.orgName}) and sent_at > ${before(change.now, AGAIN_DAYS)}) as referred_at`);
  if (known!.member) throw refuse('REFERRAL_NOT_POSSIBLE');
  if (known!.referredAt !== null && !again) throw refuse('ALREADY_REFERRED', { when: utcDay(known!.referredAt) });
  const { linkId, token } = await makeLink(change, {
    purpose: 'referral',
    email: customer.contactEmail,
    asked: {},
    minutes: REFERRAL_DAYS * 24 * 60,
  });
  const expiresAt = before(change.now, -REFERRAL_DAYS);
  const { referralId } = await change
    .insertInto('referral')
    .values({ ...customer, accountName, referredBy: contactId, linkId, sentAt: change.now, since: change.now, expiresAt })
    .returning('referralId')
    .executeTakeFirstOrThrow();
  const row = await referralById(change, referralId);
  await change.note({ referral: forReferrer(row).reference, customer: row.orgName, contact: row.contactName, email: row.contactEmail });
  await sendMail(
    change,
    {
      topic: 'applications.referrals',
      recipient: row.contactEmail,
      recipientName: row.contactName,
      text: applicationsTexts.written('refersMember', {
        orgName,
        orgName2: row.orgName,
        registryName: profile.registryName,
        referredBy: row.referredBy,
      }),
      act: 'Answer the referral',
      link: `${config.appUrl}/accept-referral/${token}`,
      answerBy: expiresAt,
    },
    box,
  );
  return forReferrer(row);
}

const before = (instant: string, days: number): string => instantBefore(instant, days * DAY_MS);

async function mayRefer(change: Change, contactId: string, email: string): Promise<void> {
  const { since, until } = theLast(DAY_MS, change.now);
  const sent = sql`select count(*) as count from referral where sent_at between ${since} and ${until}`;
  const seconds = HOUR_MS / 1000;
  await refuseBeyond(change, {
    of: `applications.referred-by-${contactId}`,
    counted: sql`${sent} and referred_by = ${contactId}::uuid`,
    limit: MAX_A_DAY,
    seconds,
  });
  await refuseBeyond(change, {
    of: `applications.referred-${email.toLowerCase()}`,
    counted: sql`${sent} and lower(contact_email) = lower(${email})`,
    limit: MAX_TO_ONE_ADDRESS,
    seconds,
  });
}

/** Withdraws a referral that is not yet answered. @throws Failure NOT_FOUND, ALREADY_RESOLVED with the row */
export async function withdrawReferral({
  change,
  row: { referral },
}: CaseAct<typeof referrals.withdrawReferral, StoredReferral>): Promise<Referral> {
  const { id, linkId } = referral;
  if (linkId !== null) await endLink(change, linkId);
  await change.updateTable('referral').set({ state: 'withdrawn', since: change.now }).where('referralId', '=', id).execute();
  const row = await referralById(change, id);
  await change.note({ referral: forReferrer(row).reference, customer: row.orgName });
  return forReferrer(row);
}
