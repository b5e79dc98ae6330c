import { type Permission, permissionKeys, permissions } from '../permissions.ts';

/** Permissions that a helper can be given: none for contacts, billing, the membership or votes. */
export const helperPermissions: readonly Permission[] = permissionKeys.filter(key =>
  ['resources', 'whois'].includes(permissions[key].group),
);
