import { contactTypes, defaultPermissions, permissions, type Permission } from '@portal/contract';
import { code, page, table } from './markdown.ts';

/** docs/generated/permissions.md: every permission and the contact types that start with it. */
export function permissionsPage(): string {
  const holds = Object.fromEntries(contactTypes.map(type => [type, new Set(defaultPermissions([type]))]));
  return page(
    'Permissions',
    '`packages/contract/src/permissions.ts`',
    'A privileged permission changes something outside the account’s own address book; its holders are asked for a second factor (`REQUIRE_MFA`).',
    table(
      ['permission', 'group', 'name on screen', ...contactTypes, 'privileged'],
      Object.entries(permissions).map(([key, { group, label, privileged }]) => [
        code(key),
        group,
        label,
        ...contactTypes.map(type => (holds[type]!.has(key as Permission) ? '✓' : '')),
        privileged ? '✓' : '',
      ]),
    ),
  );
}
