import type { ErrorRows } from '../request-errors.ts';

/** Refusals of `roles`. */
export const rolesErrors = {
  OWN_ROLE: { status: 403, message: 'You can’t change your own roles. Ask {who}' },
  LAST_ADMINISTRATOR: {
    status: 409,
    message: '{who} is the last person who can administer staff. Give another person a role with “Administer staff” first',
  },
  ROLE_CONFLICT: {
    status: 409,
    message:
      'Policy keeps {conflict} in different hands, and {who} would hold both. Withdraw the other role first, or give this one to another person',
  },
  ROLE_CONFLICT_UNTIL: {
    status: 409,
    message:
      'Policy keeps {conflict} in different hands, and {who} held the other side until lately. Give this role from {until}, or to another person',
  },
  ROLE_HELD: { status: 409, message: '{who} holds {role} already. Withdraw it first to give it for another time' },
  ROLE_NAME_TAKEN: { status: 409, message: 'There is a role {name} already. Choose another name' },
  ROLE_IN_USE: { status: 409, message: '{name} is held by {who}. Withdraw it from them first' },
  GIVER_TOO_NEW: { status: 403, message: '{who} stands behind your right to give roles. You can give {who} one from {from}' },
  NOT_STAFF: { status: 409, message: '{who} is not registry staff. Invite them first' },
  LEFT_STAFF: {
    status: 409,
    message:
      '{who} left registry staff, and the login is disabled. The operator enables it with “registry login enable {username}”; then give roles on the row of {who}',
  },
  ALREADY_STAFF: { status: 409, message: '{who} is registry staff already. Give them another role on their row' },
  INVITER_LEFT: { status: 409, message: '{who} no longer administers staff. Ask for a new invitation' },
  CASES_LEFT: { status: 409, message: '{who} still has open cases: {cases}. Name the colleague who takes them over' },
} as const satisfies ErrorRows;
