import type { Contact, contacts } from '@portal/contract/contacts/contacts';
import { DAY_MS, instantAfter, utcDay } from '@portal/contract/days';
import type { ActOf } from '../../platform/activity-words.ts';
import { type ActivityInfo, type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone, stepsAlone } from '../../platform/each-alone.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lockAccount, changeContact, noteOnContact } from '../accounts/index.ts';
import { actorOf, inviteContact } from './contact-changes.ts';
import { contactById } from './contact-list.ts';
import { notifyCorporateContacts } from './contact-notices.ts';
import { endContact } from './contact-removal.ts';
import { lockContact, lockContactAt } from './contact-row.ts';
import { helperEnd } from './helper-rules.ts';
import { contactsTexts } from './mail-texts.ts';

const WARNING_DAYS = 7;

/** Invites a helper: a technical contact until a day, with chosen permissions. @throws Failure those of `inviteContact`, INVALID_REQUEST */
export async function inviteHelper({
  change,
  account,
  body: { until, permissions, ...person },
  registry,
}: Act<typeof contacts.inviteHelper>): Promise<Contact> {
  const helperUntil = helperEnd(until, change.now);
  const invited = { ...person, contactTypes: ['technical' as const], permissions: [...permissions], reason: '' };
  const contact = (await inviteContact({ change, account, body: invited, registry })) as Contact;
  await noteOnContact(change, contact.contactId, { helperUntil });
  await change.note({ helperUntil });
  return contactById(change, account, contact.contactId);
}

/** Extends or shortens a helper's access to another day. @throws Failure NOT_FOUND, STALE, INVALID_REQUEST */
export async function setHelperEnd({
  change,
  account,
  params: { contactId },
  body: { version, until },
}: Act<typeof contacts.setHelperEnd>): Promise<Contact> {
  const { accountName } = account;
  await lockAccount(change, accountName);
  const helper = await lockContactAt(change, account, contactId, version);
  if (helper.helperUntil === null) throw refuse('NOT_FOUND', { what: 'The helper' });
  const helperUntil = helperEnd(until, change.now);
  const actor = await actorOf(change, account);
  await changeContact(change, contactId, { helperUntil, helperWarnedAt: null });
  await change.note({ contact: helper.fullName, before: { helperUntil: helper.helperUntil }, after: { helperUntil } });
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('helpsUntil', { fullName: helper.fullName, accountName, until, actor: actor.name, email: helper.email }),
    persons: [helper],
  });
  return contactById(change, account, contactId);
}

const line = (action: ActOf<'contacts'>, summary: string, accountName: string): ActivityInfo =>
  ownActivity(`contacts.${action}`, summary, accountName);

/** Warns a week before a helper's access ends, and ends expired ones. Skips what another process has done. */
export const endExpiredHelpers = (db: Database, now: Date): Promise<void> =>
  stepsAlone({ warnOfHelperEnds: () => warnOfHelperEnds(db, now), endHelpers: () => endHelpers(db, now) });

const helpersOf = ({ read }: Database) =>
  read
    .selectFrom('contact')
    .select(['contactId', 'accountName'])
    .where('status', '<>', 'removed')
    .where('helperUntil', 'is not', null)
    .orderBy('contactId');

async function warnOfHelperEnds(db: Database, now: Date): Promise<void> {
  const soon = instantAfter(now, WARNING_DAYS * DAY_MS);
  const toWarn = helpersOf(db)
    .where('helperUntil', '<=', soon)
    .where('helperUntil', '>', now.toISOString())
    .where('helperWarnedAt', 'is', null);
  await eachAlone(
    await toWarn.execute(),
    ({ contactId, accountName }) => `contact ${contactId} of ${accountName}`,
    ({ contactId, accountName }) =>
      db.change(line('warnOfHelperEnd', 'Warned that a helper’s access ends', accountName), async change => {
        const warned = await change
          .updateTable('contact')
          .set({ helperWarnedAt: now.toISOString() })
          .where('contactId', '=', contactId)
          .where('helperWarnedAt', 'is', null)
          .where('status', '<>', 'removed')
          .returning(['fullName', 'email', 'loginId', 'helperUntil'])
          .executeTakeFirst();
        if (!warned) return;
        const last = utcDay(Date.parse(warned.helperUntil!) - 1);
        await change.note({ contact: warned.fullName });
        await notifyCorporateContacts(change, {
          accountName,
          text: contactsTexts.written('helperEndsSoon', { fullName: warned.fullName, accountName, last, email: warned.email }),
          path: '/member-account-settings/account-contacts',
          act: 'Open account contacts',
          persons: [warned],
        });
      }),
  );
}

async function endHelpers(db: Database, now: Date): Promise<void> {
  await eachAlone(
    await helpersOf(db).where('helperUntil', '<=', now.toISOString()).execute(),
    ({ contactId, accountName }) => `contact ${contactId} of ${accountName}`,
    ({ contactId, accountName }) =>
      db.change(line('endHelper', 'Ended a helper’s access', accountName), async change => {
        await lockAccount(change, accountName);
        const over = await change
          .selectFrom('contact')
          .select('contactId')
          .where('contactId', '=', contactId)
          .where('status', '<>', 'removed')
          .where('helperUntil', '<=', now.toISOString())
          .executeTakeFirst();
        if (!over) return;
        const helper = await lockContact(change, accountName, contactId);
        const { fullName, email, contactTypes, permissions, status } = helper;
        await endContact(change, helper);
        await change.note({ contact: fullName, email, before: { contactTypes, permissions, status }, after: null });
        await notifyCorporateContacts(change, {
          accountName,
          text: contactsTexts.written('noLongerHelps', { fullName, accountName, email }),
          persons: [helper],
        });
      }),
  );
}
