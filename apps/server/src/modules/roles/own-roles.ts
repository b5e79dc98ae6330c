import { conflictInWords } from '@portal/contract/staff-permission-words';
import { conflictsIn, type RoleValue } from '@portal/contract/staff-roles';
import type { roles, Staff } from '@portal/contract/roles/roles';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lookOf } from '../../platform/look-of.ts';
import { isReadable } from '../identity/index.ts';
import { notifyOverseers, permissionLine } from './giving.ts';
import { allRoles, heldRoles, lockRoles } from './held-roles.ts';
import { staffList } from './staff-list.ts';
import { rolesTexts } from './mail-texts.ts';

/** Adds a role of the registry's own, and returns its key. */
export async function addOwnRole(change: Change, { name, permissions }: RoleValue): Promise<string> {
  const { staffRoleId } = await change
    .insertInto('staffRole')
    .values({ name, permissions: [...new Set(permissions)] })
    .returning('staffRoleId')
    .executeTakeFirstOrThrow();
  return String(staffRoleId);
}

/** Adds a role of the registry's own. @throws Failure ROLE_NAME_TAKEN, INVALID_REQUEST, ROLE_CONFLICT if policy keeps two of its permissions apart */
export async function addRole({ change, caller, body: { name, permissions }, registry }: Act<typeof roles.addRole>): Promise<Staff> {
  await lockRoles(change);
  if (!isReadable(name)) throw refuseField('name', 'Enter the name on one line, without invisible characters');
  const alike = (await allRoles(change)).find(each => lookOf(each.name) === lookOf(name));
  if (alike) throw refuse('ROLE_NAME_TAKEN', { name: alike.name });
  const [conflict] = conflictsIn(permissions, registry.profile.staffConflicts);
  if (conflict) throw refuse('ROLE_CONFLICT', { conflict: conflictInWords(conflict), who: 'its holders' });
  await addOwnRole(change, { name, permissions });
  await change.note({ role: name, permissions });
  await notifyOverseers(
    change,
    rolesTexts.written('roleAdded', { role: name, actor: caller.name, roleFacts: permissionLine(permissions) }),
    [caller.loginId],
  );
  return staffList(change, caller, registry);
}

/** Deletes a role of the registry's own. @throws Failure NOT_FOUND, ROLE_IN_USE */
export async function endRole({ change, caller, params: { roleId }, registry }: Act<typeof roles.endRole>): Promise<Staff> {
  await lockRoles(change);
  const role = (await allRoles(change)).find(({ key, readyMade }) => key === roleId && !readyMade);
  if (!role) throw refuse('NOT_FOUND', { what: 'A role of the registry’s own' });
  const held = await heldRoles(change, sql`a.staff_role_id = ${Number(roleId)}`, change.now);
  if (held.length > 0) throw refuse('ROLE_IN_USE', { name: role.name, who: held.map(({ fullName }) => fullName).join(', ') });
  await change.updateTable('staffRole').set({ endedAt: change.now }).where('staffRoleId', '=', Number(roleId)).execute();
  await change.note({ role: role.name });
  await notifyOverseers(
    change,
    rolesTexts.written('roleDeleted', { role: role.name, actor: caller.name, roleFacts: permissionLine(role.permissions) }),
    [caller.loginId],
  );
  return staffList(change, caller, registry);
}
