/** Contact types of a membership account (specification, section 3). */
export const contactTypes = ['corporate', 'billing', 'technical'] as const;
export type ContactType = (typeof contactTypes)[number];

type Row = {
  group: 'contact management' | 'billing' | 'resources' | 'tickets (admin)' | 'whois' | 'membership administration' | 'voting';
  label: string;
  /** Contact types that hold it by default; 'any' for every contact. */
  byDefault: readonly (ContactType | 'any')[];
  /** It changes something outside the account's own address book: a login that holds it should have a second factor. */
  privileged: boolean;
  /** It counts only in a session with a second factor. */
  secondFactor: boolean;
};
const row = (group: Row['group'], label: string, ...byDefault: Row['byDefault']): Row => ({
  group,
  label,
  byDefault,
  privileged: false,
  secondFactor: false,
});
const privileged = (r: Row): Row => ({ ...r, privileged: true });
const withSecondFactor = (r: Row): Row => ({ ...r, secondFactor: true });

/** Every permission key (specification, section 6): where screens list it, its name there, who holds it by default. Corporate contacts hold all. */
export const permissions = {
  'contacts-details-view': row('contact management', 'View contact details', 'any'),
  'contacts-details-update': withSecondFactor(privileged(row('contact management', 'Update contact details', 'corporate'))),
  'users-privileges-view': row('contact management', 'View permissions of contacts', 'corporate'),
  'users-privileges-update': withSecondFactor(privileged(row('contact management', 'Update permissions of contacts', 'corporate'))),
  'users-approve': withSecondFactor(privileged(row('contact management', 'Approve access requests', 'corporate'))),
  'request-contact-add-remove': row('contact management', 'Ask for contacts to be added or removed', 'corporate', 'technical', 'billing'),
  'member-billing-view': row('billing', 'View billing', 'corporate', 'billing'),
  'member-billing-update': row('billing', 'Update billing details and pay', 'corporate', 'billing'),
  'advanced-invoice-update': row('billing', 'Ask for invoices in advance', 'corporate', 'billing'),
  'rescert-view': withSecondFactor(row('resources', 'View resource certificates and ROAs', 'corporate', 'technical')),
  'rescert-update': withSecondFactor(privileged(row('resources', 'Update resource certificates', 'corporate', 'technical'))),
  'rpki-config-update': withSecondFactor(privileged(row('resources', 'Configure RPKI', 'corporate', 'technical'))),
  'roas-update': withSecondFactor(privileged(row('resources', 'Update ROAs', 'corporate', 'technical'))),
  'resources-view': row('resources', 'View number resources', 'corporate', 'technical'),
  'tickets-resources-view': row('resources', 'View resource requests', 'corporate', 'technical'),
  'tickets-resources-update': privileged(row('resources', 'Submit resource requests and transfers', 'corporate', 'technical')),
  'tickets-admin-view': row('tickets (admin)', 'View membership tickets', 'corporate'),
  'tickets-admin-update': row('tickets (admin)', 'Update membership tickets', 'corporate'),
  'whois-domain-objects-view': row('whois', 'View reverse domain objects', 'corporate', 'technical'),
  'whois-domain-objects-update': privileged(row('whois', 'Update reverse domain objects', 'corporate', 'technical')),
  'whois-private-objects-view': row('whois', 'View private registrations', 'corporate', 'technical'),
  'whois-private-objects-update': privileged(row('whois', 'Update private registrations', 'corporate', 'technical')),
  'whois-principal-mntner-access': privileged(row('whois', 'Use the principal maintainer', 'corporate', 'technical')),
  'certificates-approve': withSecondFactor(privileged(row('membership administration', 'Approve certificates of contacts', 'corporate'))),
  'member-details-update': withSecondFactor(privileged(row('membership administration', 'Update organisation details', 'corporate'))),
  'member-account-access-logs-view': row('membership administration', 'View the activity log', 'corporate'),
  'nominate-proxy': withSecondFactor(privileged(row('voting', 'Appoint a proxy', 'corporate'))),
  'voting-vote': withSecondFactor(privileged(row('voting', 'Vote', 'corporate'))),
  'appoint-another-voter': withSecondFactor(privileged(row('voting', 'Let another contact vote', 'corporate'))),
} as const satisfies Record<string, Row>;
export type Permission = keyof typeof permissions;
export const permissionKeys = Object.keys(permissions) as Permission[];

/** The permissions a contact of these types starts with (specification, section 6: default sets by contact type). */
export function defaultPermissions(types: readonly ContactType[]): Permission[] {
  if (types.includes('corporate')) return [...permissionKeys];
  return permissionKeys.filter(key => {
    const by: Row['byDefault'] = permissions[key].byDefault;
    return by.includes('any') || by.some(type => types.includes(type as ContactType));
  });
}

/** The groups screens list permissions in, in their order; those of maintainers are built from the account's maintainers. */
export const permissionGroups = [...new Set(permissionKeys.map(key => permissions[key].group))];

/** The permission to use one whois maintainer of the account (specification, section 6: maintainer permissions are built dynamically). */
export const maintainerPermission = (maintainer: string): `whois-mntner:${string}` => `whois-mntner:${maintainer.toUpperCase()}`;

/** Returns whether these permissions count only in a session with a second factor: true if each of them is privileged. */
export const countsOnlyWithSecondFactor = (held: readonly Permission[]): boolean =>
  held.length > 0 && held.every(permission => permissions[permission].secondFactor);

/** Returns whether accounts of a type have votes; contacts of others are granted no voting permission. */
export const mayVote = (accountType: string): boolean => ['regular', 'confed-isp', 'confed-nir'].includes(accountType);

/** Returns why a permission can never be granted to a contact; null if it can. */
export function whyNotGrantable(
  permission: Permission,
  { contactTypes: types, accountType }: { contactTypes: readonly string[]; accountType: string },
): string | null {
  if (types.includes('corporate')) return null;
  if (permission === 'voting-vote' && !mayVote(accountType)) return 'accounts of this type can’t vote';
  return null;
}

/** Returns the permissions that a change grants and revokes, in the order of the screens. */
export const permissionDiff = (
  before: readonly string[],
  after: readonly string[],
): { granted: Permission[]; withdrawn: Permission[] } => ({
  granted: permissionKeys.filter(key => after.includes(key) && !before.includes(key)),
  withdrawn: permissionKeys.filter(key => before.includes(key) && !after.includes(key)),
});
