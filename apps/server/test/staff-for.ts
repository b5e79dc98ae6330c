import { type StaffPermission } from '@portal/contract';
import { readyMadeRoles } from '@portal/contract/staff-roles';
import { demoPeople } from '../src/demo/index.ts';

/** The permissions of each of the demo's staff. */
const held = demoPeople.flatMap(({ username, roles }) =>
  roles
    ? [
        {
          username,
          permissions: roles.flatMap((role): readonly StaffPermission[] =>
            role === 'Fees' ? ['policy'] : readyMadeRoles[role].permissions,
          ),
        },
      ]
    : [],
);

/** Names of the demo's staff who between them may make every call of the desk. */
export const staffPeople = ['stella', 'dora', 'ola'] as const;

/** One of the demo's staff who holds one of these permissions: stella where she does. */
export function staffFor(permissions: readonly StaffPermission[]): string {
  const able = staffPeople.find(name =>
    held.some(each => each.username === name && each.permissions.some(key => permissions.includes(key))),
  );
  if (!able) throw new Error(`none of the demo's staff holds ${permissions.join(' or ')}`);
  return able;
}
