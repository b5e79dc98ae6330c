import type { PageName } from '../pages.ts';

const account = '/api/{account}';
const table = '&offset=0&limit=50';

/**
 * The reads with which a page begins at its address without a query, besides those of every page; `{account}` is the selected account. The
 * HTML names them, so that a browser that has never shown the page asks for them before the page's code has come. What a page reads after an
 * answer is not here. `e2e/first-reads.e2e.ts` compares each line with what the page asks for.
 */
export const firstReads: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  resourcesSummary: [`${account}/resources/summary`, `${account}/resources/delegations?kind=asn&limit=12`],
  ipv4: [
    `${account}/resources/summary`,
    `${account}/resources/delegations?kind=ipv4&q=&sort=resource&direction=asc${table}`,
    `${account}/resources/address-map?kind=ipv4`,
  ],
  ipv6: [`${account}/resources/summary`, `${account}/resources/delegations?kind=ipv6&q=&sort=resource&direction=asc${table}`],
  asn: [
    `${account}/resources/summary`,
    `${account}/resources/delegations?kind=asn&limit=40`,
    `${account}/resources/delegations?kind=asn&q=&sort=resource&direction=asc${table}`,
  ],
  ipv4ShowList: [
    `${account}/resources/registrations?kind=ipv4&q=&free=yes${table}`,
    `${account}/resources/delegations?kind=ipv4&type=allocated&limit=500`,
  ],
  ipv6ShowList: [
    `${account}/resources/registrations?kind=ipv6&q=&free=yes${table}`,
    `${account}/resources/delegations?kind=ipv6&type=allocated&limit=500`,
  ],
  whoisUpdates: [
    `${account}/whois/objects?q=&sort=class&direction=asc${table}`,
    `${account}/whois/maintainers`,
    `${account}/whois/consents`,
  ],
  maintainer: [`${account}/whois/maintainers`],
  reverseDnsSummary: [`${account}/reverse-dns`, `${account}/reverse-dns/waiting?offset=0&limit=20`],
  reverseDns: [`${account}/reverse-dns/zones?q=&delegated=true&offset=0&limit=50`],
  routes: [`${account}/routes?q=&sort=prefix&direction=asc${table}`],
  rpki: [`${account}/rpki`, `${account}/rpki/self-hosted`],
  accountContacts: [
    '/api/feature-flags',
    `${account}/contacts?offset=0&limit=500`,
    `${account}/contacts?q=&sort=fullName&direction=asc${table}`,
  ],
  organizationDetails: [`${account}/organisation`],
  billing: [`${account}/billing`, `${account}/billing/renewal`, '/api/feature-flags'],
  documents: [`${account}/documents`],
  voting: [`${account}/voting`],
  upcomingEvents: ['/api/events/upcoming?account={account}'],
  announcements: ['/api/announcements?current=true', '/api/announcements/own-feed'],
  tasks: [`${account}/tasks?kind=all&limit=50`],
};
