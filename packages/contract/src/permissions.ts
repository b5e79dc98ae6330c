/** Contact types of a membership account (spec section 3). */
export const contactTypes = ['corporate', 'billing', 'technical'] as const;
export type ContactType = (typeof contactTypes)[number];

type Row = {
  group: 'contact management' | 'billing' | 'resources' | 'tickets (admin)' | 'whois' | 'membership administration' | 'voting';
  label: string;
  /** Contact types that hold it unless told otherwise; 'any' for every contact. */
  byDefault: readonly (ContactType | 'any')[];
  /** It changes something outside the account's own address book: a login that holds it should have a second factor. */
  privileged: boolean;
};
const row = (group: Row['group'], label: string, ...byDefault: Row['byDefault']): Row => ({ group, label, byDefault, privileged: false });
const privileged = (r: Row): Row => ({ ...r, privileged: true });

/** Every permission key (spec section 6): where screens list it, its name there, who holds it by default. Corporate contacts hold all. */
export const permissions = {
  'contacts-details-view': row('contact management', 'View contact details', 'any'),
  'contacts-details-update': privileged(row('contact management', 'Update contact details', 'corporate')),
  'users-privileges-view': row('contact management', 'View permissions of contacts', 'corporate'),
  'users-privileges-update': privileged(row('contact management', 'Update permissions of contacts', 'corporate')),
  'users-approve': privileged(row('contact management', 'Approve access requests', 'corporate')),
  'request-contact-add-remove': row('contact management', 'Ask for contacts to be added or removed', 'corporate', 'technical', 'billing'),
  'member-billing-view': row('billing', 'View billing', 'corporate', 'billing'),
  'member-billing-update': row('billing', 'Update billing details and pay', 'corporate', 'billing'),
  'advanced-invoice-update': row('billing', 'Ask for invoices in advance', 'corporate', 'billing'),
  'rescert-view': row('resources', 'View resource certificates and ROAs', 'corporate', 'technical'),
  'rescert-update': privileged(row('resources', 'Update resource certificates', 'corporate', 'technical')),
  'rpki-config-update': privileged(row('resources', 'Configure RPKI', 'corporate', 'technical')),
  'roas-update': privileged(row('resources', 'Update ROAs', 'corporate', 'technical')),
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
  'certificates-approve': privileged(row('membership administration', 'Approve certificates of contacts', 'corporate')),
  'member-details-update': privileged(row('membership administration', 'Update organisation details', 'corporate')),
  'member-account-access-logs-view': row('membership administration', 'View the activity log', 'corporate'),
  'nominate-proxy': privileged(row('voting', 'Appoint a proxy', 'corporate')),
  'voting-vote': privileged(row('voting', 'Vote', 'corporate')),
  'appoint-another-voter': privileged(row('voting', 'Let another contact vote', 'corporate')),
} as const satisfies Record<string, Row>;
export type Permission = keyof typeof permissions;
export const permissionKeys = Object.keys(permissions) as Permission[];

/** The permissions a contact of these types starts with (spec section 6: default sets by contact type). */
export function defaultPermissions(types: readonly ContactType[]): Permission[] {
  if (types.includes('corporate')) return [...permissionKeys];
  return permissionKeys.filter(key => {
    const by: Row['byDefault'] = permissions[key].byDefault;
    return by.includes('any') || by.some(type => types.includes(type as ContactType));
  });
}
