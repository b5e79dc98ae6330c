import type { StaffPermission } from '@portal/contract';

/** Permissions of which at least one act takes a second person. A test compares them with what the calls declare. */
export const secondPersonPermissions: readonly StaffPermission[] = [
  'memberships',
  'support',
  'resources',
  'transfers',
  'billing',
  'payments',
  'write-offs',
  'election-officer',
  'returning-officer',
  'policy',
  'staff',
];

/** Permissions whose use on private data is written into the member’s log. */
export const loggedPermissions: readonly StaffPermission[] = ['private-data'];
