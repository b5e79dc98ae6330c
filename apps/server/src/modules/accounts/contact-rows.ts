import { sql, type Updateable } from 'kysely';
import type { Change, Read, Tables } from '../../platform/database/index.ts';

type ContactValues = Omit<Updateable<Tables['contact']>, 'contactId' | 'accountName' | 'version'>;

/** Changes columns of a contact, and increments its version, so that of two people who edit one contact the second is refused. */
export async function changeContact(change: Change, contactId: string, values: ContactValues): Promise<void> {
  await change
    .updateTable('contact')
    .set(eb => ({ ...values, version: eb('version', '+', 1) }))
    .where('contactId', '=', contactId)
    .execute();
}

/** Records something on a contact that isn't an edit, such as a confirmation, without changing its version. */
export async function noteOnContact(change: Change, contactId: string, values: ContactValues): Promise<void> {
  await change.updateTable('contact').set(values).where('contactId', '=', contactId).execute();
}

/** Returns whether a login is a contact of an account, or is invited to become one. */
export const isContactOf = async (read: Read, accountName: string, loginId: string): Promise<boolean> =>
  (await read
    .selectFrom('contact')
    .select('contactId')
    .where('accountName', '=', accountName)
    .where('loginId', '=', loginId)
    .where('status', '<>', 'removed')
    .executeTakeFirst()) !== undefined;

/** Returns how many contacts an account has, and whether a login is one of them. */
export async function countContacts(
  read: Pick<Read, 'rows'>,
  accountName: string,
  loginId: string,
): Promise<{ contacts: number; own: boolean }> {
  const [counted] = await read.rows<{ contacts: number; own: boolean }>(sql`
    select count(*)::int as contacts, coalesce(bool_or(login_id = ${loginId}), false) as own from contact
    where account_name = ${accountName} and status <> 'removed'`);
  return counted!;
}

/** Returns whether a contact confirmed the details at an instant or later; a new contact counts as confirmed. */
export async function hasConfirmedSince(read: Pick<Read, 'rows'>, contactId: string, since: string): Promise<boolean> {
  const [row] = await read.rows<{ confirmed: boolean }>(
    sql`select coalesce(confirmed_at, created_at) >= ${since}::timestamptz as confirmed from contact where contact_id = ${contactId}::uuid`,
  );
  return row!.confirmed;
}

/** Records that a contact is asked to confirm the details now. Returns false if another process already asked after an instant. */
export async function noteConfirmationAsked(
  change: Change,
  contactId: string,
  { now, after }: { now: string; after: string },
): Promise<boolean> {
  const asked = await change
    .updateTable('contact')
    .set({ confirmationAskedAt: now })
    .where('contactId', '=', contactId)
    .where(eb => eb.or([eb('confirmationAskedAt', 'is', null), eb('confirmationAskedAt', '<', after)]))
    .returning('contactId')
    .executeTakeFirst();
  return asked !== undefined;
}

/** Links a login to the contact of an account that has its address and no login. Returns the contact; null if there is none. */
export async function linkContactByAddress(change: Change, accountName: string, { loginId, email }: { loginId: string; email: string }) {
  const contact = await change
    .updateTable('contact')
    .set(eb => ({ loginId, status: 'active', confirmedAt: change.now, version: eb('version', '+', 1) }))
    .where('accountName', '=', accountName)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('loginId', 'is', null)
    .where('status', 'in', ['active', 'invited'])
    .returning(['contactId', 'fullName', 'email', 'contactTypes'])
    .executeTakeFirst();
  return contact ?? null;
}

/** Locks the row of a contact until the change is over. */
export async function lockContact(change: Change, contactId: string): Promise<void> {
  await change.selectFrom('contact').select('contactId').where('contactId', '=', contactId).forNoKeyUpdate().execute();
}
