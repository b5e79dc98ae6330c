import { roles } from '@portal/contract/roles/roles';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { giveRole, keepRoles, withdrawRole } from './giving.ts';
import { acceptStaffInvitation, getStaffInvitation, revokeStaffInvitation } from './invitations.ts';
import { endStaff, endStaffSessions, inviteStaff } from './members.ts';
import { addRole, endRole } from './own-roles.ts';
import { getOwnRoles, listStaff } from './staff-list.ts';

export const rolesRoutes: readonly Implementation[] = [
  implement(roles, {
    getOwnRoles,
    listStaff,
    inviteStaff,
    revokeStaffInvitation,
    getStaffInvitation,
    acceptStaffInvitation,
    giveRole,
    withdrawRole,
    keepRoles,
    addRole,
    endRole,
    endStaffSessions,
    endStaff,
  }),
];
