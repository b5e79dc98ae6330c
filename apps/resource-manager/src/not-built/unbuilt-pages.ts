import type { PageName, PageOf, Pages } from '@portal/contract/pages';

/** Framed pages that are routed and guarded but not written yet. */
export type UnbuiltPage = { [K in PageName]: Pages[K] extends { app: 'resource-manager'; built: false } ? K : never }[PageName];

/** Alternatives until then: another page of the portal, or the registry's support. "Until then, …": the words before the link, and those of the link. */
export const alternatives = {
  support: ['the registry can do it for you:', 'write to support'],
  resourcesSummary: ['see what the account holds under', 'Resources'],
  ipv4: ['the address map shows what is assigned and free:', 'IPv4'],
  ipv6: ['the address map shows what is assigned and free:', 'IPv6'],
  asn: ['see the account’s AS numbers under', 'AS numbers'],
  ipv4ShowList: ['view and export registrations under', 'IPv4 registrations'],
  ipv6ShowList: ['view and export registrations under', 'IPv6 registrations'],
  customerManagement: ['see customer assignments under', 'Customer management'],
  prefix: ['look up a prefix under', 'Prefix'],
  asNumber: ['look up an AS number under', 'AS number'],
  whoisUpdates: ['change one object at a time under', 'Whois updates'],
  maintainer: ['see who can change objects under', 'Maintainers'],
  whoisTextUpload: ['upload many objects as text under', 'Text upload'],
  irt: ['see abuse contacts under', 'IRT'],
  addIrt: ['create an IRT under', 'IRT'],
  addExistingIrt: ['set an IRT on resources under', 'IRT'],
  irtValidation: ['validate mailboxes under', 'IRT validation'],
  bulkWhoisUpdates: ['change many objects under', 'Bulk updates'],
  whoisAttributeUpdate: ['replace a value in many objects under', 'Attribute update'],
  download: ['download whois objects under', 'Bulk download'],
  whoisContactDetailsUpdate: ['update contact details under', 'Contact details'],
  tasks: ['see background tasks under', 'Tasks'],
  bulkUpdateTasks: ['see bulk changes under', 'Bulk updates'],
  taskWhoisModify: ['see bulk changes under', 'Bulk updates'],
  taskWhoisModifyObjects: ['see bulk changes under', 'Bulk updates'],
  taskEcho: ['see background tasks under', 'Tasks'],
} as const satisfies Partial<Record<'support' | PageOf<'resource-manager'>, readonly [string, string]>>;

/** Purpose of a page, in a few words after "It will", and the alternative until then. */
export type Plan = { will: string; meanwhile?: keyof typeof alternatives };

/** One plan for each page of the site map that is not built: a new page without one does not compile. */
export const unbuiltPages: Record<UnbuiltPage, Plan> & Partial<Record<PageName, Plan>> = {};
