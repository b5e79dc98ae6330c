import type { DetailField, Organisation } from '@portal/contract/organisations/organisations';
import type { Caller } from '../../platform/caller.ts';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import { refuse } from '../../platform/failure.ts';

/** What a member keeps about its organisation itself. */
export type OrganisationDetails = Pick<Organisation, DetailField>;
export type HeldAccount = { accountName: string; accountStatus: string; orgName: string; economy: string | null };

/**
 * Holds an account against others until the change ends; whatever belongs to it is held after it.
 * @throws Failure NOT_FOUND
 */
export async function holdAccount(change: Change, accountName: string): Promise<HeldAccount> {
  const account = await change
    .selectFrom('account')
    .select(['accountName', 'accountStatus', 'orgName', 'economy'])
    .where('accountName', '=', accountName)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw refuse('NOT_FOUND', { what: 'The account' });
  return account;
}

/** The same for a member; an account that was closed meanwhile looks non-existent. @throws Failure ACCOUNT_NOT_FOUND */
export async function holdOwnAccount(change: Change, { accountName }: AdmittedAccount): Promise<HeldAccount> {
  const account = await holdAccount(change, accountName);
  if (account.accountStatus === 'closed') throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
  return account;
}

/** The caller as a contact of the account. Staff who look at an account are none, and change nothing. @throws Failure NO_PERMISSION */
export async function actorOf(change: Change, { contactId }: AdmittedAccount): Promise<{ contactId: string; name: string; email: string }> {
  if (contactId === null) throw refuse('NO_PERMISSION');
  const { fullName, email } = await change
    .selectFrom('contact')
    .select(['fullName', 'email'])
    .where('contactId', '=', contactId)
    .executeTakeFirstOrThrow();
  return { contactId, name: fullName, email };
}

/** Only a corporate contact speaks for the member where the registry needs its word. @throws Failure CORPORATE_ONLY */
export function requireCorporate({ contactTypes }: Pick<AdmittedAccount, 'contactTypes'>): void {
  if (!contactTypes.includes('corporate')) throw refuse('CORPORATE_ONLY');
}

/** Staff who are contacts of a member decide nothing for it. @throws Failure OWN_REQUEST */
export async function refuseOwn(change: Change, accountName: string, { loginId }: Caller): Promise<void> {
  const own = await change
    .selectFrom('contact')
    .select('contactId')
    .where('accountName', '=', accountName)
    .where('loginId', '=', loginId)
    .where('status', '<>', 'REMOVED')
    .executeTakeFirst();
  if (own) throw refuse('OWN_REQUEST');
}

/** A number in a path; null for anything else. */
export const numberOf = (id: string): number | null => (/^\d{1,15}$/.test(id) ? Number(id) : null);

/** What an account keeps besides its own row, written: what is not given stays. Grows the version. */
export async function writeOrganisation(
  change: Change,
  accountName: string,
  values: Partial<OrganisationDetails & Pick<Organisation, 'registrationNumber' | 'organisationType'>>,
): Promise<void> {
  await change
    .insertInto('organisation')
    .values({ accountName, ...values })
    .onConflict(conflict => conflict.column('accountName').doUpdateSet(eb => ({ ...values, version: eb('organisation.version', '+', 1) })))
    .execute();
}
