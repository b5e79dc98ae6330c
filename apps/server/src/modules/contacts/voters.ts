import { whyNotGrantable } from '@portal/contract';
import type { proxies } from '@portal/contract/elections/proxies';
import type { Voter } from '@portal/contract/elections/voting';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import { activeContacts, actorOf, lockAccount } from '../accounts/index.ts';
import { notifyCorporateContacts } from './contact-notices.ts';
import { lockContact } from './contact-row.ts';
import { inOrder, writeRole } from './grants.ts';
import { contactsTexts } from './mail-texts.ts';

/** Returns the contacts of an account with a login, and which of them may vote for it. */
export async function listVoters({
  read,
  account: { accountName, accountType },
}: {
  read: Read;
  account: AdmittedAccount;
}): Promise<{ rows: Voter[] }> {
  const contacts = await activeContacts(read, accountName);
  const rows = contacts
    .filter(({ loginId }) => loginId !== null)
    .map(({ contactId, fullName, contactTypes, permissions }) => ({
      contactId,
      fullName,
      contactTypes,
      mayVote: permissions.includes('voting-vote'),
      fixed: contactTypes.includes('corporate')
        ? 'Corporate contacts always can'
        : whyNotGrantable('voting-vote', { contactTypes, accountType }) && 'Accounts of this type can’t vote',
    }));
  return { rows };
}

/**
 * Lets a contact vote for an account in all elections, or revokes that.
 * @throws Failure NOT_FOUND, PERMISSION_NOT_GRANTABLE for corporate contacts, accounts without votes and contacts without a login
 */
export async function setVoter({
  change,
  account,
  params: { contactId },
  body: { mayVote },
}: Act<typeof proxies.setVoter>): Promise<{ rows: Voter[] }> {
  await lockAccount(change, account.accountName);
  const actor = await actorOf(change, account);
  const contact = await lockContact(change, account.accountName, contactId);
  const { rows } = await listVoters({ read: change, account });
  const voter = rows.find(each => each.contactId === contact.contactId);
  const permission = 'voting-vote';
  if (!voter || contact.status !== 'active')
    throw refuse('PERMISSION_NOT_GRANTABLE', { permission, reason: 'the contact has no login yet' });
  if (voter.fixed) throw refuse('PERMISSION_NOT_GRANTABLE', { permission, reason: voter.fixed });
  if (contact.helperUntil !== null) throw refuse('PERMISSION_NOT_GRANTABLE', { permission, reason: 'helpers can’t vote' });
  if (voter.mayVote !== mayVote) {
    const permissions = inOrder(mayVote ? [...contact.permissions, permission] : contact.permissions.filter(each => each !== permission));
    await writeRole(change, contact.contactId, { contactTypes: contact.contactTypes, permissions, decidedBy: actor.contactId });
    await change.note({ contact: contact.fullName, before: { permissions: contact.permissions }, after: { permissions } });
    await notifyCorporateContacts(change, {
      accountName: account.accountName,
      text: mayVote
        ? contactsTexts.written('canVote', {
            fullName: contact.fullName,
            accountName: account.accountName,
            actor: actor.name,
            email: contact.email,
          })
        : contactsTexts.written('canNoLongerVote', {
            fullName: contact.fullName,
            accountName: account.accountName,
            actor: actor.name,
            email: contact.email,
          }),
      path: '/voting',
      act: 'View elections',
      persons: [contact],
    });
  }
  return listVoters({ read: change, account });
}
