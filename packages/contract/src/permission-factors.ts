import { neededFactor, type Subject } from './admission.ts';
import { type Permission, permissionKeys, permissions } from './permissions.ts';

/** The permissions whose use takes a second factor: each use, or some of the changes that they allow. */
export type PermissionFactors = { always: Permission[]; someChanges: Permission[] };

/**
 * Returns for which permissions a contact without a second factor lacks something, as the endpoints declare it: a permission that counts only with one, or of whose
 * changes all or some need one.
 */
export function permissionFactorsOf(endpoints: readonly Subject[]): PermissionFactors {
  const factors: PermissionFactors = { always: [], someChanges: [] };
  for (const permission of permissionKeys) {
    const changes = endpoints.filter(
      ({ access, method = 'GET' }) => method !== 'GET' && access.who === 'member' && access.permissions.includes(permission),
    );
    const strict = changes.filter(change => neededFactor(change, [permission], false) !== 'none');
    if (permissions[permission].secondFactor || (strict.length > 0 && strict.length === changes.length)) factors.always.push(permission);
    else if (strict.length > 0) factors.someChanges.push(permission);
  }
  return factors;
}
