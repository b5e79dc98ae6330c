import type { StaffPermission } from './staff-permissions.ts';

/** A role: what its holders may do. */
export type RoleValue = { name: string; permissions: readonly StaffPermission[] };
const role = (name: string, ...permissions: StaffPermission[]): RoleValue => ({ name, permissions });

/** The roles that every registry has. Others are the registry's own. None of them holds permissions that the usual policy keeps apart. */
export const readyMadeRoles = {
  hostmaster: role('Hostmaster', 'accounts', 'private-data', 'memberships', 'support', 'resources', 'transfers', 'ledger', 'dns'),
  finance: role('Finance', 'accounts', 'support', 'billing', 'payments'),
  support: role('Support', 'accounts', 'support', 'announcements'),
  elections: role('Elections officer', 'election-officer', 'announcements'),
  'returning-officer': role('Returning officer', 'returning-officer', 'election-observer'),
  scrutineer: role('Scrutineer', 'election-observer'),
  routing: role('Routing', 'accounts', 'support', 'rpki', 'dns'),
  auditor: role('Auditor', 'audit'),
  administrator: role('Administrator', 'accounts', 'staff'),
  director: role('Director', 'accounts', 'write-offs', 'policy'),
} as const satisfies Record<string, RoleValue>;
export type ReadyMadeRole = keyof typeof readyMadeRoles;
export const readyMadeRoleKeys = Object.keys(readyMadeRoles) as [ReadyMadeRole, ...ReadyMadeRole[]];

/** Two permissions that policy keeps in different hands. */
export type Conflict = { one: StaffPermission; other: StaffPermission };

/** The pairs that policy keeps apart unless the registry profile says otherwise: who records payments writes nothing off, who sets up an election doesn't count it. */
export const usualConflicts: readonly Conflict[] = [
  { one: 'payments', other: 'write-offs' },
  { one: 'election-officer', other: 'returning-officer' },
];

/** Returns the conflicts that lie in these permissions together. */
export const conflictsIn = (held: Iterable<string>, conflicts: readonly Conflict[]): Conflict[] => {
  const set = new Set(held);
  return conflicts.filter(({ one, other }) => set.has(one) && set.has(other));
};
