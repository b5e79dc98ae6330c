import { type ContactType, defaultPermissions } from '@portal/contract';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import type { NewAccount } from './accounts.ts';

/** Names, types and terms of many accounts, in one statement. */
export async function describeAccounts(
  change: Change,
  rows: readonly (Pick<NewAccount, 'accountName' | 'orgName' | 'accountType'> & { memberSince: string; expiryDate: string })[],
): Promise<void> {
  await change.rows(sql`update account a set org_name = w.org_name, account_type = w.account_type, nir = w.account_type = 'confed-nir', member_since = w.member_since,
      expiry_date = w.expiry_date
    from unnest(${rows.map(r => r.accountName)}::text[], ${rows.map(r => r.orgName)}::text[], ${rows.map(r => r.accountType)}::text[],
      ${rows.map(r => r.memberSince)}::date[], ${rows.map(r => r.expiryDate)}::date[]) as w (account_name, org_name, account_type, member_since, expiry_date)
    where a.account_name = w.account_name`);
}

/** Makes many logins contacts of accounts, with the default permissions of their types, in one statement. */
export async function addContacts(
  change: Change,
  rows: readonly { accountName: string; loginId: string; fullName: string; email: string; phone: string; contactTypes: ContactType[] }[],
): Promise<void> {
  const contacts = rows.map(({ accountName, loginId, fullName, email, phone, contactTypes }) => ({
    account_name: accountName,
    login_id: loginId,
    full_name: fullName,
    email,
    phone,
    contact_types: contactTypes,
    permissions: defaultPermissions(contactTypes),
  }));
  await change.rows(sql`insert into contact (account_name, login_id, full_name, email, phone, contact_types, permissions, status)
    select account_name, login_id, full_name, email, phone, contact_types, permissions, 'active' from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb)
      as w (account_name text, login_id text, full_name text, email text, phone text, contact_types text[], permissions text[])`);
}
