import {
  bookPermissions,
  type ContactType,
  defaultPermissions,
  holdsOneOf,
  type Permission,
  permissionKeys,
  type StaffPermission,
} from '@portal/contract';
import type { Account, accounts } from '@portal/contract/accounts/accounts';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import { type Change, preparedQuery, type Read } from '../../platform/database/index.ts';
import { featuresOf } from '../../platform/features.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';

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
export async function listAccounts({ read, caller, registry: { config } }: Act<typeof accounts.listAccounts>): Promise<Account[]> {
  const rows = await read
    .selectFrom('contact')
    .innerJoin('account', 'account.accountName', 'contact.accountName')
    .select([
      ...accountColumns,
      'contact.contactTypes',
      'contact.permissions',
      featuresOf(sql`account.account_name`, config).as('features'),
    ])
    .where('contact.loginId', '=', caller.loginId)
    .where('contact.status', '=', 'active')
    .orderBy('account.accountName')
    .execute();
  return rows.map(row => ({ ...row, asStaff: false }) as Account);
}

// A helper's access ends on time, independent of the periodic work.
const MEMBERSHIP = preparedQuery<Omit<AdmittedAccount, 'permissions' | 'asStaff'> & { permissions: Permission[] }>(`
    select a.account_name, a.account_status, a.account_type, a.nir, c.contact_id, c.contact_types, c.permissions, s.second_factor_from
    from contact c join account a using (account_name) left join account_safety s using (account_name)
    where c.login_id = $1::text and c.account_name = $2::text and c.status = 'active' and (c.helper_until is null or c.helper_until > now()) limit 1`);

/** The caller's membership of one account, from the database on every call (S19); null when there is none. */
export async function membershipOf(read: Read, { loginId }: Pick<Caller, 'loginId'>, accountName: string): Promise<AdmittedAccount | null> {
  const [row] = await read.rows(MEMBERSHIP(loginId, accountName));
  return row ? { ...row, permissions: new Set(row.permissions), asStaff: false } : null;
}

type MembershipJson = Omit<AdmittedAccount, 'permissions' | 'asStaff'> & { permissions: Permission[] };

/** SQL of the membership that `membershipOf` reads, as JSON: for a statement that finds person and account itself. `membershipFrom` reads it. */
export const membershipAsJson = (loginId: RawBuilder<unknown>, accountName: RawBuilder<unknown>): RawBuilder<MembershipJson | null> => sql`(
  select to_jsonb(m) from (
    select a.account_name as "accountName", a.account_status as "accountStatus", a.account_type as "accountType", a.nir, c.contact_id as "contactId",
      c.contact_types as "contactTypes", c.permissions, s.second_factor_from as "secondFactorFrom"
    from contact c join account a using (account_name) left join account_safety s using (account_name)
    where c.login_id = ${loginId} and c.account_name = ${accountName} and c.status = 'active' and (c.helper_until is null or c.helper_until > now())
  ) m)`;

/** Returns the membership that `membershipAsJson` answered; null when there is none. */
export const membershipFrom = (found: MembershipJson | null): AdmittedAccount | null =>
  found && { ...found, permissions: new Set(found.permissions), asStaff: false };

/** The caller's memberships of all accounts that are not closed, by name, from the database on every call. */
export async function membershipsOf(read: Read, { loginId }: Pick<Caller, 'loginId'>): Promise<(AdmittedAccount & { orgName: string })[]> {
  const rows = await read.rows<Omit<AdmittedAccount, 'permissions' | 'asStaff'> & { orgName: string; permissions: Permission[] }>(sql`
    select a.account_name, a.account_status, a.account_type, a.nir, a.org_name, c.contact_id, c.contact_types, c.permissions, s.second_factor_from
    from contact c join account a using (account_name) left join account_safety s using (account_name)
    where c.login_id = ${loginId} and c.status = 'active' and (c.helper_until is null or c.helper_until > now()) and a.account_status <> 'closed'
    order by a.account_name`);
  return rows.map(row => ({ ...row, permissions: new Set(row.permissions), asStaff: false }));
}

/** Permissions of contacts that a visit has only with one of these permissions of registry staff. */
const withheldFromVisits: { readonly [Key in Permission]?: readonly StaffPermission[] } = {
  'whois-private-objects-view': ['private-data'],
  'member-billing-view': bookPermissions,
};

/** Returns whether reading accounts alone doesn't open it during a visit. */
export const isWithheldFromVisits = (permission: Permission): boolean => withheldFromVisits[permission] !== undefined;

/** Permissions of registry staff in an account without being a contact: reading, and what needs one more of their own permissions only with it. */
const visitPermissions = ({ staffPermissions }: Pick<Caller, 'staffPermissions'>): Permission[] =>
  permissionKeys.filter(key => {
    const needed = withheldFromVisits[key];
    return key.endsWith('-view') && (needed === undefined || holdsOneOf(staffPermissions, needed, true));
  });

/** An account for visiting registry staff, or null. */
export async function accountForStaff(
  read: Read,
  accountName: string,
  caller: Pick<Caller, 'staffPermissions'>,
  { config }: Pick<Registry, 'config'>,
): Promise<Account | null> {
  const row = await read
    .selectFrom('account')
    .select([...accountColumns, featuresOf(sql`account.account_name`, config).as('features')])
    .where('accountName', '=', accountName)
    .executeTakeFirst();
  return row ? ({ ...row, contactTypes: [], permissions: visitPermissions(caller), asStaff: true } as Account) : null;
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

/** Creates an account. The database refuses an existing name. */
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
    .values({ ...contact, permissions: permissions ?? defaultPermissions(contact.contactTypes), status: 'active' })
    .execute();
}

/** Returns the account that the portal selects on a new device: the first open one in the switcher's order. */
export async function firstAccountOf(read: Read, loginId: string): Promise<string | null> {
  const names = (await membershipsOf(read, { loginId })).map(({ accountName }) => accountName);
  return names.sort((a, b) => a.localeCompare(b, 'en'))[0] ?? null;
}

/** The names of the accounts a person is a contact of. */
export async function accountNamesOf(read: Read, loginId: string): Promise<string[]> {
  const contacts = await read.selectFrom('contact').select('accountName').where('loginId', '=', loginId).orderBy('accountName').execute();
  return contacts.map(({ accountName }) => accountName);
}

/**
 * Returns whether a login holds a privileged permission in any account, or acts for one that already requires a second factor: then it is asked for
 * at sign-in (REQUIRE_MFA=privileged).
 */
export async function holdsPrivilege(read: Read, loginId: string, privileged: readonly Permission[]): Promise<boolean> {
  const row = await read
    .selectFrom('contact')
    .select('contactId')
    .where('loginId', '=', loginId)
    .where('status', '=', 'active')
    .where(
      sql<boolean>`(permissions && ${[...privileged]}::text[] or exists (select from account_safety s
        where s.account_name = contact.account_name and s.second_factor_from <= (now() at time zone 'UTC')::date))`,
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
