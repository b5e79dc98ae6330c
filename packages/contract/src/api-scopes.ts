import type { Effect } from './effects.ts';
import type { Permission } from './permissions.ts';

type Scope = {
  /** Purpose of a key with it, as the end of a sentence: "Writes routes and ROAs". */
  label: string;
  writes: boolean;
  /** Effects of its calls, besides harmless ones. */
  effects: readonly Effect[];
  /** Permissions that calls of this scope use. Only a person who holds all of them can give the scope to a key. */
  permissions: readonly Permission[];
};
const reads = (label: string, ...permissions: readonly Permission[]): Scope => ({
  label,
  writes: false,
  effects: [],
  permissions,
});
const writes = (label: string, effects: readonly Effect[], ...permissions: readonly Permission[]): Scope => ({
  label,
  writes: true,
  effects,
  permissions,
});

/** Rights that an API key can have, in the order of the screens. A call of the registry API needs exactly one scope. */
export const apiScopes = {
  'account:read': reads('the organisation and its contacts', 'contacts-details-view'),
  'resources:read': reads('number resources', 'resources-view'),
  'whois:read': reads('whois objects', 'whois-domain-objects-view', 'whois-private-objects-view'),
  'customers:read': reads('customer assignments', 'whois-private-objects-view'),
  'reverse-dns:read': reads('reverse DNS', 'whois-domain-objects-view'),
  'routes:read': reads('routes and ROAs', 'rescert-view'),
  'requests:read': reads('resource requests', 'tickets-resources-view'),
  'tasks:read': reads('tasks'),
  'billing:read': reads('invoices', 'member-billing-view'),
  'tickets:read': reads('support tickets', 'tickets-admin-view', 'tickets-resources-view'),
  'activity:read': reads('the activity log', 'member-account-access-logs-view'),
  'whois:write': writes(
    'whois objects',
    ['whois'],
    'whois-principal-mntner-access',
    'whois-domain-objects-update',
    'whois-private-objects-update',
  ),
  'customers:write': writes(
    'customer assignments',
    ['holding', 'records', 'whois'],
    'whois-private-objects-update',
    'whois-principal-mntner-access',
  ),
  'reverse-dns:write': writes('reverse DNS', ['zones'], 'whois-domain-objects-update'),
  'routes:write': writes('routes and ROAs', ['routing'], 'roas-update', 'whois-principal-mntner-access'),
  'requests:write': writes('resource requests', ['holding', 'statements'], 'tickets-resources-update'),
  'tickets:write': writes(
    'support tickets',
    [],
    'tickets-admin-view',
    'tickets-admin-update',
    'tickets-resources-view',
    'tickets-resources-update',
  ),
  'tasks:write': writes('tasks: cancel, retry and undo', ['records', 'whois'], 'whois-principal-mntner-access'),
} as const satisfies Record<string, Scope>;
export type ApiScope = keyof typeof apiScopes;
export const apiScopeKeys = Object.keys(apiScopes) as ApiScope[];

/** Returns whether a person with these permissions can give a scope to a key. */
export const canGrantScope = (scope: ApiScope, held: ReadonlySet<string>): boolean =>
  apiScopes[scope].permissions.every(permission => held.has(permission));

/** Returns the permissions that a key with these scopes uses. */
export const permissionsOfScopes = (scopes: readonly ApiScope[]): ReadonlySet<Permission> =>
  new Set(scopes.flatMap(scope => [...apiScopes[scope].permissions]));
