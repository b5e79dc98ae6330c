import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';

/** A contact who may use maintainers (whois, `mntner`) of the account. */
export type MaintainerUser = { contactId: string; fullName: string; maintainers: string[] };

/** Returns the maintainers that a contact may use. */
export async function maintainersOf(read: Read, contactId: string): Promise<string[]> {
  const contact = await read.selectFrom('contact').select('maintainers').where('contactId', '=', contactId).executeTakeFirst();
  return contact?.maintainers ?? [];
}

/** Returns who may use maintainers of an account, by name. */
export const maintainerUsers = (read: Pick<Read, 'rows'>, accountName: string): Promise<MaintainerUser[]> =>
  read.rows<MaintainerUser>(sql`select contact_id::text as contact_id, full_name, maintainers from contact
    where account_name = ${accountName} and status = 'active' and maintainers <> '{}' order by full_name`);

/** Returns the contacts who act for an account with the maintainers they may use, and locks them until the change is over. */
export const lockMaintainerUsers = (change: Change, accountName: string): Promise<MaintainerUser[]> =>
  change.rows<MaintainerUser>(sql`select contact_id::text as contact_id, full_name, maintainers from contact
    where account_name = ${accountName} and status = 'active' order by contact_id for update`);

/** Lets exactly these contacts use a maintainer, and no others. */
export async function switchMaintainer(change: Change, contactIds: readonly string[], maintainer: string): Promise<void> {
  await change.rows(sql`update contact set version = version + 1, maintainers = case when ${maintainer} = any(maintainers)
      then array_remove(maintainers, ${maintainer}) else array_append(maintainers, ${maintainer}) end
    where contact_id = any(${[...contactIds]}::uuid[])`);
}

/** Removes a maintainer from these contacts of an account. Returns those who had it. */
export const withdrawMaintainer = (
  change: Change,
  accountName: string,
  contactIds: readonly string[],
  maintainer: string,
): Promise<Pick<MaintainerUser, 'contactId' | 'fullName'>[]> =>
  change.rows(sql`update contact set version = version + 1, maintainers = array_remove(maintainers, ${maintainer})
    where contact_id = any(${[...contactIds]}::uuid[]) and account_name = ${accountName} and ${maintainer} = any(maintainers)
    returning contact_id::text as contact_id, full_name`);
