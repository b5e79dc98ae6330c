import { sql } from 'kysely';
import * as z from 'zod';
import type { Change } from '../../platform/database/index.ts';
import { taskType } from '../../platform/tasks.ts';
import { notifyCorporateContacts } from './contact-notices.ts';
import { endContact } from './contact-removal.ts';
import { contactsTexts } from './mail-texts.ts';

/** Tells the corporate contacts of an account that a contact was erased, in words that don’t name the person, with its line in the log of the account. */
export const tellOfErasedContact = taskType({
  name: 'contacts.endErasedContact',
  summary: 'Ended the access of a contact who was erased',
  runner: 'mail',
  input: z.object({ accountName: z.string(), contactTypes: z.array(z.string()), keys: z.int() }),
  run: ({ db, activity, input: { accountName, contactTypes, keys } }) =>
    db.change({ ...activity, accountName }, async change => {
      await change.note({ contactTypes });
      await notifyCorporateContacts(change, {
        accountName,
        text: contactsTexts.written('contactErased', {
          accountName,
          contactTypes: contactTypes.join(' and ') || 'a contact without a type',
          keys: keys === 0 ? '' : `API keys of theirs that were revoked with it: ${keys}. Programs that use them can’t log in any more.`,
        }),
      });
    }),
});

/**
 * Ends the access of a person who is erased to every account; the corporate contacts of each get an e-mail about it, and about keys.
 * @param keys the accounts of API keys of theirs that were revoked, one for each key
 */
export async function endErasedContacts(change: Change, loginId: string, keys: readonly { accountName: string }[]): Promise<void> {
  const contacts = await change.rows<{ contactId: string; accountName: string; contactTypes: string[] }>(
    sql`select contact_id::text as contact_id, account_name, contact_types from contact where login_id = ${loginId} and status <> 'removed'
      order by account_name, contact_id`,
  );
  for (const contact of contacts) await endContact(change, contact);
  for (const accountName of new Set([...contacts, ...keys].map(of => of.accountName)))
    await change.enqueue(tellOfErasedContact, {
      accountName,
      contactTypes: [...new Set(contacts.filter(of => of.accountName === accountName).flatMap(({ contactTypes }) => contactTypes))],
      keys: keys.filter(of => of.accountName === accountName).length,
    });
}
