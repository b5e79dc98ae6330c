/**
 * Every permission of registry staff. Being staff opens nothing: each endpoint and page of the desk names the permission that it needs. `audit` reads everything that another
 * permission reads, and changes nothing. Their words are in `staff-permission-words.ts`, which the first screen doesn’t need.
 */
export const staffPermissionKeys = [
  'accounts',
  'private-data',
  'memberships',
  'support',
  'resources',
  'transfers',
  'ledger',
  'rpki',
  'dns',
  'billing',
  'payments',
  'write-offs',
  'election-officer',
  'returning-officer',
  'election-observer',
  'announcements',
  'policy',
  'staff',
  'audit',
] as const;
export type StaffPermission = (typeof staffPermissionKeys)[number];

/** Returns whether these permissions hold one of the needed ones. A read is open to auditors as well. */
export const holdsOneOf = (held: ReadonlySet<string>, needed: readonly StaffPermission[], isRead: boolean): boolean =>
  needed.some(permission => held.has(permission)) || (isRead && held.has('audit'));

/** Who sees the queue of cases: each sees the kinds that they decide. */
export const casePermissions = ['resources', 'transfers', 'memberships'] as const satisfies readonly StaffPermission[];
/** Who can take cases over: requests, memberships and tickets. */
export const caseHandlers = [...casePermissions, 'support'] as const satisfies readonly StaffPermission[];
/** Who sees the books of an account. */
export const bookPermissions = ['billing', 'payments', 'write-offs', 'memberships'] as const satisfies readonly StaffPermission[];
/** Who sees elections before and behind their ballots. */
export const electionPermissions = [
  'election-officer',
  'returning-officer',
  'election-observer',
] as const satisfies readonly StaffPermission[];
/** Who searches over all members: each finds what they may open. */
export const searchPermissions: readonly StaffPermission[] = [
  ...new Set<StaffPermission>(['accounts', 'support', ...casePermissions, ...bookPermissions, ...electionPermissions]),
];
/** Who looks after what the registry publishes and works off. */
export const operationPermissions = ['rpki', 'dns', 'ledger'] as const satisfies readonly StaffPermission[];
/** Who sees events: those who hold them, and those who read who comes. */
export const eventPermissions = ['announcements', 'private-data'] as const satisfies readonly StaffPermission[];
/** Who sees work that was set aside: each sees the kinds that they look after (`workPermissions`, of which this is the sum). */
export const setAsidePermissions = [
  'memberships',
  'private-data',
  'support',
  'resources',
  'transfers',
  'ledger',
  'rpki',
  'dns',
  'billing',
  'election-officer',
  'announcements',
  'policy',
  'staff',
] as const satisfies readonly StaffPermission[];
/** Who decides what waits for a second person: the permissions of all such acts, each deciding those of their own. */
export const proposalPermissions = [
  'memberships',
  'support',
  'resources',
  'transfers',
  'billing',
  'payments',
  'write-offs',
  ...electionPermissions,
  'policy',
  'staff',
] as const satisfies readonly StaffPermission[];
