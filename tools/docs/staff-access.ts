import { staffPermissionWords } from '@portal/contract/staff-permission-words';
import { type StaffPermission, staffPermissionKeys } from '@portal/contract';
import { readyMadeRoleKeys, readyMadeRoles } from '@portal/contract/staff-roles';
import { admissionRefusal, type Subject } from '@portal/contract/admission';
import { allEndpoints } from '@portal/contract/api';
import { sitePages } from '@portal/contract/pages';
import { code, page, table } from './markdown.ts';

const may = (subject: Subject, permissions: readonly StaffPermission[]): boolean =>
  admissionRefusal(subject, {
    caller: { staff: true, staffPermissions: new Set(permissions), factor: 'fresh', coolingDown: false },
    account: { as: 'visitor' },
    privilegesNeedFactor: true,
  }) === null;

const roleCells = (subject: Subject): string[] =>
  readyMadeRoleKeys.map(key => (may(subject, readyMadeRoles[key].permissions) ? 'yes' : '–'));
const neededBy = ({ access }: Subject): string => (access.who === 'staff' ? access.permissions.map(code).join(' or ') : '');
const roleNames = readyMadeRoleKeys.map(key => readyMadeRoles[key].name);
const isOfStaff = ({ access }: Subject): boolean => access.who === 'staff';

/** Which ready-made role of registry staff makes which call, and opens which page: docs/generated/staff-access.md. */
export const staffAccessPage = (): string =>
  page(
    'Registry staff: permissions, roles, calls and pages',
    '`packages/contract/src/staff-permissions.ts` and the endpoints and pages beside it',
    'Being staff opens nothing: each call and page needs one of these permissions. Reads are open to `audit` as well.',
    '## Roles',
    table(
      ['permission', 'key', ...roleNames],
      staffPermissionKeys.map(permission => [
        staffPermissionWords[permission],
        code(permission),
        ...readyMadeRoleKeys.map(key => ((readyMadeRoles[key].permissions as readonly string[]).includes(permission) ? 'yes' : '–')),
      ]),
    ),
    '## Pages',
    table(
      ['page', 'needs', ...roleNames],
      sitePages.filter(isOfStaff).map(subject => [code(subject.path), neededBy(subject), ...roleCells(subject)]),
    ),
    '## Calls',
    table(
      ['call', 'needs', ...roleNames],
      allEndpoints.filter(isOfStaff).map(subject => [code(subject.id), neededBy(subject), ...roleCells(subject)]),
    ),
  );
