import type { ResourceKind } from '@portal/contract/resources/resource-kinds';

type Words = {
  name: string;
  one: string;
  several: string;
  page: string;
  registrationsPage: string | null;
  none: { title: string; words: string };
};

/** Words and pages of each kind of number resource. */
export const wordsOf: Record<ResourceKind, Words> = {
  ipv4: {
    name: 'IPv4',
    one: 'delegation',
    several: 'delegations',
    page: '/resources/ipv4',
    registrationsPage: '/resources/IPv4ShowList',
    none: { title: 'No IPv4 space yet', words: 'Space delegated to the account appears here, drawn to scale.' },
  },
  ipv6: {
    name: 'IPv6',
    one: 'delegation',
    several: 'delegations',
    page: '/resources/ipv6',
    registrationsPage: '/resources/IPv6ShowList',
    none: { title: 'No IPv6 space yet', words: 'Space delegated to the account appears here, drawn to scale.' },
  },
  asn: {
    name: 'AS numbers',
    one: 'delegation',
    several: 'delegations',
    page: '/resources/asn',
    registrationsPage: null,
    none: { title: 'No AS numbers yet', words: 'AS numbers assigned to the account appear here.' },
  },
};
