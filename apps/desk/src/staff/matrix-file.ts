import { type StaffPermission, staffPermissionKeys } from '@portal/contract';
import { staffPermissionWords } from '@portal/contract/staff-permission-words';
import type { StaffRole } from '@portal/contract/roles/roles';

/** A cell of CSV (RFC 4180). A name that a spreadsheet would calculate begins with an apostrophe there. */
const cell = (text: string): string => `"${text.replace(/^([=+\-@\t\r])/, "'$1").replaceAll('"', '""')}"`;

/** Returns the matrix as CSV: a line for each permission, a column for each role. @param wordsOf what a role may do with a permission */
export const matrixFile = (roles: readonly StaffRole[], wordsOf: (role: StaffRole, permission: StaffPermission) => string): string =>
  [
    ['Permission', ...roles.map(({ name }) => name)],
    ...staffPermissionKeys.map(key => [staffPermissionWords[key], ...roles.map(role => wordsOf(role, key))]),
  ]
    .map(line => `${line.map(cell).join(',')}\r\n`)
    .join('');
