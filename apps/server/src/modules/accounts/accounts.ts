import { type ContactType, defaultPermissions, type Permission, permissionKeys } from '@portal/contract';
import type { Account } from '@portal/contract/accounts/accounts';
import { sql } from 'kysely';
import type { Caller } from '../../platform/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';

const accountColumns = [
  'account.accountName',
  'account.accountStatus',
  'account.accountType',
  'account.nir',
  'account.orgName',
  'account.economy',
  'account.memberSince',
  'account.expiryDate',
] as const;

/** The accounts a person is a contact of, by name, closed ones included (the client drops those). */
export async function listAccounts(read: Read, caller: Caller): Promise<Account[]> {
  const rows = await read
    .selectFrom('contact')
    .innerJoin('account', 'account.accountName', 'contact.accountName')
    .select([...accountColumns, 'contact.contactTypes', 'contact.permissions'])
    .where('contact.loginId', '=', caller.loginId)
    .where('contact.status', '=', 'ACTIVE')
    .orderBy('account.accountName')
    .execute();
  return rows.map(row => ({ ...row, asStaff: false }) as Account);
}

/** The caller's membership of one account, from the database on every call (S19); null when there is none. */
export async function membershipOf(read: Read, caller: Caller, accountName: string): Promise<AdmittedAccount | null> {
  const row = await read
    .selectFrom('contact')
    .innerJoin('account', 'account.accountName', 'contact.accountName')
    .leftJoin('accountSafety', 'accountSafety.accountName', 'account.accountName')
    .select(['account.accountName', 'accountStatus', 'accountType', 'nir', 'contactId', 'contactTypes', 'permissions', 'secondFactorFrom'])
    .where('contact.loginId', '=', caller.loginId)
    .where('contact.accountName', '=', accountName)
    .where('contact.status', '=', 'ACTIVE')
    // A helper's time ends automatically, independent of the periodic work.
    .where(eb => eb.or([eb('contact.helperUntil', 'is', null), eb('contact.helperUntil', '>', sql<string>`now()`)]))
    .executeTakeFirst();
  return row ? { ...row, permissions: new Set(row.permissions as Permission[]), asStaff: false } : null;
}

/** Permissions of registry staff in an account without being a contact: everything read-only. */
const staffPermissions: Permission[] = permissionKeys.filter(key => key.endsWith('-view'));

/** An account as registry staff looks at it; null when there is none. */
export async function accountForStaff(read: Read, accountName: string): Promise<Account | null> {
  const row = await read
    .selectFrom('account')
    .select([...accountColumns])
    .where('accountName', '=', accountName)
    .executeTakeFirst();
  return row ? ({ ...row, contactTypes: [], permissions: staffPermissions, asStaff: true } as Account) : null;
}

export type NewAccount = {
  accountName: string;
  accountStatus: Account['accountStatus'];
  accountType: Account['accountType'];
  orgName: string;
  economy: string | null;
  memberSince?: string | null;
  expiryDate?: string | null;
  statisticsId?: string | null;
};

/** Opens an account. A name that exists is refused by the database. */
export async function createAccount(change: Change, account: NewAccount): Promise<void> {
  await change
    .insertInto('account')
    .values({ ...account, nir: account.accountType === 'confed-nir' })
    .execute();
}

export type NewContact = {
  accountName: string;
  loginId: string;
  fullName: string;
  email: string;
  phone?: string;
  position?: string;
  contactTypes: ContactType[];
  permissions?: Permission[];
};

/** Makes a login a contact of an account, with the default permissions of its contact types (specification, section 6) unless others are given. */
export async function addContact(change: Change, { permissions, ...contact }: NewContact): Promise<void> {
  await change
    .insertInto('contact')
    .values({ ...contact, permissions: permissions ?? defaultPermissions(contact.contactTypes), status: 'ACTIVE' })
    .execute();
}

/** The names of the accounts a person is a contact of. */
export async function accountNamesOf(read: Read, loginId: string): Promise<string[]> {
  const contacts = await read.selectFrom('contact').select('accountName').where('loginId', '=', loginId).orderBy('accountName').execute();
  return contacts.map(({ accountName }) => accountName);
}

/**
 * Returns whether a login holds a privileged permission in any account, or acts for one that requires a second factor by now: it is then asked for at
 * sign-in (REQUIRE_MFA=privileged).
 */
export async function holdsPrivilege(read: Read, loginId: string, privileged: readonly Permission[]): Promise<boolean> {
  const row = await read
    .selectFrom('contact')
    .select('contactId')
    .where('loginId', '=', loginId)
    .where('status', '=', 'ACTIVE')
    .where(
      sql<boolean>`(permissions && ${[...privileged]}::text[] or exists (select from account_safety s
        where s.account_name = contact.account_name and s.second_factor_from <= (now() at time zone 'UTC')::date))`,
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
