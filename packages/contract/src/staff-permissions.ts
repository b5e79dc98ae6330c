type Row = {
  group: 'accounts' | 'resources' | 'money' | 'elections' | 'running the registry';
  label: string;
};
const row = (group: Row['group'], label: string): Row => ({ group, label });

/**
 * Every permission of registry staff: where screens list it, its name there, and its words in a sentence. Being staff opens nothing: each endpoint and page of the desk names the
 * permission that it needs. `audit` reads everything that another permission reads, and changes nothing.
 */
export const staffPermissions = {
  accounts: row('accounts', 'Read accounts'),
  'private-data': row('accounts', 'Read private data'),
  memberships: row('accounts', 'Decide memberships'),
  support: row('accounts', 'Answer tickets'),
  resources: row('resources', 'Decide resources'),
  transfers: row('resources', 'Decide transfers'),
  ledger: row('resources', 'Manage pools and ledger'),
  rpki: row('resources', 'RPKI operations'),
  dns: row('resources', 'DNS operations'),
  billing: row('money', 'Issue and credit invoices'),
  payments: row('money', 'Record payments'),
  'write-offs': row('money', 'Write off and refund'),
  'election-officer': row('elections', 'Set up elections'),
  'returning-officer': row('elections', 'Count and repeat elections'),
  'election-observer': row('elections', 'Observe elections'),
  announcements: row('running the registry', 'Announcements and events'),
  policy: row('running the registry', 'Policy and fees'),
  staff: row('running the registry', 'Administer staff'),
  audit: row('running the registry', 'Audit: read everything'),
} as const satisfies Record<string, Row>;
export type StaffPermission = keyof typeof staffPermissions;
export const staffPermissionKeys = Object.keys(staffPermissions) as [StaffPermission, ...StaffPermission[]];

/** Returns whether these permissions hold one of the needed ones. A read is open to auditors as well. */
export const holdsOneOf = (held: ReadonlySet<string>, needed: readonly StaffPermission[], isRead: boolean): boolean =>
  needed.some(permission => held.has(permission)) || (isRead && held.has('audit'));

/** Who sees the queue of cases: each sees the kinds that they decide. */
export const casePermissions = ['resources', 'transfers', 'memberships'] as const satisfies readonly StaffPermission[];
/** Who can take cases over: requests, memberships and tickets. */
export const caseHandlers = [...casePermissions, 'support'] as const satisfies readonly StaffPermission[];
/** Who sees the books of an account. */
export const bookPermissions = ['billing', 'payments', 'write-offs', 'memberships'] as const satisfies readonly StaffPermission[];
/** Who sees elections before and behind their ballots. */
export const electionPermissions = [
  'election-officer',
  'returning-officer',
  'election-observer',
] as const satisfies readonly StaffPermission[];
/** Who searches over all members: each finds what they may open. */
export const searchPermissions: readonly StaffPermission[] = [
  ...new Set<StaffPermission>(['accounts', 'support', ...casePermissions, ...bookPermissions, ...electionPermissions]),
];
/** Who looks after what the registry publishes and works off. */
export const operationPermissions = ['rpki', 'dns', 'ledger'] as const satisfies readonly StaffPermission[];
/** Who sees events: those who hold them, and those who read who comes. */
export const eventPermissions = ['announcements', 'private-data'] as const satisfies readonly StaffPermission[];
/** Who sees work that was set aside: each sees the kinds that they look after (`workPermissions`, of which this is the sum). */
export const setAsidePermissions = [
  'memberships',
  'private-data',
  'support',
  'resources',
  'transfers',
  'ledger',
  'rpki',
  'dns',
  'billing',
  'election-officer',
  'announcements',
  'policy',
  'staff',
] as const satisfies readonly StaffPermission[];
/** Who decides what waits for a second person: the permissions of all such acts, each deciding those of their own. */
export const proposalPermissions = [
  'memberships',
  'support',
  'resources',
  'transfers',
  'billing',
  'payments',
  'write-offs',
  ...electionPermissions,
  'policy',
  'staff',
] as const satisfies readonly StaffPermission[];
