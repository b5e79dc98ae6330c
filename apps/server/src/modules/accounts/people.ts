import type { ContactType, Permission } from '@portal/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';

/** A person who acts for an account. */
export type ActiveContact = {
  contactId: string;
  accountName: string;
  loginId: string | null;
  fullName: string;
  email: string;
  contactTypes: ContactType[];
  permissions: Permission[];
};

/**
 * Returns who acts for an account, by name. @param only those of any of these contact types, or with this permission
 */
export function activeContacts(
  read: Read,
  accountName: string,
  only: { types?: readonly ContactType[]; permission?: Permission } = {},
): Promise<ActiveContact[]> {
  const { types, permission } = only;
  return read.rows<ActiveContact>(sql`select contact_id, account_name, login_id, full_name, email, contact_types, permissions from contact
    where account_name = ${accountName} and status = 'active'
      ${types ? sql`and contact_types && ${[...types]}::text[]` : sql``} ${permission ? sql`and ${permission} = any (permissions)` : sql``}
    order by full_name, contact_id`);
}

/** Returns a login's contact in an account, while it acts for it and the account isn't closed. */
export async function activeContactOf(read: Read, accountName: string, loginId: string): Promise<ActiveContact | null> {
  const [contact] = await read.rows<ActiveContact>(sql`
    select c.contact_id, c.account_name, c.login_id, c.full_name, c.email, c.contact_types, c.permissions
    from contact c join account a using (account_name)
    where c.account_name = ${accountName} and c.login_id = ${loginId} and c.status = 'active' and a.account_status <> 'closed'`);
  return contact ?? null;
}

/** Returns name, address and login of a contact, active or not, or null. */
export async function contactById(
  read: Read,
  contactId: string,
): Promise<Pick<ActiveContact, 'contactId' | 'fullName' | 'email' | 'loginId'> | null> {
  const contact = await read
    .selectFrom('contact')
    .select(['contactId', 'fullName', 'email', 'loginId'])
    .where('contactId', '=', contactId)
    .executeTakeFirst();
  return contact ?? null;
}

/** Returns names, addresses and logins of contacts, active or not. */
export const contactsById = (
  read: Read,
  contactIds: readonly string[],
): Promise<Pick<ActiveContact, 'contactId' | 'fullName' | 'email' | 'loginId'>[]> =>
  read.rows(sql`select contact_id::text as contact_id, full_name, email, login_id::text as login_id from contact
    where contact_id = any(${[...contactIds]}::uuid[])`);

/** Returns the contact types a person has in any account. */
export async function contactTypesOf(read: Read, loginId: string): Promise<string[]> {
  const rows = await read.rows<{ contactType: string }>(sql`select distinct unnest(contact_types) as contact_type from contact
    where login_id = ${loginId} and status = 'active'`);
  return rows.map(({ contactType }) => contactType);
}

/** Returns whether a person is a contact of more than one account that is not closed. */
export async function hasSeveralAccounts(read: Pick<Read, 'rows'>, loginId: string): Promise<boolean> {
  const rows = await read.rows(sql`select 1 from contact join account using (account_name)
    where login_id = ${loginId} and status = 'active' and account_status <> 'closed' limit 2`);
  return rows.length > 1;
}

/** Returns the caller as a contact of the account. Visiting staff aren't contacts, and can't change anything. @throws Failure NO_PERMISSION */
export async function actorOf(
  change: Change,
  { contactId }: Pick<AdmittedAccount, 'contactId'>,
): Promise<{ contactId: string; name: string; email: string }> {
  if (contactId === null) throw refuse('NO_PERMISSION');
  const { fullName, email } = (await contactById(change, contactId))!;
  return { contactId, name: fullName, email };
}

/** Days for which a person who left an account counts as its contact still: as many as limits count in the example, so that leaving for an hour changes nothing. */
const LEFT_DAYS = 30;

/**
 * Refuses staff who are contacts of the member, or were until lately, because they can't decide about it: neither who acts nor the second person who approved.
 * @throws Failure OWN_REQUEST
 */
export async function refuseOwnAccount(
  change: Change,
  accountName: string,
  { loginId, approvedBy }: Pick<Caller, 'loginId' | 'approvedBy'>,
): Promise<void> {
  const logins = approvedBy === undefined ? [loginId] : [loginId, approvedBy];
  const [own] = await change.rows(
    sql`select 1 from contact where account_name = ${accountName} and login_id = any (${logins}::text[]) and ${isOwnContact(change.now)} limit 1`,
  );
  if (own) throw refuse('OWN_REQUEST');
}

/** SQL: a contact acts for its account, or did until lately: the columns of `contact` without its name. */
export const isOwnContact = (now: string): RawBuilder<boolean> =>
  sql<boolean>`(status <> 'removed' or removed_at > ${now}::timestamptz - make_interval(days => ${LEFT_DAYS}::integer))`;

/** Returns the logins that can't decide about any of these accounts, as `refuseOwnAccount` refuses them. */
export async function ownersOf(read: Pick<Read, 'rows'>, accountNames: readonly string[], now: string): Promise<string[]> {
  const rows = await read.rows<{ loginId: string }>(sql`select distinct login_id from contact
    where account_name = any (${[...accountNames]}::text[]) and login_id is not null and ${isOwnContact(now)}`);
  return rows.map(({ loginId }) => loginId);
}

/** Returns the corporate contacts of every account a person acts for, the person excepted, by account and name. Closed accounts have none. */
export const corporateColleagues = (read: Read, loginId: string): Promise<ActiveContact[]> =>
  read.rows<ActiveContact>(sql`
    select c.contact_id, c.account_name, c.login_id, c.full_name, c.email, c.contact_types, c.permissions
    from contact c join account a using (account_name)
    where c.status = 'active' and 'corporate' = any (c.contact_types) and c.login_id is distinct from ${loginId} and a.account_status <> 'closed'
      and exists (select from contact own where own.account_name = c.account_name and own.login_id = ${loginId} and own.status = 'active')
    order by c.account_name, c.full_name`);

/** Returns whether a login is or was a contact of an account. */
export async function wasContactOf(read: Read, accountName: string, loginId: string): Promise<boolean> {
  const contact = await read
    .selectFrom('contact')
    .select('contactId')
    .where('accountName', '=', accountName)
    .where('loginId', '=', loginId)
    .limit(1)
    .executeTakeFirst();
  return contact !== undefined;
}

/** Returns the login of the contact that has this e-mail address in an account, the newest where several have. */
export async function loginOfAddress(read: Read, accountName: string | null, email: string): Promise<string | null> {
  if (accountName === null) return null;
  const [found] = await read.rows<{ loginId: string }>(sql`select login_id from contact
    where account_name = ${accountName} and lower(email) = lower(${email}) and login_id is not null order by created_at desc limit 1`);
  return found?.loginId ?? null;
}

/** Returns the address notified of security changes of an account; null if it has none. */
export async function securityAddressOf(read: Read, accountName: string): Promise<string | null> {
  const safety = await read.selectFrom('accountSafety').select('securityEmail').where('accountName', '=', accountName).executeTakeFirst();
  return safety?.securityEmail ?? null;
}

/** SQL: the names of the accounts a login is a contact of, as JSON, closed accounts left out. @param loginId an SQL expression */
export const openAccountNames = (loginId: RawBuilder<unknown>): RawBuilder<string[]> => sql<string[]>`
  (select coalesce(jsonb_agg(c.account_name order by c.account_name), '[]') from contact c join account a using (account_name)
    where c.login_id = ${loginId} and c.status <> 'removed' and a.account_status <> 'closed')`;

/**
 * SQL: the name of the contact that an activity names, for the account the activity is read in; null for staff, and for people of another
 * account. @param activity the alias of `activity` @param accountName an SQL expression
 */
export const actorNameOf = (activity: string, accountName: RawBuilder<unknown> | string): RawBuilder<string | null> => {
  const contactId = sql.ref(`${activity}.contact_id`);
  return sql<string | null>`(select full_name from contact where account_name = ${accountName}
    and contact_id = case when ${contactId} ~ '^[0-9a-f-]{36}$' then ${contactId}::uuid end)`;
};
