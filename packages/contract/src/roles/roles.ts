import * as z from 'zod/mini';
import { Email } from '../email.ts';
import { anyRole, endpoint, group, staff } from '../endpoint.ts';
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
  /** Who gave it; null for the command line. */
  givenBy: z.nullable(z.string()),
  givenAt: z.iso.datetime(),
  reason: z.string(),
  /** When a colleague last kept it in an access review; null: never. */
  reviewedAt: z.nullable(z.iso.datetime()),
  reviewedBy: z.nullable(z.string()),
  /** A colleague has to keep, change or end it in the review of this quarter. */
  isDue: z.boolean(),
});
export type HeldRole = z.infer<typeof HeldRole>;

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
});
export type StaffMember = z.infer<typeof StaffMember>;

const Staff = z.object({
  members: z.array(StaffMember),
  roles: z.array(StaffRole),
  /** Pairs of permissions that policy keeps in different hands. */
  conflicts: z.array(z.object({ one: z.enum(staffPermissionKeys), other: z.enum(staffPermissionKeys) })),
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
const given = ['OWN_ROLE', 'ROLE_CONFLICT', 'ROLE_CONFLICT_UNTIL', 'ROLE_HELD'] as const;
const ended = ['NOT_FOUND', 'OWN_ROLE', 'LAST_ADMINISTRATOR'] as const;

export const roles = group('roles', {
  getOwnRoles: endpoint({
    method: 'GET',
    path: '/api/staff/own-roles',
    summary: 'The roles of the caller, what they may do, and who gives roles.',
    access: anyRole,
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
      'Invite a person to registry staff with a role. They choose a password by a link in an e-mail, and a second factor at their first sign-in.',
    access: staff('staff'),
    effect: 'access',
    body: z.object({
      fullName: z
        .string()
        .check(z.trim(), z.minLength(1, { error: 'Enter a name' }), z.maxLength(120, { error: 'At most 120 characters' })),
      email: Email,
      role: roleKey,
      reason,
      ...period,
    }),
    answer: Staff,
    errors: ['ALREADY_STAFF', 'NOT_FOUND', 'INVALID_REQUEST', ...given],
    activity: 'Invited registry staff',
  }),
  giveRole: endpoint({
    method: 'POST',
    path: '/api/staff/members/:loginId/roles',
    summary: 'Give a role to a person of registry staff, from now or a later day, until it is withdrawn or a day.',
    access: staff('staff'),
    effect: 'access',
    body: z.object({ role: roleKey, reason, ...period }),
    answer: Staff,
    errors: ['NOT_FOUND', 'NOT_STAFF', 'INVALID_REQUEST', ...given],
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
      name: z
        .string()
        .check(z.trim(), z.minLength(1, { error: 'Enter a name, such as Fees' }), z.maxLength(60, { error: 'At most 60 characters' })),
      permissions: permissions.check(z.minLength(1, { error: 'Choose at least one permission' }), z.maxLength(staffPermissionKeys.length)),
    }),
    answer: Staff,
    errors: ['ROLE_NAME_TAKEN', 'ROLE_CONFLICT'],
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
