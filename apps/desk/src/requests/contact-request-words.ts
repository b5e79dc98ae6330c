import type { RegistryRequest } from '@portal/contract/contacts/registry-requests';
import { contactWords } from '@portal/app-kit/words/account-words';

type Asked = Pick<RegistryRequest, 'kind' | 'contactTypes'>;
const becomesCorporate = ({ contactTypes }: Asked): boolean => contactTypes.includes('corporate');

/** Returns the contact types before and after the request. */
export function beforeAndAfter({ kind, contactTypes, contact }: RegistryRequest): { before: string; after: string } {
  return {
    before: kind === 'add' ? 'not a contact yet' : contactWords(contact.contactTypes),
    after: kind === 'remove' ? 'no contact' : contactWords(contactTypes),
  };
}

/** Returns the effect of approving, in one or two sentences. */
export function effectWords(request: RegistryRequest): string {
  const { contact, accountName } = request;
  if (request.kind === 'add') return `${contact.name} is invited by e-mail and has every permission in ${accountName} after accepting.`;
  if (request.kind === 'remove') return `${contact.name} loses access to ${accountName} immediately.`;
  return becomesCorporate(request)
    ? `${contact.name} acts for ${accountName} from now on and has every permission.`
    : `${contact.name} keeps the permissions of a ${contactWords(request.contactTypes)} and no longer acts for ${accountName}.`;
}

/** Names the effect on the button: `Approve Ada Lo as corporate contact`. */
export function approveWords({ kind, contact, contactTypes }: RegistryRequest): string {
  if (kind === 'remove') return `Approve the removal of ${contact.name}`;
  return `Approve ${contact.name} as ${contactWords(contactTypes).toLowerCase()}`;
}

/** Why it cannot be approved as things are; null when it can. The registry checks again. */
export function whyNotApprove(request: RegistryRequest): string | null {
  if (request.accountStatus === 'closed' && request.kind !== 'remove') return `${request.accountName} is closed`;
  const leaves = request.contact.contactTypes.includes('corporate') && (request.kind === 'remove' || !becomesCorporate(request));
  if (leaves && request.otherCorporateContacts === 0)
    return `${request.contact.name} is the only corporate contact with a login. Add another one first.`;
  return null;
}
