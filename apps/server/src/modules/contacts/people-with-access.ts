import type { peopleWithAccess, PersonWithAccess } from '@portal/contract/contacts/people-with-access';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { canAct } from '../identity/index.ts';
import { type ContactRow, isStaying, type Leaving } from './contact-row.ts';

type Row = Omit<PersonWithAccess, 'isMe' | 'isLastPayer' | 'email'> & { email: string; staysPayer: boolean };

/**
 * SQL: the contact with alias `c` can pay for its account, today and later: not one whose removal, or whose change to another role, waits for the registry.
 * @param leaving whether those who are leaving count all the same
 */
const canPay = (leaving: Leaving): RawBuilder<boolean> =>
  sql<boolean>`(${canAct('c')} and 'member-billing-update' = any (c.permissions) and ${isStaying(leaving)})`;

/**
 * Refuses to end the access of the last person who can pay for an account: a closed one couldn't be opened again by its member.
 * @throws Failure LAST_PAYER
 */
export async function refuseLastPayer(
  read: Read,
  { accountName, contactId, permissions }: Pick<ContactRow, 'accountName' | 'contactId' | 'permissions'>,
  { leaving }: { leaving: Leaving },
): Promise<void> {
  if (!permissions.includes('member-billing-update')) return;
  const others = await read.rows(sql`select 1 from contact c
    where c.account_name = ${accountName} and c.contact_id <> ${contactId}::uuid and ${canPay(leaving)} limit 1`);
  if (others.length === 0) throw refuse('LAST_PAYER', { account: accountName });
}

/**
 * Returns the people with access to an account, and what counts of it once the account is closed. Any contact learns names and what each may do, as of the
 * holders of a permission; e-mail addresses are for those who see contacts.
 */
export async function listPeopleWithAccess({
  read,
  account,
}: Act<typeof peopleWithAccess.listPeopleWithAccess>): Promise<PersonWithAccess[]> {
  const rows = await read.rows<Row>(sql`
    select c.contact_id::text, c.version, c.full_name, c.email, c.contact_types, c.status, 'member-billing-view' = any (c.permissions) as may_read,
      'member-billing-update' = any (c.permissions) as may_pay, ${canPay('left out')} as stays_payer, r.requested_at as removal_asked_at
    from contact c left join registry_request r on r.contact_id = c.contact_id and r.status = 'pending' and r.kind = 'remove'
    where c.account_name = ${account.accountName} and c.status <> 'removed' order by lower(c.full_name), c.contact_id`);
  const payers = rows.filter(({ staysPayer }) => staysPayer).length;
  return rows.map(({ staysPayer, email, ...row }) => {
    const isMe = row.contactId === account.contactId;
    return {
      ...row,
      email: isMe || account.asStaff || account.permissions.has('contacts-details-view') ? email : null,
      isMe,
      isLastPayer: staysPayer && payers === 1,
    };
  });
}
