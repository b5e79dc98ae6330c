import { type Permission, permissionKeys, permissions } from '../permissions.ts';

/** What a helper can be given: nothing of contacts, billing, the membership or votes. */
export const helperPermissions: readonly Permission[] = permissionKeys.filter(key =>
  ['resources', 'whois'].includes(permissions[key].group),
);
