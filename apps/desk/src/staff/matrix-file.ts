import { type StaffPermission, staffPermissionKeys } from '@portal/contract';
import { staffPermissionWords } from '@portal/contract/staff-permission-words';
import type { StaffRole } from '@portal/contract/roles/roles';
import { csvOf } from '../shell/csv-file.ts';

/** Returns the matrix as CSV: a line for each permission, a column for each role. @param wordsOf what a role may do with a permission */
export const matrixFile = (roles: readonly StaffRole[], wordsOf: (role: StaffRole, permission: StaffPermission) => string): string =>
  csvOf([
    ['Permission', ...roles.map(({ name }) => name)],
    ...staffPermissionKeys.map(key => [staffPermissionWords[key], ...roles.map(role => wordsOf(role, key))]),
  ]);
