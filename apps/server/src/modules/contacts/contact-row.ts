import type { ContactType, Permission } from '@portal/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { contactById } from './contact-list.ts';
import { canAct } from '../identity/index.ts';

const columns = [
  'contactId',
  'accountName',
  'loginId',
  'fullName',
  'email',
  'phone',
  'position',
  'contactTypes',
  'permissions',
  'maintainers',
  'status',
  'version',
  'helperUntil',
] as const;

/** A contact for changes. */
export type ContactRow = {
  contactId: string;
  accountName: string;
  loginId: string | null;
  fullName: string;
  email: string;
  phone: string;
  position: string;
  contactTypes: ContactType[];
  permissions: Permission[];
  maintainers: string[];
  status: 'invited' | 'active' | 'pending-registry' | 'removed';
  version: number;
  /** End of a helper's access; null for all other contacts. */
  helperUntil: string | null;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Locks and returns a contact of the account, except removed ones. @throws Failure NOT_FOUND */
export async function lockContact(change: Change, accountName: string, contactId: string): Promise<ContactRow> {
  const row = uuid.test(contactId)
    ? await change
        .selectFrom('contact')
        .select(columns)
        .where('contactId', '=', contactId)
        .where('accountName', '=', accountName)
        .where('status', '<>', 'removed')
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!row) throw refuse('NOT_FOUND', { what: 'The contact' });
  return row as ContactRow;
}

/** Like `lockContact`, if it hasn't changed since the caller read it. @throws Failure NOT_FOUND, STALE with the present contact */
export async function lockContactAt(change: Change, account: AdmittedAccount, contactId: string, version: number): Promise<ContactRow> {
  const contact = await lockContact(change, account.accountName, contactId);
  if (contact.version !== version)
    throw refuseWithCurrent(await contactById(change, account, contact.contactId), 'STALE', { what: 'the contact' });
  return contact;
}

/** Whether contacts count whose removal or change to another role waits for the registry. */
export type Leaving = 'counted' | 'left out';

/** SQL: neither the removal of the contact with alias `c` nor its change to another role waits for the registry. */
export const isStaying = (
  leaving: Leaving,
): RawBuilder<boolean> => sql<boolean>`(${leaving === 'counted'} or not exists (select from registry_request r
  where r.contact_id = c.contact_id and r.status = 'pending' and (r.kind = 'remove' or 'corporate' <> all (r.contact_types))))`;

/** Returns how many other corporate contacts an account has; those with a pending removal or demotion don't count. */
export async function otherCorporateContacts(
  read: Read,
  { accountName, contactId }: Pick<ContactRow, 'accountName' | 'contactId'>,
  { leaving }: { leaving: Leaving },
): Promise<number> {
  const [row] = await read.rows<{ count: number }>(sql`select count(*)::int as count from contact c
    where c.account_name = ${accountName} and ${canAct('c')} and 'corporate' = any (c.contact_types)
    and c.contact_id <> ${contactId}::uuid and ${isStaying(leaving)}`);
  return row!.count;
}
