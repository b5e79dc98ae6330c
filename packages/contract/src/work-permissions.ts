import type { StaffPermission } from './staff-permissions.ts';

/**
 * Who looks after background work, by the module in its name (`whois` of `whois.modifyObjects`): one who drops a piece of it, or tries it again, answers for what it would have done.
 */
export const workPermissions = {
  rpki: ['rpki'],
  routes: ['rpki'],
  reverseDns: ['dns'],
  whois: ['ledger'],
  foreignSources: ['ledger'],
  mirrors: ['ledger'],
  nir: ['ledger'],
  customers: ['ledger'],
  resources: ['ledger'],
  platform: ['ledger'],
  tasks: ['ledger'],
  requests: ['resources', 'transfers'],
  billing: ['billing'],
  contacts: ['memberships'],
  organisations: ['memberships'],
  restraints: ['memberships'],
  applications: ['memberships'],
  documents: ['private-data'],
  tickets: ['support'],
  mail: ['support'],
  notifications: ['support'],
  webhooks: ['support'],
  apiKeys: ['support'],
  identity: ['staff'],
  staff: ['staff'],
  proposals: ['policy'],
  policy: ['policy'],
  brand: ['policy'],
  elections: ['election-officer'],
  ballots: ['election-officer'],
  encryptedBallots: ['election-officer'],
  statusPages: ['announcements'],
  numbersPages: ['ledger'],
  events: ['announcements'],
  announcements: ['announcements'],
  dataQuality: ['announcements'],
  privacy: ['private-data'],
  legal: ['policy'],
} as const satisfies Record<string, readonly StaffPermission[]>;
/** The permissions for a piece of work by its name; those who look after the ledger, for work that no release knows any more. */
export const permissionsForWork = (name: string): readonly StaffPermission[] => {
  const module = name.split('.')[0]!;
  return module in workPermissions ? workPermissions[module as keyof typeof workPermissions] : ['ledger'];
};
