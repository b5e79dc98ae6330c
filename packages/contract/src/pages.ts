import {
  type Access,
  type AccountKind,
  anyone,
  contact,
  corporate,
  corporateOrTechnical,
  member,
  ownRights,
  signedIn,
  staff,
} from './endpoint.ts';
import type { Flag } from './flags.ts';
import type { Permission } from './permissions.ts';
import {
  bookPermissions,
  casePermissions,
  electionPermissions,
  eventPermissions,
  operationPermissions,
  proposalPermissions,
  setAsidePermissions,
  staffPermissionKeys,
} from './staff-permissions.ts';

/** Who sees a page's navigation entry (specification, section 6). The server checks again: hiding is not access control. */
export type Restriction = 'noMembershipAccount' | 'hasMembershipAccount';

type Page = {
  app: 'portal' | 'resource-manager' | 'desk';
  /** `{name}` is a route parameter; `{product}` is the product of the registry profile (lower case in a lower-case path). */
  path: string;
  title: string;
  access: Access;
  /** Place in the contextual navigation: group, …, entry. Missing: reached from other pages only. */
  nav?: readonly string[];
  /** A second place in the navigation, where people look for it too. */
  alsoIn?: readonly string[];
  restriction?: Restriction;
  /** `nir`: only accounts of national registries. `regular-or-non-member`: only those account types. */
  onlyFor?: AccountKind | 'staff';
  /** The feature without which an account doesn’t have it; see `flags`. */
  flag?: Flag;
  /** Opens another page instead. */
  redirectTo?: string;
};

const page = <const P extends Page>(definition: P): P => definition;
const portal = <const P extends Omit<Page, 'app'>>(definition: P) => page({ app: 'portal', ...definition });
const framed = <const P extends Omit<Page, 'app'>>(definition: P) => page({ app: 'resource-manager', ...definition });
/** A page of the staff app: all are below one address, and look non-existent to everyone else. */
const desk = <const P extends Pick<Page, 'path' | 'title' | 'nav' | 'access'>>(definition: P) =>
  page({ app: 'desk', onlyFor: 'staff', ...definition });
const redirect = <const Path extends string, const To extends string>(path: Path, redirectTo: To) =>
  portal({ path, redirectTo, title: 'Redirect', access: signedIn });

const anyWhois: readonly Permission[] = ['whois-domain-objects-view', 'whois-private-objects-view', 'whois-principal-mntner-access'];
const seeResources = member('resources-view', { staff: true });
const useMaintainer = member('whois-principal-mntner-access');
const seeReverse = member('whois-domain-objects-view');
/** Zones and how they answer, which registry staff read too. */
const readReverse = member('whois-domain-objects-view', { staff: true });
const seeRpki = member('rescert-view', { staff: true });
const seeRequests = member('tickets-resources-view');
const withAccount = 'hasMembershipAccount';

/** The site map: every page of both apps (specification, section 2). Routes, guards, navigation, frame titles and the generated page list are read from here. */
export const pages = {
  home: portal({ path: '/', title: 'Home', access: signedIn, nav: ['Home'] }),
  authCallback: portal({ path: '/auth-callback', title: 'Signing in', access: anyone }),
  logout: portal({ path: '/logout', title: 'Signing out', access: signedIn }),
  accountSelection: portal({ path: '/{accountName}/index.html', title: 'Selecting account', access: anyone }),

  resourcesSummary: framed({
    path: '/resources/summary',
    title: 'Resources',
    access: seeResources,
    nav: ['Resource Manager', 'Resources', 'Summary'],
    restriction: withAccount,
  }),
  ipv4: framed({
    path: '/resources/ipv4',
    title: 'IPv4',
    access: seeResources,
    nav: ['Resource Manager', 'Resources', 'IPv4'],
    restriction: withAccount,
  }),
  ipv6: framed({
    path: '/resources/ipv6',
    title: 'IPv6',
    access: seeResources,
    nav: ['Resource Manager', 'Resources', 'IPv6'],
    restriction: withAccount,
  }),
  asn: framed({
    path: '/resources/asn',
    title: 'AS numbers',
    access: seeResources,
    nav: ['Resource Manager', 'Resources', 'AS numbers'],
    restriction: withAccount,
  }),
  ipv4ShowList: framed({
    path: '/resources/IPv4ShowList',
    title: 'IPv4 registrations',
    access: seeResources,
    nav: ['Resource Manager', 'Resources', 'IPv4 registrations'],
    restriction: withAccount,
  }),
  ipv6ShowList: framed({
    path: '/resources/IPv6ShowList',
    title: 'IPv6 registrations',
    access: seeResources,
    nav: ['Resource Manager', 'Resources', 'IPv6 registrations'],
    restriction: withAccount,
  }),
  // Not in the specification: one page for each prefix, range and AS number, of whomever, reached from lists, search, objects and RDAP.
  prefix: framed({ path: '/resources/prefix', title: 'Prefix', access: seeResources }),
  asNumber: framed({ path: '/resources/as-number', title: 'AS number', access: seeResources }),
  customerManagement: framed({
    path: '/resources/customers/customer_management',
    title: 'Customer management',
    access: member('whois-private-objects-view'),
    nav: ['Resource Manager', 'Customer Management'],
    restriction: withAccount,
    onlyFor: 'regular-or-non-member',
  }),

  whoisUpdates: framed({
    path: '/resources/whois-updates-js/all',
    title: 'Whois updates',
    access: member(anyWhois),
    nav: ['Resource Manager', 'Whois', 'Whois updates'],
    restriction: withAccount,
  }),
  whoisTextUpload: framed({
    path: '/resources/whois-text-upload',
    title: 'Text upload',
    access: useMaintainer,
    nav: ['Resource Manager', 'Whois', 'Text upload'],
    restriction: withAccount,
  }),
  bulkWhoisUpdates: framed({
    path: '/resources/bulk-whois-updates',
    title: 'Bulk updates',
    access: useMaintainer,
    nav: ['Resource Manager', 'Whois', 'Bulk updates'],
    restriction: withAccount,
  }),
  whoisAttributeUpdate: framed({
    path: '/resources/whois-attribute-update',
    title: 'Attribute update',
    access: useMaintainer,
    nav: ['Resource Manager', 'Whois', 'Attribute update'],
    restriction: withAccount,
  }),
  whoisContactDetailsUpdate: framed({
    path: '/resources/whois_contact_details_update/index',
    title: 'Whois contact details',
    access: useMaintainer,
    nav: ['Resource Manager', 'Whois', 'Contact details'],
    restriction: withAccount,
  }),
  maintainer: framed({
    path: '/resources/maintainer',
    title: 'Maintainers',
    access: useMaintainer,
    nav: ['Resource Manager', 'Whois', 'Maintainers'],
    restriction: withAccount,
  }),
  irt: framed({
    path: '/resources/irt',
    title: 'IRT objects',
    access: seeResources,
    nav: ['Resource Manager', 'Whois', 'IRT'],
    restriction: withAccount,
  }),
  addIrt: framed({ path: '/resources/add-irt', title: 'Add an IRT object', access: useMaintainer }),
  addExistingIrt: framed({ path: '/resources/add-existing-irt', title: 'Add an existing IRT object', access: useMaintainer }),
  irtValidation: framed({
    path: '/admin/irt-validation',
    title: 'IRT validation',
    access: contact,
    nav: ['Resource Manager', 'Whois', 'IRT validation'],
    restriction: withAccount,
  }),
  download: framed({
    path: '/resources/download',
    title: 'Bulk download',
    access: member(anyWhois),
    nav: ['Resource Manager', 'Whois', 'Bulk download'],
    restriction: withAccount,
  }),

  reverseDnsSummary: framed({
    path: '/resources/ReverseDNSSummary',
    title: 'Reverse DNS summary',
    access: readReverse,
    nav: ['Resource Manager', 'Reverse DNS', 'Summary'],
    restriction: withAccount,
  }),
  reverseDns: framed({
    path: '/resources/ReverseDNS',
    title: 'Reverse delegations',
    access: readReverse,
    nav: ['Resource Manager', 'Reverse DNS', 'Delegations'],
    restriction: withAccount,
  }),
  reverseDnsIpv4: framed({ path: '/resources/ReverseDNS_ip', title: 'Add IPv4 reverse delegations', access: seeReverse }),
  reverseDnsIpv6: framed({ path: '/resources/ReverseDNS_v6', title: 'Add IPv6 reverse delegations', access: seeReverse }),
  whoisZonefileUpload: framed({
    path: '/resources/whois-zonefile-upload',
    title: 'Zone file upload',
    access: seeReverse,
    flag: 'zonefiles',
    nav: ['Resource Manager', 'Whois', 'Zone file upload'],
    alsoIn: ['Resource Manager', 'Reverse DNS', 'Zone file upload'],
    restriction: withAccount,
  }),

  routes: framed({
    path: '/resources/routes/index',
    title: 'Routes',
    access: seeRpki,
    nav: ['Resource Manager', 'Routes and RPKI', 'Routes'],
    restriction: withAccount,
  }),
  routeRequests: framed({
    path: '/resources/routes/requests',
    title: 'Route requests',
    access: seeRpki,
    nav: ['Resource Manager', 'Routes and RPKI', 'Route requests'],
    restriction: withAccount,
  }),
  routeRequestDetails: framed({ path: '/resources/routes/request-details', title: 'Route request', access: seeRpki }),
  rpki: framed({
    path: '/resources/rpki/index',
    title: 'RPKI',
    access: seeRpki,
    nav: ['Resource Manager', 'Routes and RPKI', 'RPKI'],
    restriction: withAccount,
  }),
  rscs: framed({
    path: '/resources/rpki/rscs',
    title: 'Signed checklists',
    access: seeRpki,
    nav: ['Resource Manager', 'Routes and RPKI', 'Signed checklists'],
    restriction: withAccount,
  }),

  nirDelegation: framed({
    path: '/resources/nirtools/resource_delegation_nir',
    title: 'Delegations',
    access: seeResources,
    nav: ['Resource Manager', 'NIR Tools', 'Delegations'],
    restriction: withAccount,
    onlyFor: 'nir',
  }),
  nirDelegationRegistry: framed({
    path: '/resources/nirtools/resource_delegation_{product}',
    title: 'Registry delegations',
    access: seeResources,
    nav: ['Resource Manager', 'NIR Tools', 'Registry delegations'],
    restriction: withAccount,
    onlyFor: 'nir',
  }),
  subaccountManagement: framed({
    path: '/resources/nirtools/subaccount_management',
    title: 'Sub-accounts',
    access: seeResources,
    nav: ['Resource Manager', 'NIR Tools', 'Sub-accounts'],
    restriction: withAccount,
    onlyFor: 'nir',
  }),
  subaccountTransfer: framed({
    path: '/resources/nirtools/subaccount_transfer',
    title: 'Sub-account transfer',
    access: seeResources,
    nav: ['Resource Manager', 'NIR Tools', 'Sub-account transfer'],
    restriction: withAccount,
    onlyFor: 'nir',
  }),
  entityManagement: framed({
    path: '/resources/nirtools/entity_management',
    title: 'Entities',
    access: seeResources,
    nav: ['Resource Manager', 'NIR Tools', 'Entities'],
    restriction: withAccount,
    onlyFor: 'nir',
  }),

  ipv4Request: framed({
    path: '/resources/ipv4_request_form',
    title: 'Request IPv4',
    access: seeRequests,
    nav: ['Resource Manager', 'Requests', 'Request IPv4'],
    restriction: withAccount,
  }),
  ipv6Request: framed({
    path: '/resources/ipv6_request_form',
    title: 'Request IPv6',
    access: seeRequests,
    nav: ['Resource Manager', 'Requests', 'Request IPv6'],
    restriction: withAccount,
  }),
  asnRequest: framed({
    path: '/resources/asn_request_form',
    title: 'Request an AS number',
    access: seeRequests,
    nav: ['Resource Manager', 'Requests', 'Request an AS number'],
    restriction: withAccount,
  }),
  ipv6OneClick: framed({ path: '/resources/ipv6-oneclick/confirm', title: 'IPv6 in one click', access: seeRequests, flag: 'ipv6oneclick' }),

  transferSelect: framed({
    path: '/resources/transfer_request_select',
    title: 'Transfer out',
    access: seeRequests,
    nav: ['Resource Manager', 'Transfers', 'Transfer out'],
    restriction: withAccount,
  }),
  ipv4Transfer: framed({ path: '/resources/ipv4_transfer_request', title: 'IPv4 transfer', access: seeRequests }),
  ipv4TransferSuccess: framed({
    path: '/resources/ipv4_transfer_request_success',
    title: 'IPv4 transfer submitted',
    access: seeRequests,
  }),
  acquisitionTransfer: framed({
    path: '/resources/acquisition_transfer_request',
    title: 'Merger and acquisition transfer',
    access: seeRequests,
  }),
  acquisitionTransferSuccess: framed({
    path: '/resources/acquisition_transfer_request_success',
    title: 'Merger and acquisition transfer submitted',
    access: seeRequests,
  }),
  transferReceiveSelect: framed({
    path: '/resources/transfer_receive_select',
    title: 'Transfer in',
    access: seeRequests,
    nav: ['Resource Manager', 'Transfers', 'Transfer in'],
    restriction: withAccount,
  }),
  ipv4Receive: framed({ path: '/resources/ipv4_receive_form', title: 'Receive IPv4', access: seeRequests }),
  acquisitionReceive: framed({
    path: '/resources/acquisition_transfer_receive',
    title: 'Receive by merger or acquisition',
    access: seeRequests,
  }),
  ipv4Return: framed({
    path: '/resources/ipv4_transfer_return',
    title: 'Return IPv4',
    access: seeRequests,
    nav: ['Resource Manager', 'Transfers', 'Return'],
    restriction: withAccount,
  }),
  ipv4ReturnSuccess: framed({
    path: '/resources/ipv4_transfer_return_success',
    title: 'Return submitted',
    access: seeRequests,
  }),
  ipv4PreApproval: framed({
    path: '/resources/ipv4_pre-approval_form',
    title: 'IPv4 pre-approval',
    access: seeRequests,
    nav: ['Resource Manager', 'Requests', 'IPv4 pre-approval'],
    restriction: withAccount,
  }),
  availableListings: framed({
    path: '/resources/availableListings',
    title: 'IPv4 transfer listings',
    access: seeRequests,
    nav: ['Resource Manager', 'Transfers', 'Listings'],
    restriction: withAccount,
  }),

  apiKeys: framed({
    path: '/resources/registry-api/api-key-list',
    title: 'API keys',
    access: corporateOrTechnical,
    nav: ['Resource Manager', 'Registry API', 'API keys'],
    restriction: withAccount,
  }),
  apiKeyCreate: framed({ path: '/resources/registry-api/api-key-create', title: 'New API key', access: corporateOrTechnical }),
  webhooks: framed({
    path: '/resources/registry-api/webhooks',
    title: 'Webhooks',
    access: corporate,
    nav: ['Resource Manager', 'Registry API', 'Webhooks'],
    restriction: withAccount,
  }),
  webhookCreate: framed({ path: '/resources/registry-api/webhook-create', title: 'New webhook', access: corporate }),
  webhook: framed({ path: '/resources/registry-api/webhook', title: 'Webhook', access: corporate }),

  tasks: framed({
    path: '/task/list',
    title: 'Tasks',
    access: contact,
    nav: ['Resource Manager', 'Tasks', 'All tasks'],
    restriction: withAccount,
  }),
  bulkUpdateTasks: framed({
    path: '/task/bulk-updates-list',
    title: 'Bulk update tasks',
    access: contact,
    nav: ['Resource Manager', 'Tasks', 'Bulk update tasks'],
    restriction: withAccount,
  }),
  taskWhoisModify: framed({
    path: '/task/My{product}/Whois/Bulk/Modify/1/details',
    title: 'Bulk modify task',
    access: contact,
  }),
  taskWhoisModifyObjects: framed({
    path: '/task/My{product}/Whois/Bulk/ModifyObjects/1/details',
    title: 'Bulk modify objects task',
    access: contact,
  }),
  taskEcho: framed({ path: '/task/My{product}/Echo/1/details', title: 'Echo task', access: contact }),

  ipv6Sparse: framed({
    path: '/technical/ipv6sparse',
    title: 'Sparse IPv6 planner',
    access: signedIn,
    nav: ['Resource Manager', 'Tools', 'Sparse IPv6 planner'],
  }),
  ipv6Subnets: framed({
    path: '/technical/ipv6subnets',
    title: 'IPv6 subnet calculator',
    access: signedIn,
    nav: ['Resource Manager', 'Tools', 'IPv6 subnet calculator'],
  }),
  ipv6ReverseDomains: framed({
    path: '/technical/ipv6reversedomains',
    title: 'IPv6 reverse domains',
    access: signedIn,
    nav: ['Resource Manager', 'Tools', 'IPv6 reverse domains'],
  }),
  lookingGlass: framed({
    path: '/technical/lookingglass',
    title: 'Looking glass',
    access: signedIn,
    nav: ['Resource Manager', 'Tools', 'Looking glass'],
  }),
  rdnsCheck: framed({
    path: '/technical/rdnscheck',
    title: 'Reverse DNS check',
    access: signedIn,
    nav: ['Resource Manager', 'Tools', 'Reverse DNS check'],
  }),

  memberAccountSettings: redirect('/member-account-settings', '/member-account-settings/my-accounts'),
  myAccounts: portal({
    path: '/member-account-settings/my-accounts',
    title: 'My accounts',
    access: signedIn,
    nav: ['Membership', 'My accounts'],
  }),
  addAccount: portal({
    path: '/add-account',
    title: 'Apply for membership',
    access: signedIn,
    nav: ['Membership', 'Apply for membership'],
    restriction: 'noMembershipAccount',
  }),
  linkMembership: portal({
    path: '/link-existing-membership',
    title: 'Link an existing membership',
    access: signedIn,
    nav: ['Membership', 'Link a membership'],
  }),
  acceptReferral: portal({ path: '/accept-referral/{referralToken}', title: 'Answer a referral', access: signedIn }),
  acceptStaffInvitation: portal({
    path: '/accept-staff-invitation/{acceptanceToken}',
    title: 'Invitation to registry staff',
    access: signedIn,
  }),
  acceptInvitation: portal({ path: '/accept-invitation/{acceptanceToken}', title: 'Accept an invitation', access: signedIn }),
  myPermissions: portal({
    path: '/member-account-settings/my-permissions',
    title: 'My permissions',
    access: contact,
    nav: ['Membership', 'My permissions'],
    restriction: withAccount,
  }),
  accountContacts: portal({
    path: '/member-account-settings/account-contacts',
    title: 'Account contacts',
    access: member('contacts-details-view'),
    nav: ['Membership', 'Account contacts'],
    restriction: withAccount,
  }),
  contactDetails: redirect('/member-account-settings/contact-details', '/member-account-settings/account-contacts'),
  accessRequests: portal({
    path: '/member-account-settings/access-requests',
    title: 'Access requests',
    access: member('users-approve'),
    nav: ['Membership', 'Access requests'],
    restriction: withAccount,
  }),
  organizationDetails: portal({
    path: '/member-account-settings/organization-details',
    title: 'Organisation details',
    access: member('contacts-details-view', { staff: true }),
    nav: ['Membership', 'Organisation details'],
    restriction: withAccount,
  }),
  billing: portal({
    path: '/member-account-settings/billing',
    title: 'Billing',
    access: member('member-billing-view', { staff: bookPermissions }),
    nav: ['Membership', 'Billing'],
    restriction: withAccount,
  }),
  jointBilling: portal({
    path: '/member-account-settings/joint-billing',
    title: 'Billing of all accounts',
    access: signedIn,
  }),
  // A closed account can't be selected: the page is about the account of its address, among those of the person.
  closedAccount: portal({
    path: '/member-account-settings/closed-account',
    title: 'Closed account',
    access: signedIn,
  }),
  annualFeeCalculator: portal({
    path: '/member-account-settings/annual-fee-calculator',
    title: 'Annual fee calculator',
    access: signedIn,
    nav: ['Membership', 'Annual fee calculator'],
  }),
  feeEstimate: redirect('/member-account-settings/fee-estimate', '/member-account-settings/annual-fee-calculator'),
  documents: portal({
    path: '/member-account-settings/documents',
    title: 'Documents',
    access: { ...contact, staff: 'private-data' },
    nav: ['Membership', 'Documents'],
    restriction: withAccount,
  }),
  approvals: portal({
    path: '/member-account-settings/approvals',
    title: 'Approvals',
    access: contact,
    nav: ['Membership', 'Approvals'],
    restriction: withAccount,
  }),
  activityLogs: portal({
    path: '/member-account-settings/activity-logs',
    title: 'Activity',
    access: member('member-account-access-logs-view'),
    nav: ['Membership', 'Activity'],
    restriction: withAccount,
  }),
  referralApplication: portal({
    path: '/member-account-settings/referral-application',
    title: 'Referral application',
    access: member('tickets-resources-update', { staff: true }),
    nav: ['Membership', 'Referral application'],
    restriction: withAccount,
  }),

  voting: portal({ path: '/voting', title: 'Voting', access: signedIn, nav: ['Community', 'Voting'] }),
  castVote: portal({ path: '/voting/{electionId}/cast', title: 'Cast a vote', access: signedIn }),
  proxyVote: portal({ path: '/voting/proxy-votes/{proxyId}', title: 'Vote as a proxy', access: signedIn }),
  ballotDuty: portal({ path: '/voting/{electionId}/duty/{duty}', title: 'Election duty', access: signedIn }),
  appointProxy: portal({ path: '/voting/{electionId}/appoint-proxy', title: 'Appoint a proxy', access: signedIn }),
  rollEntry: portal({ path: '/voting/{electionId}/roll', title: 'Entry on the roll', access: signedIn }),
  nominate: portal({ path: '/voting/{electionId}/nominate', title: 'Nominate', access: signedIn }),
  nomination: portal({ path: '/voting/{electionId}/nomination', title: 'Your nomination', access: signedIn }),
  candidates: portal({ path: '/voting/{electionId}/candidates', title: 'Candidates', access: signedIn }),
  votingHistory: portal({
    path: '/voting/history',
    title: 'Voting history',
    access: signedIn,
    nav: ['Community', 'Voting history'],
    restriction: withAccount,
  }),
  proxyHistory: portal({
    path: '/voting/proxy-history',
    title: 'Proxy history',
    access: signedIn,
    nav: ['Community', 'Proxy history'],
    restriction: withAccount,
  }),
  events: redirect('/events', '/events/attended-events'),
  upcomingEvents: portal({
    path: '/events/upcoming-events',
    title: 'Upcoming events',
    access: signedIn,
    nav: ['Community', 'Upcoming events'],
  }),
  attendedEvents: portal({
    path: '/events/attended-events',
    title: 'Past events',
    access: signedIn,
    nav: ['Community', 'Past events'],
  }),
  announcements: portal({
    path: '/announcements',
    title: 'Announcements',
    access: signedIn,
    nav: ['Community', 'Announcements'],
  }),
  ecTickets: redirect('/contact/ecsubmission/ec-rt-tickets', '/contact/ecsubmission/rt-tickets'),
  tickets: portal({
    path: '/contact/{queue}/rt-tickets',
    title: 'Support tickets',
    access: signedIn,
    nav: ['Community', 'Support tickets'],
  }),
  ticket: portal({ path: '/contact/{queue}/ticket/{ticketId}', title: 'Ticket', access: signedIn }),

  settings: portal({ path: '/settings', title: 'Personal settings', access: signedIn }),
  notifications: portal({ path: '/notifications', title: 'Notifications', access: signedIn }),
  holders: portal({ path: '/staff/holders', title: 'Find a holder', access: staff('accounts'), onlyFor: 'staff' }),
  contactRequests: portal({ path: '/staff/requests', title: 'Contact requests', access: staff('memberships'), onlyFor: 'staff' }),
  organisationChanges: portal({
    path: '/staff/organisation-changes',
    title: 'Organisation changes',
    access: staff('memberships'),
    onlyFor: 'staff',
  }),
  deskHome: desk({ path: '/desk', title: 'Desk', access: staff(staffPermissionKeys) }),
  deskRequests: desk({ path: '/desk/requests', title: 'Requests', access: staff(casePermissions), nav: ['Registry staff', 'Requests'] }),
  deskCase: desk({ path: '/desk/requests/{request}', title: 'Request', access: staff(casePermissions) }),
  deskAccounts: desk({
    path: '/desk/accounts',
    title: 'Accounts',
    access: staff('accounts'),
    nav: ['Registry staff', 'Accounts'],
  }),
  deskAccount: desk({ path: '/desk/accounts/{accountName}', title: 'Account', access: staff('accounts') }),
  deskApprovals: desk({
    path: '/desk/approvals',
    title: 'Second approvals',
    access: staff(proposalPermissions),
    nav: ['Registry staff', 'Second approvals'],
  }),
  deskPools: desk({
    path: '/desk/pools',
    title: 'Pools',
    access: staff(['resources', 'transfers', 'ledger']),
    nav: ['Registry staff', 'Pools'],
  }),
  deskPool: desk({ path: '/desk/pools/{kind}', title: 'Pool', access: staff(['resources', 'transfers', 'ledger']) }),
  deskMemberships: desk({
    path: '/desk/memberships',
    title: 'Memberships',
    access: staff(['memberships', 'billing', 'policy']),
    nav: ['Registry staff', 'Memberships'],
  }),
  deskFees: desk({ path: '/desk/fees', title: 'Fees', access: staff(['policy', 'billing']), nav: ['Registry staff', 'Fees'] }),
  deskLameServers: desk({
    path: '/desk/lame-servers',
    title: 'Lame name servers',
    access: staff('dns'),
    nav: ['Registry staff', 'Lame name servers'],
  }),
  // Written out: one more call of `desk` and `staff` renames what the chunk exports, and pages of the portal are within bytes of their weight.
  deskDataQuality: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/data-quality',
    title: 'Data quality',
    access: { who: 'staff', permissions: ['accounts'], mfa: true },
    nav: ['Registry staff', 'Data quality'],
  },
  deskMailTexts: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/mail-texts',
    title: 'Mail texts',
    access: { who: 'staff', permissions: ['policy'], mfa: true },
    nav: ['Registry staff', 'Mail texts'],
  },
  deskBoard: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/board',
    title: 'Board report',
    access: { who: 'staff', permissions: ['policy'], mfa: true },
    nav: ['Registry staff', 'Board report'],
  },
  deskBrand: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/brand',
    title: 'Brand',
    access: { who: 'staff', permissions: ['policy'], mfa: true },
    nav: ['Registry staff', 'Brand'],
  },
  deskPolicy: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/policy',
    title: 'Policy',
    access: { who: 'staff', permissions: ['policy'], mfa: true },
    nav: ['Registry staff', 'Policy'],
  },
  deskLegal: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/legal',
    title: 'Legal texts',
    access: { who: 'staff', permissions: ['policy'], mfa: true },
    nav: ['Registry staff', 'Legal texts'],
  },
  deskFeatures: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/features',
    title: 'Features',
    access: { who: 'staff', permissions: ['policy'], mfa: true },
    nav: ['Registry staff', 'Features'],
  },
  deskPrivacy: {
    app: 'desk',
    onlyFor: 'staff',
    path: '/desk/privacy',
    title: 'Privacy',
    access: { who: 'staff', permissions: ['private-data', 'memberships'], mfa: true },
    nav: ['Registry staff', 'Privacy'],
  },
  deskRegistryData: desk({
    path: '/desk/registry-data',
    title: 'Registry data',
    access: staff(operationPermissions),
    nav: ['Registry staff', 'Registry data'],
  }),
  deskRpki: desk({ path: '/desk/rpki', title: 'RPKI', access: staff('rpki'), nav: ['Registry staff', 'RPKI'] }),
  deskSetAside: desk({
    path: '/desk/set-aside',
    title: 'Set aside',
    access: staff(setAsidePermissions),
    nav: ['Registry staff', 'Set aside'],
  }),
  deskPayments: desk({
    path: '/desk/payments',
    title: 'Payments',
    access: staff(['payments', 'billing']),
    nav: ['Registry staff', 'Payments'],
  }),
  deskBooks: desk({
    path: '/desk/books',
    title: 'Books',
    access: staff(['billing', 'payments', 'write-offs']),
    nav: ['Registry staff', 'Books'],
  }),
  deskTickets: desk({ path: '/desk/tickets', title: 'Tickets', access: staff('support'), nav: ['Registry staff', 'Tickets'] }),
  deskElections: desk({
    path: '/desk/elections',
    title: 'Elections',
    access: staff(electionPermissions),
    nav: ['Registry staff', 'Elections'],
  }),
  deskEvents: desk({ path: '/desk/events', title: 'Events', access: staff(eventPermissions), nav: ['Registry staff', 'Events'] }),
  deskAnnouncements: desk({
    path: '/desk/announcements',
    title: 'Announcements',
    access: staff('announcements'),
    nav: ['Registry staff', 'Announcements'],
  }),
  deskReplyTemplates: desk({
    path: '/desk/reply-templates',
    title: 'Reply templates',
    access: staff(['support', ...casePermissions]),
    nav: ['Registry staff', 'Reply templates'],
  }),
  deskPeople: desk({ path: '/desk/people', title: 'Find a person', access: staff('accounts'), nav: ['Registry staff', 'Find a person'] }),
  deskStaff: desk({ path: '/desk/staff', title: 'Staff and roles', access: staff('staff'), nav: ['Registry staff', 'Staff and roles'] }),
  deskOwnRoles: desk({ path: '/desk/own-roles', title: 'Your roles', access: ownRights }),
  notFound: portal({ path: '*', title: 'Page not found', access: anyone }),
} as const satisfies Record<string, Page>;

export type Pages = typeof pages;
export type PageName = keyof Pages;
export type SitePage = Page;
/** Names of the pages of one app that need a view: a missing view does not compile. */
export type PageOf<App extends Page['app']> = {
  [K in PageName]: Pages[K] extends { app: App } ? (Pages[K] extends { redirectTo: string } ? never : K) : never;
}[PageName];

/** Parameters a navigation link fills in: the queue that Support tickets opens. */
export const navigationParams: Record<string, string> = { queue: 'helpdesk' };

/** A page's path for a product: `resource_delegation_{product}` in lower case, `My{product}` as the product is written. */
export function pagePath(path: string, product: string): string {
  return path.replace('My{product}', `My${product}`).replaceAll('{product}', product.toLowerCase());
}

/** Returns whether a path belongs to the staff app, which has a document of its own. */
export const isDeskPath = (path: string): boolean => path === '/desk' || path.startsWith('/desk/');

/** All pages with their names, in site-map order. */
export const sitePages = Object.entries(pages).map(([name, definition]) => ({ name: name as PageName, ...(definition as Page) }));

/** The page of a path (without query or hash) and its route parameters; the not-found page when there is none. */
export function findPage(path: string, product: string): { name: PageName; page: Page; params: Record<string, string> } {
  const exact = sitePages.find(page => pagePath(page.path, product) === path);
  if (exact) return { name: exact.name, page: exact, params: {} };
  for (const page of sitePages) {
    const ownPath = pagePath(page.path, product);
    if (!ownPath.includes('{')) continue;
    const names: string[] = [];
    const pattern = ownPath.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name);
      return '([^/]+)';
    });
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (match) return { name: page.name, page, params: Object.fromEntries(names.map((name, i) => [name, safeDecode(match[i + 1]!)])) };
  }
  return { name: 'notFound', page: pages.notFound, params: {} };
}

/**
 * The address of a page for a person with several accounts: it selects the account that the page is about first. Pages that are of no account, and those of the desk,
 * stay as they are.
 * @param path with its query
 */
export function addressInAccount(path: string, accountName: string): string {
  const { name, page } = findPage(path.replace(/[?#].*$/s, ''), '');
  const isOfAccount =
    page.app !== 'desk' &&
    (name === 'home' || page.access.who === 'member' || page.access.who === 'corporate' || page.access.who === 'contact');
  return isOfAccount ? `/${encodeURIComponent(accountName)}/index.html?to=${encodeURIComponent(path)}` : path;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % matches no name; the page says so
  }
}
