import type { Change } from '../../platform/database/index.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import type { MailText } from '../mail/index.ts';

/** A notice to the contacts of an account about it: its text, whose subject names the account. It can't be switched off. */
type Notice = { accountName: string; text: MailText };

async function notifyContacts(change: Change, notice: Notice, whom: 'corporate' | 'everybody'): Promise<void> {
  const contacts = await activeContacts(change, notice.accountName, whom === 'corporate' ? { types: ['corporate'] } : {});
  // A closed account has no pages to link to.
  const place = whom === 'everybody' ? {} : { path: '/member-account-settings/organization-details', act: 'View organisation' };
  await notifyPeople(change, { topic: 'organisation.changes', ...place, ...notice }, contacts);
}

/** Notifies all corporate contacts of a change to the organisation. */
export const notifyCorporateContacts = (change: Change, notice: Notice): Promise<void> => notifyContacts(change, notice, 'corporate');

/** Notifies every contact: the account itself ends. */
export const notifyAllContacts = (change: Change, notice: Notice): Promise<void> => notifyContacts(change, notice, 'everybody');
