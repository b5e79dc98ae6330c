import { type RefusedBy, refusedBy, type Session } from '@portal/app-kit';
import { shownErrors } from '@portal/contract';
import { accessRequests } from '@portal/contract/contacts/access-requests';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { shownContactErrors } from '@portal/contract/contacts/errors';
import { isCorporate } from './contact-form.ts';

/**
 * How a person changes contacts: directly, by asking those who may, or not at all, with the reason. `off`: managing contacts is switched off for
 * the account.
 */
export type EditMode = { by: 'doing' } | { by: 'asking' } | { by: 'off' } | { by: 'none'; refusal: RefusedBy };

type Acts = 'inviteContact' | 'updateContact' | 'removeContact';

/** Returns how the person of this session can invite, change or remove contacts. */
export function editModeOf(act: Acts, session: Session | null): EditMode {
  if (session?.account && !session.account.features.includes('contactmanagement')) return { by: 'off' };
  const refusal = refusedBy(contacts[act], session);
  if (!refusal) return { by: 'doing' };
  return refusal.rule === 'permission' && !refusedBy(accessRequests.requestContactChange, session)
    ? { by: 'asking' }
    : { by: 'none', refusal };
}

type Holder = { contactTypes: Contact['contactTypes'] } | null | undefined;
type Subject = Pick<Contact, 'contactTypes' | 'isMe' | 'registryRequest' | 'fullName' | 'status'>;

const registryDecides = ({ fullName }: Subject): string => shownContactErrors.REGISTRY_DECIDES.message.replace('{who}', fullName);
const isOthers = (contact: Subject, account: Holder): boolean => isCorporate(contact) && !(account && isCorporate(account));

/** Why contact types and permissions of this contact can't be changed by someone who may change others'; null if they can. */
export function whyRoleLocked(contact: Subject, account: Holder): string | null {
  if (contact.isMe) return shownContactErrors.OWN_PERMISSIONS.message;
  if (contact.registryRequest) return registryDecides(contact);
  return whyDetailsLocked(contact, account);
}

/** Why the details of this contact can't be changed by someone who may change others'; null if they can. */
export const whyDetailsLocked = (contact: Subject, account: Holder): string | null =>
  isOthers(contact, account) ? shownErrors.CORPORATE_ONLY.message : null;

/** Returns why this contact can't be removed by a person who may remove others; null if it can. A registry request for a future contact is withdrawn. */
export function whyNotRemovable(contact: Subject, account: Holder): string | null {
  if (contact.registryRequest && contact.status === 'active' && isCorporate(contact)) return registryDecides(contact);
  return whyDetailsLocked(contact, account);
}
