import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { changeContact } from '../accounts/index.ts';
import type { ContactRow } from './contact-row.ts';
import { endInvitation } from './invitations.ts';

/**
 * Ends a person's access to the account immediately: permissions are revoked, an open invitation becomes void, requests by and about the contact are
 * cancelled. The row is kept for the account's history; the login remains the person's.
 */
export async function endContact(change: Change, { contactId }: Pick<ContactRow, 'contactId'>): Promise<void> {
  await endInvitation(change, contactId, 'revoked');
  await change.deleteFrom('permissionDecision').where('contactId', '=', contactId).execute();
  await changeContact(change, contactId, { status: 'removed', permissions: [], maintainers: [], removedAt: change.now });
  await sql`update access_request set status = 'other', outcome = 'cancelled', resolved_at = ${change.now}
    where status = 'pending' and (requested_by = ${contactId}::uuid or subject_id = ${contactId}::uuid)`.execute(change);
  await change
    .updateTable('registryRequest')
    .set({ status: 'withdrawn', resolvedAt: change.now })
    .where('contactId', '=', contactId)
    .where('status', '=', 'pending')
    .execute();
}
