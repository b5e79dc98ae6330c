import type { WhoisClass } from '@portal/contract/whois/whois';

type Words = {
  /** Its purpose. */
  about: string;
  /** Why members can't create one here, and the page to use instead; null if they can. */
  elsewhere: { why: string; label: string; href: string } | null;
};

const here = null;
const delegated = (label: string, href: string) => ({
  why: 'Created by the registry when it delegates numbers',
  label,
  href,
});

/** The classes of objects, in the order of the chooser, with their purpose and where they are created. */
export const classWords: Readonly<Record<WhoisClass, Words>> = {
  inetnum: { about: 'IPv4 addresses you assign or allocate below your own', elsewhere: here },
  inet6num: { about: 'IPv6 addresses you assign or allocate below your own', elsewhere: here },
  route: { about: 'An IPv4 prefix and the AS number that announces it', elsewhere: here },
  route6: { about: 'An IPv6 prefix and the AS number that announces it', elsewhere: here },
  'as-set': { about: 'A group of AS numbers, such as your customers', elsewhere: here },
  'route-set': { about: 'A group of prefixes', elsewhere: here },
  domain: { about: 'A reverse zone and its name servers', elsewhere: here },
  person: { about: 'An individual contact', elsewhere: here },
  role: { about: 'A team, such as a NOC', elsewhere: here },
  irt: { about: 'Abuse contact', elsewhere: here },
  mntner: {
    about: 'Controls who can change objects',
    elsewhere: { why: 'Created and linked to the account in one step', label: 'Maintainers', href: '/resources/maintainer' },
  },
  'key-cert': { about: 'A public key, published for reference: updates aren’t taken by mail', elsewhere: here },
  'inet-rtr': { about: 'A router with its interfaces', elsewhere: here },
  'filter-set': { about: 'A named route filter', elsewhere: here },
  'peering-set': { about: 'A named set of peerings', elsewhere: here },
  'rtr-set': { about: 'A group of routers', elsewhere: here },
  'aut-num': { about: 'An AS number and its routing policy', elsewhere: delegated('Ask for an AS number', '/resources/asn_request_form') },
  'as-block': {
    about: 'A range of AS numbers',
    elsewhere: { why: 'Created by the registry only', label: 'AS numbers', href: '/resources/asn' },
  },
  organisation: {
    about: 'A member in whois',
    elsewhere: {
      why: 'Created by the registry from its member records',
      label: 'Organisation',
      href: '/member-account-settings',
    },
  },
};
