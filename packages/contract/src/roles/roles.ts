import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { endpoint, group, ownRights, signedIn, staff } from '../endpoint.ts';
import { oneLine } from '../one-line.ts';
import { staffPermissionKeys } from '../staff-permissions.ts';
import { readyMadeRoleKeys } from '../staff-roles.ts';

const permissions = z.array(z.enum(staffPermissionKeys));
/** A ready-made role by its key, or one of the registry’s own by its number. */
const roleKey = z.string().check(
  z.refine(key => (readyMadeRoleKeys as readonly string[]).includes(key) || /^[1-9]\d{0,17}$/.test(key), {
    error: 'Choose a role, such as hostmaster',
  }),
);

/** A role with the permissions of its holders. */
export const StaffRole = z.object({
  key: z.string(),
  name: z.string(),
  /** It is the same at every registry, and can't be changed. */
  readyMade: z.boolean(),
  permissions,
});
export type StaffRole = z.infer<typeof StaffRole>;

/** A role in one pair of hands. */
export const HeldRole = z.object({
  assignmentId: z.string(),
  role: z.string(),
  name: z.string(),
  startsAt: z.iso.datetime(),
  /** Null: until it is withdrawn. */
  until: z.nullable(z.iso.datetime()),
  /** Who gave it; null for the command line, and for a group of another provider. */
  givenBy: z.nullable(z.string()),
  /** The group of another provider that gave it, and takes it away again; null for all others. */
  group: z.nullable(z.string()),
  givenAt: z.iso.datetime(),
  reason: z.string(),
  /** When a colleague last kept it in an access review; null: never. */
  reviewedAt: z.nullable(z.iso.datetime()),
  reviewedBy: z.nullable(z.string()),
  /** A colleague has to keep, change or end it in the review of this quarter. */
  isDue: z.boolean(),
  /** From when it makes its holder a second person also for who gave it; null where it does already. */
  secondFrom: z.nullable(z.iso.datetime()),
});
export type HeldRole = z.infer<typeof HeldRole>;

/** A group of another provider with the role that it gives. */
const GroupRole = z.object({ group: z.string(), role: z.string() });
export type GroupRole = z.infer<typeof GroupRole>;
/** A role that a group doesn't give a person, or may not take away, and why. */
const GroupRefusal = z.object({ group: z.string(), role: z.string(), why: z.string() });
export type GroupRefusal = z.infer<typeof GroupRefusal>;

/** One of the registry's own people. */
export const StaffMember = z.object({
  loginId: z.string(),
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  isMe: z.boolean(),
  disabled: z.boolean(),
  frozen: z.boolean(),
  /** Invited, and no password chosen yet. */
  isInvited: z.boolean(),
  passkeys: z.int(),
  authenticators: z.int(),
  lastUsedAt: z.nullable(z.iso.datetime()),
  sessions: z.int(),
  /** How many sessions they began on each of the last 20 days, the latest last. */
  signIns: z.array(z.int()),
  openCases: z.int(),
  roles: z.array(HeldRole),
  groupRefusals: z.array(GroupRefusal),
});
export type StaffMember = z.infer<typeof StaffMember>;

/** An invitation to the address of a login, or at another provider to an address without one, that waits for its person. */
const StaffInvitation = z.object({
  invitationId: z.string(),
  fullName: z.string(),
  email: z.string(),
  role: z.string(),
  invitedBy: z.string(),
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type StaffInvitation = z.infer<typeof StaffInvitation>;

const Staff = z.object({
  members: z.array(StaffMember),
  invitations: z.array(StaffInvitation),
  roles: z.array(StaffRole),
  /** Pairs of permissions that policy keeps in different hands. */
  conflicts: z.array(z.object({ one: z.enum(staffPermissionKeys), other: z.enum(staffPermissionKeys) })),
  /** Groups of another provider that give roles, as the operator set them. */
  groups: z.array(GroupRole),
  /** Days in which a role makes its holder no second person for who gave it, and for others to which that person gave one lately. */
  secondPersonDays: z.int(),
  review: z.object({ quarter: z.string(), until: z.iso.date(), due: z.int() }),
});
export type Staff = z.infer<typeof Staff>;

const reason = z
  .string()
  .check(
    z.trim(),
    z.minLength(3, { error: 'Say why, such as Joins the finance team' }),
    z.maxLength(500, { error: 'At most 500 characters' }),
  );
const period = {
  /** Now unless given. */
  startsAt: z.optional(z.nullable(z.iso.datetime({ offset: true, error: 'Enter a day, such as 31 Jan 2027' }))),
  /** Until it is withdrawn unless given. */
  until: z.optional(z.nullable(z.iso.datetime({ offset: true, error: 'Enter a day, such as 31 Jan 2027' }))),
};
const given = ['OWN_ROLE', 'GIVER_TOO_NEW', 'ROLE_CONFLICT', 'ROLE_CONFLICT_UNTIL', 'ROLE_HELD'] as const;
const answers = ['INVITATION_NOT_FOUND', 'INVITATION_EXPIRED', 'INVITATION_USED', 'TOO_MANY_REQUESTS'] as const;
const ended = ['NOT_FOUND', 'OWN_ROLE', 'LAST_ADMINISTRATOR'] as const;

export const roles = group('roles', {
  getOwnRoles: endpoint({
    method: 'GET',
    path: '/api/staff/own-roles',
    summary: 'The roles of the caller, what they may do, and who gives roles.',
    access: ownRights,
    answer: z.object({ roles: z.array(HeldRole), permissions, givers: z.array(z.string()) }),
  }),
  listStaff: endpoint({
    method: 'GET',
    path: '/api/staff/members',
    summary:
      'Registry staff with their roles, second factors, sessions and last use; all roles; what the access review of the quarter still asks.',
    access: staff('staff'),
    answer: Staff,
  }),
  inviteStaff: endpoint({
    method: 'POST',
    path: '/api/staff/members',
    summary:
      'Invite a person to registry staff with a role. They choose a password by a link in an e-mail, and a second factor at their first sign-in. A person who has a login accepts the invitation with it.',
    access: staff('staff'),
    effect: 'access',
    body: z.object({
      fullName: oneLine(120, 1, 'Enter a name'),
      email: Email,
      role: roleKey,
      reason,
      ...period,
    }),
    answer: Staff,
    errors: ['ALREADY_STAFF', 'LEFT_STAFF', 'NOT_FOUND', 'INVALID_REQUEST', ...given],
    activity: 'Invited registry staff',
  }),
  revokeStaffInvitation: endpoint({
    method: 'DELETE',
    path: '/api/staff/invitations/:invitationId',
    summary: 'Withdraw an invitation to registry staff that was not accepted yet.',
    access: staff('staff'),
    effect: 'access',
    answer: Staff,
    errors: ['NOT_FOUND'],
    activity: 'Withdrew an invitation to registry staff',
  }),
  getStaffInvitation: endpoint({
    method: 'GET',
    path: '/api/staff-invitations/:acceptanceToken',
    summary: 'What an invitation to registry staff offers, and whether it can be accepted with this login.',
    access: signedIn,
    answer: z.object({
      /** Only an `open` one can be accepted; `other-login` is for a login with another address. */
      state: z.enum(['open', 'expired', 'used', 'other-login']),
      role: z.string(),
      permissions,
      invitedBy: z.string(),
      reason: z.string(),
      startsAt: z.nullable(z.iso.datetime()),
      until: z.nullable(z.iso.datetime()),
      sentAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      /** The address it was sent to, and that of the caller’s login. */
      email: z.string(),
      ownEmail: z.string(),
    }),
    errors: ['INVITATION_NOT_FOUND', 'TOO_MANY_REQUESTS'],
    guessable: true,
  }),
  acceptStaffInvitation: endpoint({
    method: 'POST',
    path: '/api/staff-invitations/:acceptanceToken/accept',
    summary: 'Become registry staff with the role of the invitation.',
    access: signedIn,
    effect: 'joining',
    answer: z.object({ role: z.string() }),
    errors: [...answers, 'EMAIL_MISMATCH', 'ALREADY_STAFF', 'NOT_FOUND', 'INVALID_REQUEST', 'INVITER_LEFT', ...given],
    guessable: true,
    activity: 'Accepted an invitation to registry staff',
  }),
  giveRole: endpoint({
    method: 'POST',
    path: '/api/staff/members/:loginId/roles',
    summary: 'Give a role to a person of registry staff, from now or a later day, until it is withdrawn or a day.',
    access: staff('staff'),
    effect: 'access',
    body: z.object({ role: roleKey, reason, ...period }),
    answer: Staff,
    errors: ['NOT_FOUND', 'NOT_STAFF', 'LEFT_STAFF', 'INVALID_REQUEST', ...given],
    activity: 'Gave a staff role',
  }),
  withdrawRole: endpoint({
    method: 'POST',
    path: '/api/staff/held-roles/:assignmentId/withdraw',
    summary: 'Withdraw a role from a person of registry staff.',
    access: staff('staff'),
    effect: 'access',
    body: z.object({ reason }),
    answer: Staff,
    errors: [...ended],
    activity: 'Withdrew a staff role',
  }),
  keepRoles: endpoint({
    method: 'POST',
    path: '/api/staff/members/:loginId/roles/keep',
    summary: 'Keep the roles of a person in the access review of the quarter.',
    access: staff('staff'),
    effect: 'access',
    answer: Staff,
    errors: ['NOT_FOUND', 'NOT_STAFF', 'OWN_ROLE'],
    activity: 'Kept staff roles in the access review',
  }),
  addRole: endpoint({
    method: 'POST',
    path: '/api/staff/roles',
    summary: 'Add a role of the registry’s own.',
    access: staff('staff'),
    effect: 'access',
    body: z.object({
      name: oneLine(60, 1, 'Enter a name, such as Fees'),
      permissions: permissions.check(z.minLength(1, { error: 'Choose at least one permission' }), z.maxLength(staffPermissionKeys.length)),
    }),
    answer: Staff,
    errors: ['ROLE_NAME_TAKEN', 'ROLE_CONFLICT', 'INVALID_REQUEST'],
    activity: 'Added a staff role',
  }),
  endRole: endpoint({
    method: 'DELETE',
    path: '/api/staff/roles/:roleId',
    summary: 'Delete a role of the registry’s own that no one holds.',
    access: staff('staff'),
    effect: 'access',
    answer: Staff,
    errors: ['NOT_FOUND', 'ROLE_IN_USE'],
    activity: 'Deleted a staff role',
  }),
  endStaffSessions: endpoint({
    method: 'POST',
    path: '/api/staff/members/:loginId/sessions/end',
    summary: 'End all sessions of a person of registry staff; they sign in again.',
    access: staff('staff'),
    effect: 'access',
    answer: Staff,
    errors: ['NOT_FOUND'],
    activity: 'Ended the sessions of registry staff',
  }),
  endStaff: endpoint({
    method: 'POST',
    path: '/api/staff/members/:loginId/end',
    summary:
      'End the access of a person who leaves: roles are withdrawn, sessions ended, the login disabled, and open cases handed to a colleague.',
    access: staff('staff'),
    effect: 'access',
    body: z.object({
      reason,
      /** Login of a colleague who decides cases and takes over the open ones; needed if there are some. */
      casesTo: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
    }),
    answer: Staff,
    errors: [...ended, 'CASES_LEFT', 'NOT_STAFF', 'INVALID_REQUEST'],
    activity: 'Ended the access of registry staff',
  }),
});
