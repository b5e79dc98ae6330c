import { type AnswerOf, type ContactType, defaultPermissions, type Permission, permissionDiff, permissionKeys } from '@portal/contract';
import type { Contact, contacts, NewContact } from '@portal/contract/contacts/contacts';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import { Accepted } from '../../platform/http/accepted.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { LinkMaking } from '../../platform/registry.ts';
import { lockAccount, changeContact, noteOnContact, contactById as contactRowById } from '../accounts/index.ts';
import { contactById } from './contact-list.ts';
import { notifyCorporateContacts } from './contact-notices.ts';
import { endContact } from './contact-removal.ts';
import { type ContactRow, lockContact, lockContactAt } from './contact-row.ts';
import { checkGrants, inOrder, typesInOrder, writeRole } from './grants.ts';
import { checkHelper } from './helper-rules.ts';
import { endInvitation, sendInvitation } from './invitations.ts';
import { refuseLastPayer } from './people-with-access.ts';
import { fileRegistryRequest } from './registry-requests.ts';
import { contactsTexts } from './mail-texts.ts';

export type Actor = { contactId: string; name: string; email: string };

/** The caller as a contact of the account. Visiting staff aren't contacts, and can't change anything. */
export async function actorOf(change: Change, { contactId }: AdmittedAccount): Promise<Actor> {
  if (contactId === null) throw refuse('NO_PERMISSION');
  const { fullName, email } = (await contactRowById(change, contactId))!;
  return { contactId, name: fullName, email };
}

const isCorporate = (contactTypes: readonly string[]): boolean => contactTypes.includes('corporate');
const sameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every(item => b.includes(item));
const wordsOf = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '));

/** Only a corporate contact can request another one, or the removal of one. */
function requireCorporate(account: AdmittedAccount): void {
  if (!isCorporate(account.contactTypes)) throw refuse('CORPORATE_ONLY');
}

/** A person to invite, after all checks: the common part of a call's body and an approved request. */
type Invited = Pick<NewContact, 'fullName' | 'email' | 'phone' | 'position' | 'contactTypes' | 'permissions' | 'reason'>;

/**
 * Invites a person to become a contact. For a corporate contact the registry is asked first, and the invitation is sent after its approval.
 * @throws Failure CORPORATE_ONLY, NO_PERMISSION, PERMISSION_NOT_GRANTABLE, ALREADY_CONTACT
 */
export async function inviteContact({
  change,
  account,
  body: invited,
  registry,
}: {
  change: Change;
  account: AdmittedAccount;
  body: Invited;
  registry: LinkMaking;
}): Promise<Contact | Accepted<Contact>> {
  const contactTypes = typesInOrder(invited.contactTypes);
  const corporate = isCorporate(contactTypes);
  if (corporate) requireCorporate(account);
  const defaults = defaultPermissions(contactTypes);
  const permissions = invited.permissions === undefined || corporate ? defaults : inOrder(invited.permissions);
  if (!sameSet(permissions, defaults) && !account.permissions.has('users-privileges-update')) throw refuse('NO_PERMISSION');
  if (!corporate) checkGrants(account, permissions, contactTypes);
  const actor = await actorOf(change, account);
  const { fullName, email, phone, position } = invited;
  const { accountName } = account;
  await lockAccount(change, accountName);
  const row = await change
    .insertInto('contact')
    .values({
      accountName,
      fullName,
      email,
      phone,
      position,
      contactTypes,
      permissions: [],
      status: corporate ? 'pending-registry' : 'invited',
      createdAt: change.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('contactId')
    .executeTakeFirst();
  if (!row) throw refuse('ALREADY_CONTACT', { who: email, account: accountName });
  const contact = await lockContact(change, accountName, row.contactId);
  if (corporate) {
    await fileRegistryRequest(change, contact, { kind: 'add', contactTypes, reason: invited.reason, requestedBy: actor });
    return new Accepted(await contactById(change, account, contact.contactId));
  }
  await writeRole(change, contact.contactId, { contactTypes, permissions, decidedBy: actor.contactId });
  await sendInvitation(change, contact, actor, registry);
  await change.note({ contact: fullName, email, before: null, after: { contactTypes, permissions } });
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('invited', { fullName, accountName, actor: actor.name, email, contactTypes: contactTypes.join(' and ') }),
  });
  return contactById(change, account, contact.contactId);
}

/** Requested contact types and permissions, with the reason. */
type Role = { contactTypes: readonly ContactType[]; permissions?: readonly Permission[] | undefined; reason: string };

/**
 * Changes a contact's types or permissions: immediately or, if the contact is or becomes corporate, once the registry has approved. Returns
 * whether it was done.
 * @throws Failure PERMISSION_NOT_GRANTABLE, CORPORATE_ONLY, LAST_CORPORATE_CONTACT, REGISTRY_DECIDES, INVALID_REQUEST
 */
export async function changeRole({
  change,
  account,
  actor,
  contact,
  role,
}: {
  change: Change;
  account: AdmittedAccount;
  actor: Actor;
  contact: ContactRow;
  role: Role;
}): Promise<boolean> {
  const contactTypes = typesInOrder(role.contactTypes);
  const corporate = isCorporate(contactTypes);
  const typesChange = !sameSet(contactTypes, contact.contactTypes);
  const defaults = defaultPermissions(contactTypes);
  const permissions = corporate ? permissionKeys : inOrder(role.permissions ?? (typesChange ? defaults : contact.permissions));
  if (corporate && role.permissions !== undefined && role.permissions.length < permissionKeys.length)
    throw refuseField('permissions', 'A corporate contact has all permissions. Change the contact types first.');
  const { granted, withdrawn } = permissionDiff(contact.permissions, permissions);
  if (!typesChange && granted.length + withdrawn.length === 0) return true;
  if (contact.helperUntil !== null) checkHelper(contactTypes, permissions);
  if (corporate !== isCorporate(contact.contactTypes)) {
    requireCorporate(account);
    if (contact.status === 'pending-registry') throw refuse('REGISTRY_DECIDES', { who: contact.fullName });
    if (!corporate) checkGrants(account, permissions, contactTypes);
    if (!corporate && contact.status === 'invited') return write();
    await fileRegistryRequest(change, contact, { kind: 'change-role', contactTypes, permissions, reason: role.reason, requestedBy: actor });
    return false;
  }
  if (corporate) requireCorporate(account);
  else checkGrants(account, granted, contactTypes);
  return write();

  async function write(): Promise<true> {
    await writeRole(change, contact.contactId, { contactTypes, permissions, decidedBy: actor.contactId });
    await change.note({
      contact: contact.fullName,
      before: { contactTypes: contact.contactTypes, permissions: contact.permissions },
      after: { contactTypes, permissions },
    });
    await notifyCorporateContacts(change, {
      accountName: contact.accountName,
      text: contactsTexts.written('permissionsChanged', {
        fullName: contact.fullName,
        accountName: contact.accountName,
        actor: actor.name,
        email: contact.email,
        outcome: [
          ...(typesChange ? [`Contact types: ${contact.contactTypes.join(', ')} → ${contactTypes.join(', ')}`] : []),
          `Granted: ${wordsOf(granted)}`,
          `Taken away: ${wordsOf(withdrawn)}`,
        ].join('\n'),
      }),
      persons: [contact],
    });
    return true;
  }
}

/**
 * Changes a contact: details, types, permissions, maintainers; fields left out stay.
 * @throws Failure NOT_FOUND, STALE, NO_PERMISSION, OWN_PERMISSIONS and those of `changeRole`
 */
export async function updateContact({
  change,
  account,
  params: { contactId },
  body,
}: Act<typeof contacts.updateContact>): Promise<Contact | Accepted<Contact>> {
  await lockAccount(change, account.accountName);
  const contact = await lockContactAt(change, account, contactId, body.version);
  const actor = await actorOf(change, account);
  const touchesRights = body.contactTypes !== undefined || body.permissions !== undefined || body.maintainers !== undefined;
  const details = detailsOf(contact, body);
  if (touchesRights && !account.permissions.has('users-privileges-update')) throw refuse('NO_PERMISSION');
  if (details !== null && !account.permissions.has('contacts-details-update')) throw refuse('NO_PERMISSION');
  if (touchesRights && contact.contactId === actor.contactId) throw refuse('OWN_PERMISSIONS');
  // Corporate contacts concern the registry: other contacts can't change them.
  if (isCorporate(contact.contactTypes) && contact.contactId !== actor.contactId) requireCorporate(account);
  if (details !== null) await writeDetails(change, contact, details, actor);
  if (body.maintainers !== undefined) await writeMaintainers(change, contact, [...new Set(body.maintainers)].sort(), actor);
  const done =
    body.contactTypes === undefined && body.permissions === undefined
      ? true
      : await changeRole({
          change,
          account,
          actor,
          contact,
          role: {
            contactTypes: body.contactTypes ?? contact.contactTypes,
            permissions: body.permissions,
            reason: body.reason,
          },
        });
  const answer = await contactById(change, account, contact.contactId);
  return done ? answer : new Accepted(answer);
}

type Details = Pick<ContactRow, 'fullName' | 'phone' | 'position'>;

/** The changed details, or null. */
function detailsOf(contact: ContactRow, given: Partial<{ [K in keyof Details]: Details[K] | undefined }>): Details | null {
  const details = {
    fullName: given.fullName ?? contact.fullName,
    phone: given.phone ?? contact.phone,
    position: given.position ?? contact.position,
  };
  const differs = details.fullName !== contact.fullName || details.phone !== contact.phone || details.position !== contact.position;
  return differs ? details : null;
}

async function writeDetails(change: Change, contact: ContactRow, details: Details, actor: Actor): Promise<void> {
  await changeContact(change, contact.contactId, { ...details });
  const { fullName, phone, position } = contact;
  await change.note({ contact: fullName, detailsBefore: { fullName, phone, position }, detailsAfter: details });
  await notifyCorporateContacts(change, {
    accountName: contact.accountName,
    text: contactsTexts.written('detailsChanged', {
      fullName,
      accountName: contact.accountName,
      outcome:
        actor.contactId === contact.contactId
          ? `${fullName} changed their own details`
          : `${actor.name} changed the details of ${fullName} (${contact.email})`,
      fullName2: details.fullName,
      phone: details.phone || 'none',
      position: details.position || 'none',
    }),
    persons: [contact],
  });
}

export async function writeMaintainers(change: Change, contact: ContactRow, maintainers: string[], actor: Actor): Promise<void> {
  if (sameSet(maintainers, contact.maintainers)) return;
  await changeContact(change, contact.contactId, { maintainers });
  await change.note({ contact: contact.fullName, maintainersBefore: contact.maintainers, maintainersAfter: maintainers });
  await notifyCorporateContacts(change, {
    accountName: contact.accountName,
    text: contactsTexts.written('maintainersChanged', {
      fullName: contact.fullName,
      accountName: contact.accountName,
      actor: actor.name,
      email: contact.email,
      maintainers: wordsOf(contact.maintainers),
      maintainers2: wordsOf(maintainers),
    }),
    persons: [contact],
  });
}

/**
 * Removes a contact: immediately or, for a corporate contact, once the registry has approved. Returns whether it was done.
 * @param asksRegistry the registry approves it whatever the contact types
 * @throws Failure LAST_CORPORATE_CONTACT, REGISTRY_DECIDES
 */
export async function dismiss(
  change: Change,
  actor: Actor,
  contact: ContactRow,
  { reason, isClosed = false, asksRegistry = false }: { reason: string; isClosed?: boolean; asksRegistry?: boolean },
): Promise<boolean> {
  const { accountName, fullName, email } = contact;
  if (isClosed && contact.status === 'active') await refuseLastPayer(change, contact, { leaving: 'left out' });
  if (contact.status === 'active' && (asksRegistry || isCorporate(contact.contactTypes))) {
    await fileRegistryRequest(change, contact, { kind: 'remove', contactTypes: contact.contactTypes, reason, requestedBy: actor });
    return false;
  }
  await endContact(change, contact);
  await change.note({
    contact: fullName,
    email,
    before: { contactTypes: contact.contactTypes, permissions: contact.permissions, status: contact.status },
    after: null,
    ...(reason !== '' && { reason }),
  });
  const left = actor.contactId === contact.contactId;
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('noLongerContact', {
      fullName,
      accountName,
      details: left
        ? `${fullName} (${email}) left ${accountName}.`
        : `${actor.name} removed ${fullName} (${email}) from the contacts of ${accountName}.`,
      reasonGiven: reason === '' ? '' : `Reason: ${reason}`,
      isClosedThey: isClosed
        ? `${accountName} is closed. They no longer see its invoices, can’t pay for it or ask for its reopening, and stay out if it’s opened again.`
        : 'Their permissions ended immediately.',
    }),
    persons: [contact],
  });
  return true;
}

type Removal = AnswerOf<typeof contacts.removeContact>;
export const removalOf = (removed: boolean, who: string): Removal | Accepted<Removal> =>
  removed
    ? { removed, words: `${who} is no longer a contact of the account.` }
    : new Accepted({
        removed,
        words: `This was sent to the registry. Until it decides, ${who} keeps access to the account.`,
      });

/**
 * Removes another contact. The registry approves it where a second contact would, had the account not been closed.
 * @throws Failure NOT_FOUND, STALE, CORPORATE_ONLY, LAST_PAYER and those of `dismiss`
 */
export async function removeContact({
  change,
  account,
  params: { contactId },
  body: { version, reason },
  asksRegistry,
}: Act<typeof contacts.removeContact>): Promise<Removal | Accepted<Removal>> {
  // Two corporate contacts may remove each other at the same instant.
  const { accountStatus } = await lockAccount(change, account.accountName);
  const contact = await lockContactAt(change, account, contactId, version);
  if (isCorporate(contact.contactTypes)) requireCorporate(account);
  const actor = await actorOf(change, account);
  // Leaving needs no second person.
  const asks = asksRegistry && contact.contactId !== actor.contactId;
  const removed = await dismiss(change, actor, contact, { reason, isClosed: accountStatus === 'closed', asksRegistry: asks });
  return removalOf(removed, contact.fullName);
}

/** The caller leaves the account. @throws Failure LAST_CORPORATE_CONTACT, LAST_PAYER, REGISTRY_DECIDES */
export async function leaveAccount({
  change,
  account,
  body: { reason },
}: Act<typeof contacts.leaveAccount>): Promise<Removal | Accepted<Removal>> {
  const actor = await actorOf(change, account);
  const { accountStatus } = await lockAccount(change, account.accountName);
  const contact = await lockContact(change, account.accountName, actor.contactId);
  const removed = await dismiss(change, actor, contact, { reason, isClosed: accountStatus === 'closed' });
  return removalOf(removed, actor.name);
}

/** An invited contact whose invitation the caller may send again or withdraw. @throws Failure NOT_FOUND, STALE, CORPORATE_ONLY */
async function lockInvited(change: Change, account: AdmittedAccount, contactId: string, version: number): Promise<ContactRow> {
  const contact = await lockContactAt(change, account, contactId, version);
  if (contact.status !== 'invited') throw refuse('NOT_FOUND', { what: 'The invitation' });
  if (isCorporate(contact.contactTypes)) requireCorporate(account);
  return contact;
}

/** Sends a new invitation in place of the last. @throws Failure NOT_FOUND, STALE, CORPORATE_ONLY, TOO_MANY_REQUESTS */
export async function resendInvitation({
  change,
  account,
  params: { contactId },
  body: { version },
  registry,
}: Act<typeof contacts.resendInvitation>): Promise<Contact> {
  const contact = await lockInvited(change, account, contactId, version);
  await sendInvitation(change, contact, await actorOf(change, account), registry);
  await changeContact(change, contact.contactId, {});
  await change.note({ contact: contact.fullName, email: contact.email });
  return contactById(change, account, contact.contactId);
}

/** Withdraws an invitation; the person is notified, because their link is void. @throws Failure NOT_FOUND, STALE, CORPORATE_ONLY */
export async function revokeInvitation({
  change,
  account,
  params: { contactId },
  body: { version },
}: Act<typeof contacts.revokeInvitation>): Promise<void> {
  const contact = await lockInvited(change, account, contactId, version);
  const actor = await actorOf(change, account);
  await endInvitation(change, contact.contactId, 'revoked');
  await endContact(change, contact);
  const { accountName, fullName, email, contactTypes, permissions } = contact;
  await change.note({ contact: fullName, email, before: { contactTypes, permissions, status: 'invited' }, after: null });
  await notifyCorporateContacts(change, {
    accountName,
    text: contactsTexts.written('invitationWithdrawn', { fullName, accountName, actor: actor.name, email }),
    persons: [contact],
  });
}

/** Changes one's own details; they count as confirmed. @throws Failure STALE */
export async function updateOwnDetails({
  change,
  account,
  body: { version, ...given },
}: Act<typeof contacts.updateOwnDetails>): Promise<Contact> {
  const actor = await actorOf(change, account);
  const contact = await lockContactAt(change, account, actor.contactId, version);
  const details = detailsOf(contact, given);
  if (details !== null) await writeDetails(change, contact, details, actor);
  return confirmOwnDetails({ change, account });
}

/** Records that the person confirmed the details, which is asked once a year. */
export async function confirmOwnDetails({ change, account }: { change: Change; account: AdmittedAccount }): Promise<Contact> {
  const actor = await actorOf(change, account);
  await noteOnContact(change, actor.contactId, { confirmedAt: change.now });
  return contactById(change, account, actor.contactId);
}
