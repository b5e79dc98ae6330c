import type { StaffPermission } from './staff-permissions.ts';
import type { Conflict } from './staff-roles.ts';

/** The permissions of registry staff as screens and sentences name them. */
export const staffPermissionWords: Readonly<Record<StaffPermission, string>> = {
  accounts: 'Read accounts',
  'private-data': 'Read private data',
  memberships: 'Decide memberships',
  support: 'Answer tickets',
  resources: 'Decide resources',
  transfers: 'Decide transfers',
  ledger: 'Manage pools and ledger',
  rpki: 'RPKI operations',
  dns: 'DNS operations',
  billing: 'Issue and credit invoices',
  payments: 'Record payments',
  'write-offs': 'Write off and refund',
  'election-officer': 'Set up elections',
  'returning-officer': 'Count and repeat elections',
  'election-observer': 'Observe elections',
  announcements: 'Announcements and events',
  policy: 'Policy and fees',
  staff: 'Administer staff',
  audit: 'Audit: read everything',
};

/** The group in which screens list each permission. */
export const staffPermissionGroup = {
  accounts: 'accounts',
  'private-data': 'accounts',
  memberships: 'accounts',
  support: 'accounts',
  resources: 'resources',
  transfers: 'resources',
  ledger: 'resources',
  rpki: 'resources',
  dns: 'resources',
  billing: 'money',
  payments: 'money',
  'write-offs': 'money',
  'election-officer': 'elections',
  'returning-officer': 'elections',
  'election-observer': 'elections',
  announcements: 'running the registry',
  policy: 'running the registry',
  staff: 'running the registry',
  audit: 'running the registry',
} as const satisfies Record<StaffPermission, string>;
/** The groups in their order. */
export const staffPermissionGroups = [...new Set(Object.values(staffPermissionGroup))];

/** Returns a conflict as a clause: `Record payments and Write off and refund`, each in quotes. */
export const conflictInWords = ({ one, other }: Conflict): string => `“${staffPermissionWords[one]}” and “${staffPermissionWords[other]}”`;
