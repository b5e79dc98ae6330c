import { roles } from '@portal/contract/roles/roles';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { giveRole, keepRoles, withdrawRole } from './giving.ts';
import { endStaff, endStaffSessions, inviteStaff } from './members.ts';
import { addRole, endRole } from './own-roles.ts';
import { getOwnRoles, listStaff } from './staff-list.ts';

export const rolesRoutes: readonly Implementation[] = [
  implement(roles, {
    getOwnRoles,
    listStaff,
    inviteStaff,
    giveRole,
    withdrawRole,
    keepRoles,
    addRole,
    endRole,
    endStaffSessions,
    endStaff,
  }),
];
