import { type Selectable, sql } from 'kysely';
import type { Change, Read, Tables } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { containsPattern } from '../../platform/search-text.ts';

const columns = ['accountName', 'accountStatus', 'accountType', 'orgName', 'economy', 'memberSince', 'expiryDate'] as const;

/** An account, for other modules. */
export type AccountRow = Pick<Selectable<Tables['account']>, (typeof columns)[number]>;

/** Returns an account, possibly closed, or null. */
export async function findAccount(read: Read, accountName: string): Promise<AccountRow | null> {
  return (await read.selectFrom('account').select(columns).where('accountName', '=', accountName).executeTakeFirst()) ?? null;
}

/** Returns accounts of these names, closed ones too, by name. */
export async function accountRows(read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<ReadonlyMap<string, AccountRow>> {
  const rows =
    await read.rows<AccountRow>(sql`select account_name, account_status, account_type, org_name, economy, member_since, expiry_date
    from account where account_name = any(${[...accountNames]}::text[])`);
  return new Map(rows.map(row => [row.accountName, row]));
}

/** Returns accounts whose name or organisation contains a text: the account of that name first, then names that begin with it. */
export function accountsMatching(
  read: Pick<Read, 'rows'>,
  text: string,
  most: number,
): Promise<Pick<AccountRow, 'accountName' | 'orgName' | 'accountType' | 'accountStatus' | 'economy'>[]> {
  const pattern = containsPattern(text.toLowerCase());
  const beginning = pattern.slice(1);
  return read.rows(sql`select account_name, org_name, account_type, account_status, economy from (
      (select * from account where lower(account_name) like ${pattern} limit 1000)
      union (select * from account where lower(org_name) like ${pattern} limit 1000)) a
    order by lower(account_name) <> ${text.toLowerCase()}, not (lower(account_name) like ${beginning} or lower(org_name) like ${beginning}), account_name
    limit ${most}`);
}

/** Like `findAccount`. @throws Failure NOT_FOUND if there is none */
export async function accountNamed(read: Read, accountName: string): Promise<AccountRow> {
  const account = await findAccount(read, accountName);
  if (!account) throw refuse('NOT_FOUND', { what: `Account ${accountName}` });
  return account;
}

/**
 * Locks the row of an account until the change ends, and returns the account. Anything that belongs to an account is locked after it, so that changes
 * run one after the other and can't deadlock.
 * @throws Failure NOT_FOUND
 */
export async function lockAccount(change: Change, accountName: string): Promise<AccountRow> {
  const account = await lockAccountIfAny(change, accountName);
  if (!account) throw refuse('NOT_FOUND', { what: 'The account' });
  return account;
}

/** Like `lockAccount`, if the account may not exist and the caller must not learn that. */
export async function lockAccountIfAny(change: Change, accountName: string): Promise<AccountRow | null> {
  const account = await change
    .selectFrom('account')
    .select(columns)
    .where('accountName', '=', accountName)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return account ?? null;
}

/** Like `lockAccount`, for a member: an account closed meanwhile looks non-existent. @throws Failure ACCOUNT_NOT_FOUND */
export async function lockOwnAccount(change: Change, { accountName }: Pick<AdmittedAccount, 'accountName'>): Promise<AccountRow> {
  const account = await lockAccount(change, accountName);
  if (account.accountStatus === 'closed') throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
  return account;
}

type Standing = Pick<AccountRow, 'accountName'> & { accountStatus: string };

/** @throws Failure ACCOUNT_SUSPENDED */
export function refuseSuspended({ accountName, accountStatus }: Standing): void {
  if (accountStatus === 'suspended') throw refuse('ACCOUNT_SUSPENDED', { account: accountName });
}

/** For acts of open accounts alone. @throws Failure ACCOUNT_SUSPENDED */
export function requireOpen({ accountName, accountStatus }: Standing): void {
  if (accountStatus !== 'open') throw refuse('ACCOUNT_SUSPENDED', { account: accountName });
}

/** @throws Failure ACCOUNT_CLOSED */
export function refuseClosedAccount({ accountName, accountStatus }: Standing): void {
  if (accountStatus === 'closed') throw refuse('ACCOUNT_CLOSED', { account: accountName });
}

/** Sets the status of an account: suspended, open or closed. The caller has locked it; contacts of a closed one no longer find it. */
export async function setAccountStatus(change: Change, accountName: string, accountStatus: AccountRow['accountStatus']): Promise<void> {
  await change.updateTable('account').set({ accountStatus }).where('accountName', '=', accountName).execute();
}

/** Sets the last day of an account's term. */
export async function setTermEnd(change: Change, accountName: string, expiryDate: string): Promise<void> {
  await change.updateTable('account').set({ expiryDate }).where('accountName', '=', accountName).execute();
}

/** Opens an account, suspended or not, for a paid term. A term that already ends later stays. A new account is a member from today. */
export async function openForTerm(change: Change, accountName: string, lastDay: string): Promise<void> {
  await change
    .updateTable('account')
    .set({
      accountStatus: 'open',
      expiryDate: sql<string>`greatest(expiry_date, ${lastDay}::date)`,
      memberSince: sql<string>`coalesce(member_since, ${change.now}::date)`,
    })
    .where('accountName', '=', accountName)
    .execute();
}

/** Corrects the name or economy of an account. */
export async function correctAccount(
  change: Change,
  accountName: string,
  values: Partial<Pick<AccountRow, 'orgName' | 'economy'>>,
): Promise<void> {
  await change.updateTable('account').set(values).where('accountName', '=', accountName).execute();
}

/** Returns which of the names are taken, closed accounts included. */
export async function takenAccountNames(read: Read, names: readonly string[]): Promise<string[]> {
  const rows = await read.rows<{ accountName: string }>(
    sql`select account_name from account where account_name = any (${[...names]}::text[])`,
  );
  return rows.map(({ accountName }) => accountName);
}

/** Returns the account names that begin with a prefix. */
export async function accountNamesFrom(read: Read, prefix: string): Promise<string[]> {
  const rows = await read.rows<{ accountName: string }>(sql`select account_name from account where starts_with(account_name, ${prefix})`);
  return rows.map(({ accountName }) => accountName);
}
