/**
 * Features that can be switched on for everyone, for some accounts or for a share of them, and off (decision 326; feature flags in the specification, section 3): key in the answer
 * of GET /api/feature-flags, name in the portal, title, what members do with it, and what a refusal calls it. A call names its feature as `flag`, and so does a page.
 */
export const flags = {
  renewalquote: {
    name: 'enableRenewalQuote',
    title: 'Renewal quotes',
    does: 'Members see what their next renewal costs, get quotes for it, and request its invoice in advance.',
    gates: 'renewal quotes in billing',
  },
  contactmanagement: {
    name: 'enableContactManagement',
    title: 'Contact management',
    does: 'Members invite, change and remove contacts and helpers. Seeing contacts and changing your own details doesn’t need it.',
    gates: 'adding, changing and removing contacts',
  },
  zonefiles: {
    name: 'enableZoneFiles',
    title: 'Zone file upload',
    does: 'Members upload a zone file to delegate its reverse zones. Delegating single zones doesn’t need it.',
    gates: 'uploading zone files',
  },
  ipv6oneclick: {
    name: 'enableIpv6OneClick',
    title: 'IPv6 in one click',
    does: 'Members with IPv4 and no IPv6 get a block immediately. Requesting IPv6 doesn’t need it.',
    gates: 'IPv6 in one click',
  },
  checklists: {
    name: 'enableSignedChecklists',
    title: 'Signing checklists',
    does: 'Members sign lists of files with the key of their resources. Listing and revoking checklists doesn’t need it.',
    gates: 'signing checklists',
  },
} as const;
export type Flag = keyof typeof flags;
export const flagKeys = Object.keys(flags) as [Flag, ...Flag[]];
