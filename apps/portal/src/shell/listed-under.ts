import { findPage, type PageName, pages, type SitePage } from '@portal/contract/pages';
import type { NavigationItem } from '@portal/contract/shell/shell';
import { ticketsAmong } from './navigation-groups.ts';

/** Pages without an entry of their own, by the page whose entry is marked for them. Those under the address of an entry don't need one. */
const listedUnder: Partial<Record<PageName, PageName>> = {
  prefix: 'resourcesSummary',
  asNumber: 'asn',
  addIrt: 'irt',
  addExistingIrt: 'irt',
  reverseDnsIpv4: 'reverseDns',
  reverseDnsIpv6: 'reverseDns',
  routeRequestDetails: 'routeRequests',
  ipv6OneClick: 'ipv6Request',
  ipv4Transfer: 'transferSelect',
  ipv4TransferSuccess: 'transferSelect',
  acquisitionTransfer: 'transferSelect',
  acquisitionTransferSuccess: 'transferSelect',
  ipv4Receive: 'transferReceiveSelect',
  acquisitionReceive: 'transferReceiveSelect',
  ipv4ReturnSuccess: 'ipv4Return',
  apiKeyCreate: 'apiKeys',
  webhookCreate: 'webhooks',
  webhook: 'webhooks',
  jointBilling: 'billing',
  closedAccount: 'myAccounts',
};

/** Returns the path of the page that is marked for this one; undefined where there is none. */
function listAbove(path: string): string | undefined {
  // Addresses of tasks have the name of the product.
  if (path.startsWith('/task/')) return pages.tasks.path;
  const above = listedUnder[findPage(path, '').name];
  return above && (pages[above] as SitePage).path;
}

const linksOf = (item: NavigationItem): string[] => [...(item.link ? [item.link] : []), ...(item.children ?? []).flatMap(linksOf)];

/** Returns the link of the entry in which a page stands: its own, that of the list it belongs to, or that of a page above it; the path itself without one. */
export function placeIn(items: readonly NavigationItem[], path: string): string {
  const links = items.flatMap(linksOf);
  if (links.includes(path)) return path;
  const above = links.filter(link => link !== '/' && path.startsWith(`${link}/`)).toSorted((one, other) => other.length - one.length)[0];
  return ticketsAmong(links, path) ?? above ?? listAbove(path) ?? path;
}
