import type { roles } from '@portal/contract/roles/roles';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const rolesWords = {
  activities: {
    roles: {
      category: 'system',
      actions: {
        inviteStaff: 'Invite registry staff',
        revokeStaffInvitation: 'Withdraw an invitation to registry staff',
        acceptStaffInvitation: 'Accept an invitation to registry staff',
        giveRole: 'Give a staff role',
        withdrawRole: 'Withdraw a staff role',
        keepRoles: 'Keep staff roles in the access review',
        addRole: 'Add a staff role',
        endRole: 'Delete a staff role',
        endStaffSessions: 'End the sessions of registry staff',
        endStaff: 'End the access of registry staff',
      },
    },
  },
  unshown: {
    case_hand_over: 'notes of registry staff',
    staff_role: 'the registry’s',
    staff_assignment: 'the registry’s',
    staff_group: 'the registry’s',
  },
} satisfies ModuleWords<{ roles: typeof roles }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    roles: typeof rolesWords;
  }
}
