import type { AccessRequest, AccessRequestKind } from '@portal/contract/contacts/access-requests';
import { contactOf, countWords, listWords, permissionWords } from '../contacts/contact-words.ts';

export const kindWords: Record<AccessRequestKind, string> = {
  link: 'Link a login',
  'add-contact': 'Add a contact',
  'remove-contact': 'Remove a contact',
  'change-role': 'Change contact types',
  permission: 'Permissions',
};

/** Returns a request as one sentence without the full stop: "Tess Lindqvist asks to remove Bill Okonkwo". */
export function requestWords({ kind, requester, subject, person, contactTypes, permissions }: AccessRequest, account: string): string {
  const who = requester.name;
  const whom = person?.fullName ?? subject?.name ?? '';
  switch (kind) {
    case 'link':
      return `${who} asks to become a contact of ${account}`;
    case 'add-contact':
      return `${who} asks to add ${whom} as ${contactOf(contactTypes)}`;
    case 'remove-contact':
      return `${who} asks to remove ${whom}`;
    case 'change-role':
      return `${who} asks to make ${whom === who ? 'themselves' : whom} ${contactOf(contactTypes)}`;
    case 'permission':
      return permissions.length > 2
        ? `${who} asks for ${countWords(permissions.length, 'permission', 'permissions')}`
        : `${who} asks for “${permissions.length === 1 ? permissionWords(permissions) : permissionWords(permissions).replace(' and ', '” and “')}”`;
  }
}

/** Returns how a request ended, in a word or two; null while it is open. */
export function outcomeWords({ status, outcome }: Pick<AccessRequest, 'status' | 'outcome'>): string | null {
  if (status === 'pending') return null;
  if (status === 'approved') return 'approved';
  if (status === 'rejected') return 'rejected';
  return { expired: 'expired', cancelled: 'cancelled', superseded: 'asked again later' }[outcome ?? 'cancelled'];
}

/** Returns what was granted if it is less than requested; null otherwise. */
export function narrowedWords({
  status,
  contactTypes,
  permissions,
  grantedContactTypes,
  grantedPermissions,
}: AccessRequest): string | null {
  if (status !== 'approved') return null;
  const typesLeft = contactTypes.filter(type => grantedContactTypes && !grantedContactTypes.includes(type));
  const permissionsLeft = permissions.filter(key => grantedPermissions && !grantedPermissions.includes(key));
  if (typesLeft.length + permissionsLeft.length === 0) return null;
  return `without ${listWords([...typesLeft, ...(permissionsLeft.length > 0 ? [permissionWords(permissionsLeft)] : [])])}`;
}
