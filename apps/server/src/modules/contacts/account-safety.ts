import type { AccountSafety, accountSafety } from '@portal/contract/contacts/account-safety';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import { type Change, frequent, type Read } from '../../platform/database/index.ts';
import { refuseField, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { findAccount, lockAccount } from '../accounts/index.ts';
import { type AddressAct, addressLink, endLink, hasFactor, type LoginLink, lastSignInOf, makeLink } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { actorOf } from './contact-changes.ts';
import { notifyCorporateContacts, notifyEveryone } from './contact-notices.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { contactsTexts } from './mail-texts.ts';

/** Days for which the link to a security address is valid, and how many an account may request in a day. */
const LINK_DAYS = 3;
const MAX_A_DAY = 5;

type Colleague = AccountSafety['colleagues'][number];

/** SQL: whether the contact with alias `c` has a second factor. */
const contactHasFactor = hasFactor(sql`c.login_id`);

/** Returns the security settings of an account, and how secure its contacts' logins are. */
export async function getAccountSafety({
  read,
  account: { accountName },
  registry: { now },
}: {
  read: Read;
  account: { accountName: string };
  registry: Pick<Registry, 'now'>;
}): Promise<AccountSafety> {
  const row = await read
    .selectFrom('accountSafety')
    .select(['version', 'securityEmail', 'secondFactorFrom'])
    .where('accountName', '=', accountName)
    .executeTakeFirst();
  const [asked] = await openLinks(read, accountName, now.toISOString());
  const colleagues = await read.rows<Colleague>(sql`
    select c.contact_id::text, c.full_name, c.contact_types, ${contactHasFactor} as has_second_factor, l.frozen_at is not null as frozen,
      to_char(${lastSignInOf(sql`c.login_id`)} at time zone 'UTC', 'YYYY-MM') as last_sign_in
    from contact c join login l using (login_id) where c.account_name = ${accountName} and c.status = 'active'
    order by 4, lower(c.full_name), c.contact_id`);
  return {
    version: row?.version ?? 0,
    securityEmail: row?.securityEmail ?? null,
    securityEmailAsked: asked?.email ?? null,
    secondFactorFrom: row?.secondFactorFrom ?? null,
    colleagues,
  };
}

const openLinks = (read: Read, accountName: string, now: string): Promise<{ linkId: string; email: string }[]> =>
  read.rows(sql`select link_id, email from login_link where purpose = 'security-address' and used_at is null and expires_at > ${now}
    and asked ->> 'accountName' = ${accountName} order by made_at desc`);

/** Locks the account's settings if they are what the caller read. @throws Failure STALE with the present ones */
async function lockAt(change: Change, accountName: string, version: number): Promise<AccountSafety> {
  await lockAccount(change, accountName);
  const now = await getAccountSafety({ read: change, account: { accountName }, registry: { now: new Date(change.now) } });
  if (now.version !== version) throw refuseWithCurrent(now, 'STALE', { what: 'account security' });
  return now;
}

async function write(
  change: Change,
  accountName: string,
  values: { securityEmail?: string | null; secondFactorFrom?: string | null; remindedAt?: string },
): Promise<void> {
  await change
    .insertInto('accountSafety')
    .values({ accountName, ...values })
    .onConflict(conflict => conflict.column('accountName').doUpdateSet(eb => ({ ...values, version: eb('accountSafety.version', '+', 1) })))
    .execute();
}

/** Returns the contacts who would lose access: those without a second factor. */
export const withoutFactor = (read: Read, accountName: string): Promise<{ fullName: string; email: string; loginId: string }[]> =>
  read.rows(
    frequent(sql`select c.full_name, c.email, c.login_id from contact c
    where c.account_name = ${accountName} and c.status = 'active' and c.login_id is not null and not ${contactHasFactor} order by c.full_name`),
  );

/**
 * Requires a second factor of every contact from a day on; null ends it. The caller has just used one, so the last corporate contact can't lock
 * themselves out; a contact without one adds it at the next sign-in.
 * @throws Failure STALE, INVALID_REQUEST for a past day
 */
export async function demandSecondFactor({
  change,
  account,
  body: { version, from },
}: Act<typeof accountSafety.demandSecondFactor>): Promise<AccountSafety> {
  const { accountName } = account;
  const before = await lockAt(change, accountName, version);
  const now = new Date(change.now);
  if (from === before.secondFactorFrom) return before;
  const today = utcDay(change.now);
  if (from !== null && from < today) throw refuseField('from', `${from} is over; today is ${today} (UTC)`);
  const actor = await actorOf(change, account);
  await write(change, accountName, { secondFactorFrom: from, remindedAt: change.now });
  await change.note({ before: { secondFactorFrom: before.secondFactorFrom }, after: { secondFactorFrom: from } });
  const lacking = await withoutFactor(change, accountName);
  await notifyCorporateContacts(change, {
    accountName,
    text:
      from === null
        ? contactsTexts.written('noLongerRequiresTwoFactor', {
            accountName,
            actor: actor.name,
            notSetUp:
              from === null || lacking.length === 0
                ? ''
                : `Not set up yet: ${lacking.map(({ fullName }) => fullName).join(', ')}. They got an e-mail.`,
          })
        : contactsTexts.written('requiresTwoFactor', {
            accountName,
            from,
            actor: actor.name,
            notSetUp:
              from === null || lacking.length === 0
                ? ''
                : `Not set up yet: ${lacking.map(({ fullName }) => fullName).join(', ')}. They got an e-mail.`,
          }),
    path: '/member-account-settings/account-contacts?view=safety',
    act: 'View contacts',
  });
  if (from !== null)
    await notifyEveryone(change, {
      accountName,
      text: contactsTexts.written('setUpTwoFactor', { accountName, from }),
      path: '/settings',
      act: 'Open settings',
      answerBy: `${from}T00:00:00.000Z`,
      persons: lacking,
    });
  return getAccountSafety({ read: change, account: { accountName }, registry: { now } });
}

/**
 * Sets a security address: a link goes there, and it takes effect once the link is opened. A removed address is notified, like the corporate
 * contacts, so that notices can't be redirected unnoticed.
 * @throws Failure STALE, TOO_MANY_REQUESTS
 */
export async function setSecurityAddress({
  change,
  account,
  body: { version, email },
  registry: {
    config: { appUrl },
    box,
  },
}: Act<typeof accountSafety.setSecurityAddress>): Promise<AccountSafety> {
  const { accountName } = account;
  const before = await lockAt(change, accountName, version);
  const actor = await actorOf(change, account);
  for (const { linkId } of await openLinks(change, accountName, change.now)) await endLink(change, linkId);
  if (email === null) {
    if (before.securityEmail !== null) {
      await change.note({ before: { securityEmail: before.securityEmail }, after: { securityEmail: null } });
      await notifyAboutAddress(
        change,
        accountName,
        `${actor.name} removed the security address ${before.securityEmail} of ${accountName}. Only corporate contacts get e-mails about changes now.`,
      );
      await write(change, accountName, { securityEmail: null });
    }
  } else if (email.toLowerCase() !== before.securityEmail?.toLowerCase()) {
    const { since, until } = theLast(DAY_MS, change.now);
    await refuseBeyond(change, {
      of: `contacts.security-addresses-${email.toLowerCase()}`,
      counted: sql`select count(*) as count from login_link where purpose = 'security-address' and lower(email) = lower(${email}) and made_at between ${since} and ${until}`,
      limit: MAX_A_DAY,
      seconds: DAY_MS / 1000,
    });
    const { token } = await makeLink(change, {
      purpose: 'security-address',
      email,
      asked: { accountName, askedBy: actor.name },
      minutes: LINK_DAYS * 1440,
    });
    await change.note({ asked: email });
    await sendMail(
      change,
      {
        topic: 'account.security',
        recipient: email,
        accountName,
        act: 'Confirm address',
        text: contactsTexts.written('confirmSecurityAddress', { accountName, actor: actor.name, linkDays: LINK_DAYS }),
        link: addressLink(appUrl, 'security-address', token),
      },
      box,
    );
    await notifyAboutAddress(
      change,
      accountName,
      `${actor.name} entered ${email} as the security address of ${accountName}. It’s used once confirmed${before.securityEmail === null ? '' : `; until then ${before.securityEmail} stays`}.`,
    );
  }
  return getAccountSafety({ read: change, account: { accountName }, registry: { now: new Date(change.now) } });
}

const notifyAboutAddress = (change: Change, accountName: string, words: string): Promise<void> =>
  notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('securityAddress', { accountName, words }),
    path: '/member-account-settings/account-contacts?view=safety',
    act: 'View account security',
  });

const accountOf = ({ asked }: LoginLink): string => (asked as { accountName: string }).accountName;

/** The action of the link to a security address. */
export const securityAddressAct: AddressAct = {
  purpose: 'security-address',
  action: 'contacts.confirmSecurityAddress',
  summary: 'Confirmed the security address',
  title: 'Become the security address?',
  act: 'Confirm address',
  asks: async (read, link) => {
    const accountName = accountOf(link);
    const account = await findAccount(read, accountName);
    return account && account.accountStatus !== 'closed'
      ? [
          `${link.email} gets an e-mail about every change in ${accountName} (${account.orgName}) that needs a second factor.`,
          'Each e-mail has a link that freezes the login that made the change.',
        ]
      : null;
  },
  run: async (change, link) => {
    const accountName = accountOf(link);
    await change.concerns(accountName);
    await lockAccount(change, accountName);
    const { securityEmail } = await getAccountSafety({ read: change, account: { accountName }, registry: { now: new Date(change.now) } });
    await change.note({ before: { securityEmail }, after: { securityEmail: link.email } });
    await notifyAboutAddress(change, accountName, `${link.email} is now the security address of ${accountName}.`);
    if (securityEmail !== null)
      await sendMail(change, {
        topic: 'account.security',
        recipient: securityEmail,
        accountName,
        text: contactsTexts.written('formerSecurityAddress', { accountName, email: link.email }),
      });
    await write(change, accountName, { securityEmail: link.email });
    return [`${link.email} is now the security address of ${accountName}.`];
  },
};
