import type { Contact, contacts } from '@portal/contract/contacts/contacts';
import { DAY_MS, HOUR_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { LinkMaking } from '../../platform/registry.ts';
import { lockAccount, changeContact } from '../accounts/index.ts';
import { type AddressAct, addressLink, endLink, type LoginLink, makeLink } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { type Actor, actorOf } from './contact-changes.ts';
import { contactById } from './contact-list.ts';
import { notifyCorporateContacts } from './contact-notices.ts';
import { type ContactRow, lockContact, lockContactAt } from './contact-row.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { contactsTexts } from './mail-texts.ts';

/** How many days the link to the new address is valid, and how long the change can be undone. */
const CONFIRM_DAYS = 3;
const UNDO_HOURS = 24;
const MAX_A_DAY = 5;

/**
 * Requests another address of a contact: a link is sent there, and nothing changes until it is opened.
 * @throws Failure NOT_FOUND, STALE, CORPORATE_ONLY, ALREADY_CONTACT, TOO_MANY_REQUESTS, INVALID_REQUEST for an invitation not yet accepted
 */
export async function changeContactEmail({
  change,
  account,
  params: { contactId },
  body: { version, email },
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  params: { contactId: string };
  body: { version: number; email: string };
  registry: LinkMaking;
}): Promise<Contact> {
  const actor = await actorOf(change, account);
  const contact = await lockContactAt(change, account, contactId, version);
  if (contact.contactTypes.includes('corporate') && contactId !== actor.contactId && !account.contactTypes.includes('corporate'))
    throw refuse('CORPORATE_ONLY');
  if (contact.status !== 'active') throw refuseField('email', 'Withdraw the invitation and send one to the right address');
  await ask(change, contact, email, { actor, registry });
  return contactById(change, account, contact.contactId);
}

/** The same for one's own address in this account. @throws Failure STALE, ALREADY_CONTACT, TOO_MANY_REQUESTS */
export async function changeOwnEmail({ change, account, body, registry }: Act<typeof contacts.changeOwnEmail>): Promise<Contact> {
  const { contactId } = await actorOf(change, account);
  return changeContactEmail({ change, account, params: { contactId }, body, registry });
}

async function ask(
  change: Change,
  contact: ContactRow,
  email: string,
  { actor, registry: { config, box } }: { actor: Actor; registry: LinkMaking },
): Promise<void> {
  const { accountName, contactId, fullName } = contact;
  if (email.toLowerCase() === contact.email.toLowerCase()) throw refuseField('email', 'This is already the address');
  await refuseTaken(change, contact, email);
  const { since, until } = theLast(DAY_MS, change.now);
  const made = sql<{
    count: number;
  }>`select count(*) as count from login_link where purpose = 'contact-email' and made_at between ${since} and ${until}`;
  const limit = { limit: MAX_A_DAY, seconds: DAY_MS / 1000 };
  await refuseBeyond(change, {
    of: `contacts.emails-${contact.loginId ?? contactId}`,
    counted: sql`${made} and login_id = ${contact.loginId}`,
    ...limit,
  });
  await refuseBeyond(change, {
    of: `contacts.emails-${email.toLowerCase()}`,
    counted: sql`${made} and lower(email) = lower(${email})`,
    ...limit,
  });
  // Only the last request counts.
  for (const { linkId } of await openLinksOf(change, contactId)) await endLink(change, linkId);
  const { token } = await makeLink(change, {
    purpose: 'contact-email',
    loginId: contact.loginId,
    email,
    asked: { contactId, from: contact.email },
    minutes: CONFIRM_DAYS * 1440,
  });
  await change.note({ contact: fullName, asked: email });
  await sendMail(
    change,
    {
      topic: 'contacts.access',
      recipient: email,
      recipientName: fullName,
      accountName,
      act: 'Confirm address',
      text: contactsTexts.written('confirmAddress', {
        accountName,
        actor: actor.name,
        fullName,
        confirmDays: CONFIRM_DAYS,
        email: contact.email,
      }),
      link: addressLink(config.appUrl, 'contact-email', token),
    },
    box,
  );
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('newEMailAddressRequested', {
      fullName,
      accountName,
      actor: actor.name,
      email: contact.email,
      email2: email,
    }),
    persons: [contact],
  });
}

const openLinksOf = (read: Read, contactId: string): Promise<{ linkId: string }[]> =>
  read.rows(sql`select link_id from login_link
    where purpose = 'contact-email' and used_at is null and asked ->> 'contactId' = ${contactId}`);

/** An address belongs to one person per account. @throws Failure ALREADY_CONTACT */
async function refuseTaken(
  read: Read,
  { accountName, contactId }: Pick<ContactRow, 'accountName' | 'contactId'>,
  email: string,
): Promise<void> {
  const [taken] = await read.rows(sql`select 1 from contact where account_name = ${accountName} and lower(email) = lower(${email})
    and status <> 'removed' and contact_id <> ${contactId}::uuid`);
  if (taken) throw refuse('ALREADY_CONTACT', { who: email, account: accountName });
}

const askedOf = ({ asked }: LoginLink): { contactId: string; from: string } => asked as { contactId: string; from: string };

/** The contact of a link, if still a contact. */
async function contactBehind(read: Read, link: LoginLink): Promise<{ accountName: string; fullName: string; email: string } | null> {
  const [contact] = await read.rows<{
    accountName: string;
    fullName: string;
    email: string;
  }>(sql`select c.account_name, c.full_name, c.email
    from contact c join account a using (account_name)
    where c.contact_id = ${askedOf(link).contactId}::uuid and c.status = 'active' and a.account_status <> 'closed'`);
  return contact ?? null;
}

async function write(change: Change, link: LoginLink): Promise<ContactRow> {
  const { contactId } = askedOf(link);
  const { accountName } = (await contactBehind(change, link))!;
  await change.concerns(accountName);
  await lockAccount(change, accountName);
  const contact = await lockContact(change, accountName, contactId);
  await refuseTaken(change, contact, link.email);
  await changeContact(change, contactId, { email: link.email, confirmedAt: change.now });
  await change.note({ contact: contact.fullName, before: { email: contact.email }, after: { email: link.email } });
  return contact;
}

/** Returns the actions of the links of a change of address: confirming it, and undoing it within a day. */
export const contactEmailActs = ({ config: { appUrl }, box }: LinkMaking): readonly AddressAct[] => [
  {
    purpose: 'contact-email',
    action: 'contacts.confirmEmail',
    summary: 'Confirmed the new address of a contact',
    title: 'Confirm address',
    act: 'Confirm address',
    asks: async (read, link) => {
      const contact = await contactBehind(read, link);
      return contact && [`${link.email} becomes the address of ${contact.fullName} in ${contact.accountName} instead of ${contact.email}.`];
    },
    run: async (change, link) => {
      const before = await write(change, link);
      const { accountName, fullName, contactId } = before;
      const undo = await makeLink(change, {
        purpose: 'undo-contact-email',
        loginId: before.loginId,
        email: before.email,
        asked: { contactId, from: link.email },
        minutes: UNDO_HOURS * 60,
      });
      const words = `The address of ${fullName} in ${accountName} was changed from ${before.email} to ${link.email}.`;
      const values = { fullName, accountName, email: before.email, email2: link.email };
      await sendMail(
        change,
        {
          topic: 'contacts.access',
          recipient: before.email,
          recipientName: fullName,
          loginId: before.loginId,
          accountName,
          act: 'Undo the change',
          answerBy: instantAfter(change.now, UNDO_HOURS * HOUR_MS),
          text: contactsTexts.written('addressChangedUndo', { ...values, undoHours: UNDO_HOURS }),
          link: addressLink(appUrl, 'undo-contact-email', undo.token),
        },
        box,
      );
      await notifyCorporateContacts(change, {
        accountName,
        text: contactsTexts.written('addressChanged', values),
        persons: [{ ...before, email: link.email }],
      });
      return [words, 'Both addresses and the corporate contacts got an e-mail.'];
    },
  },
  {
    purpose: 'undo-contact-email',
    action: 'contacts.undoEmail',
    summary: 'Undid the new address of a contact',
    title: 'Undo the change',
    act: 'Undo',
    asks: async (read, link) => {
      const contact = await contactBehind(read, link);
      return (
        contact && [
          `The address of ${contact.fullName} changes back to ${link.email} in ${contact.accountName}, instead of ${contact.email}.`,
        ]
      );
    },
    run: async (change, link) => {
      const before = await write(change, link);
      const { accountName, fullName } = before;
      for (const { linkId } of await openLinksOf(change, before.contactId)) await endLink(change, linkId);
      const words = `The address of ${fullName} in ${accountName} is ${link.email} again, no longer ${before.email}.`;
      await notifyCorporateContacts(change, {
        accountName,
        text: contactsTexts.written('addressChangedBack', { fullName, accountName, words }),
        persons: [before, { ...before, email: link.email }],
      });
      return [words];
    },
  },
];
