import type { ErrorRows } from '../request-errors.ts';

/** Those that the pages of contacts say on their own too. Apart, because every page would carry the whole table. */
export const shownContactErrors = {
  OWN_PERMISSIONS: { status: 403, message: 'Another contact has to change your own contact types and permissions' },
  REGISTRY_DECIDES: { status: 409, message: 'An earlier request is awaiting the registry about {who}' },
} as const satisfies ErrorRows;

/** Refusals of `contacts`. */
export const contactErrors = {
  ...shownContactErrors,
  ALREADY_ASKED: { status: 409, message: 'You asked for this on {when}. You can ask again after 24 hours' },
  PERMISSION_NOT_GRANTABLE: { status: 403, message: 'The permission {permission} can’t be granted here: {reason}' },
  OWN_REQUEST: { status: 403, message: 'Another contact has to resolve your own request' },
  EMAIL_MISMATCH: {
    status: 403,
    message: 'This invitation makes a corporate contact. Accept it with a login that has the verified address {email}',
  },
  EMAIL_NOT_CONFIRMED: { status: 409, message: 'The invitation was sent to {email}, your login has {own}. Confirm that both are yours' },
  LAST_CORPORATE_CONTACT: { status: 409, message: 'At least one corporate contact is required' },
  LAST_PAYER: {
    status: 409,
    message: 'No one else can pay for {account} or ask for its reopening. Write to the registry to name another person first',
  },
  ALREADY_CONTACT: { status: 409, message: '{who} is already a contact of {account}' },
  INVITATION_NOT_FOUND: { status: 404, message: 'Invitation not found. Open your latest one' },
  INVITATION_EXPIRED: { status: 410, message: 'This invitation has expired. Ask the sender to resend it' },
  INVITATION_USED: { status: 410, message: 'This invitation was already answered' },
  INVITATION_REVOKED: { status: 410, message: 'This invitation was withdrawn' },
} as const satisfies ErrorRows;
