import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `contacts`. */
export const contactErrors = {
  ALREADY_ASKED: { status: 409, message: 'You asked for this on {when}. You can ask again after 24 hours' },
  PERMISSION_NOT_GRANTABLE: { status: 403, message: 'The permission {permission} cannot be granted here: {reason}' },
  OWN_PERMISSIONS: { status: 403, message: 'Contact types and permissions of your own are changed by somebody else' },
  OWN_REQUEST: { status: 403, message: 'A request of your own is resolved by somebody else' },
  EMAIL_MISMATCH: {
    status: 403,
    message: 'This invitation makes a corporate contact. Accept it with a login that has the verified address {email}',
  },
  EMAIL_NOT_CONFIRMED: { status: 409, message: 'The invitation was sent to {email}, your login has {own}. Confirm that both are yours' },
  LAST_CORPORATE_CONTACT: { status: 409, message: 'At least one corporate contact is required' },
  REGISTRY_DECIDES: { status: 409, message: 'The registry has yet to decide an earlier request about {who}' },
  ALREADY_CONTACT: { status: 409, message: '{who} is a contact of {account} already' },
  INVITATION_NOT_FOUND: { status: 404, message: 'There is no such invitation. Open the newest one you were sent' },
  INVITATION_EXPIRED: { status: 410, message: 'This invitation has expired. Whoever sent it can send it again' },
  INVITATION_USED: { status: 410, message: 'This invitation was answered already' },
  INVITATION_REVOKED: { status: 410, message: 'This invitation was withdrawn' },
} as const satisfies ErrorRows;
