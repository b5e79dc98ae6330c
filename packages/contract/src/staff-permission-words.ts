import type { StaffPermission } from './staff-permissions.ts';

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
