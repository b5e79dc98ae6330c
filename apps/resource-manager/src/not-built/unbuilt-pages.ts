import type { PageName, PageOf, Pages } from '@portal/contract/pages';

/** Framed pages that are routed and guarded but not written yet. */
export type UnbuiltPage = { [K in PageName]: Pages[K] extends { app: 'resource-manager'; built: false } ? K : never }[PageName];

/** Alternatives until then: another page of the portal, or the registry's support. "Until then, …": the words before the link, and those of the link. */
export const alternatives = {
  support: ['the registry can do it for you:', 'write to support'],
  resourcesSummary: ['what the account holds stands under', 'Resources'],
  ipv4: ['the address map shows what is assigned and free:', 'IPv4'],
  ipv6: ['the address map shows what is assigned and free:', 'IPv6'],
  asn: ['the AS numbers of the account stand under', 'AS numbers'],
  ipv4ShowList: ['what is registered can be read and exported under', 'IPv4 registrations'],
  ipv6ShowList: ['what is registered can be read and exported under', 'IPv6 registrations'],
  customerManagement: ['what customers have been given stands under', 'Customer management'],
  prefix: ['all that is known of a prefix stands under', 'Prefix'],
  asNumber: ['all that is known of an AS number stands under', 'AS number'],
  whoisUpdates: ['one object at a time can be changed under', 'Whois updates'],
  maintainer: ['who may change objects stands under', 'Maintainers'],
  whoisTextUpload: ['many objects can be sent as one text under', 'Text upload'],
  irt: ['see abuse contacts under', 'IRT'],
  addIrt: ['an irt is made under', 'IRT'],
  addExistingIrt: ['an irt is put on resources under', 'IRT'],
  irtValidation: ['mailboxes are validated under', 'IRT validation'],
  bulkWhoisUpdates: ['change many objects under', 'Bulk updates'],
  whoisAttributeUpdate: ['one value can be replaced in many objects under', 'Attribute update'],
  download: ['whois objects can be downloaded under', 'Bulk download'],
  whoisContactDetailsUpdate: ['how contacts are reached is kept under', 'Contact details'],
  tasks: ['work in the background stands under', 'Tasks'],
  bulkUpdateTasks: ['changes of many objects stand under', 'Bulk updates'],
  taskWhoisModify: ['changes of many objects stand under', 'Bulk updates'],
  taskWhoisModifyObjects: ['changes of many objects stand under', 'Bulk updates'],
  taskEcho: ['work in the background stands under', 'Tasks'],
} as const satisfies Partial<Record<'support' | PageOf<'resource-manager'>, readonly [string, string]>>;

/** Purpose of a page, in a few words after "It will", and the alternative until then. */
export type Plan = { will: string; meanwhile?: keyof typeof alternatives };

/** One plan for each page of the site map that is not built: a new page without one does not compile. */
export const unbuiltPages: Record<UnbuiltPage, Plan> = {
  nirDelegation: { will: 'delegate space from your own pool to a sub-account', meanwhile: 'support' },
  nirDelegationRegistry: { will: 'ask for space of the registry pool for a sub-account', meanwhile: 'support' },
  subaccountManagement: { will: 'keep the sub-accounts of a national registry', meanwhile: 'support' },
  subaccountTransfer: { will: 'move resources between sub-accounts', meanwhile: 'support' },
  entityManagement: { will: 'keep the organisations behind sub-accounts', meanwhile: 'support' },

  availableListings: { will: 'list IPv4 space that holders offer for transfer', meanwhile: 'support' },
};
