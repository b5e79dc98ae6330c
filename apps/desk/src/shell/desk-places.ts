import { findPage, type PageName, pages } from '@portal/contract/pages';
import type { IconName, SideNavGroup, SideNavItem } from '@portal/ui';

/** An entry of the navigation that is a page of its own. Every one has an icon that no other has: the narrow navigation shows nothing else. */
export type DeskPlace = { name: PageName; label: string; icon: IconName };

/** The navigation of the desk: what everyone opens first, then the named groups. */
const groups: readonly { label?: string; places: readonly DeskPlace[] }[] = [
  {
    places: [
      { name: 'deskHome', label: 'Desk', icon: 'home' },
      { name: 'deskRequests', label: 'Requests', icon: 'inbox' },
      { name: 'deskTickets', label: 'Tickets', icon: 'ticket' },
      { name: 'deskAccounts', label: 'Accounts', icon: 'contacts' },
      { name: 'deskPeople', label: 'Find a person', icon: 'search' },
      { name: 'deskPools', label: 'Pools', icon: 'resources' },
    ],
  },
  { label: 'Saved queues', places: [{ name: 'deskApprovals', label: 'Second approvals', icon: 'check' }] },
  {
    label: 'Registry',
    places: [
      { name: 'deskRegistryData', label: 'Registry data', icon: 'whois' },
      { name: 'deskRpki', label: 'RPKI', icon: 'shield' },
      { name: 'deskLameServers', label: 'Lame name servers', icon: 'reverse' },
      { name: 'deskDataQuality', label: 'Data quality', icon: 'valid' },
      { name: 'deskElections', label: 'Elections', icon: 'vote' },
      { name: 'deskEvents', label: 'Events', icon: 'calendar' },
    ],
  },
  {
    label: 'Communication',
    places: [
      { name: 'deskAnnouncements', label: 'Announcements', icon: 'bell' },
      { name: 'deskReplyTemplates', label: 'Reply templates', icon: 'edit' },
      { name: 'deskMailTexts', label: 'Mail texts', icon: 'mail' },
      { name: 'deskLegal', label: 'Legal texts', icon: 'document' },
      { name: 'deskBrand', label: 'Brand', icon: 'accounts' },
    ],
  },
  {
    label: 'Office',
    places: [
      { name: 'deskBooks', label: 'Books', icon: 'billing' },
      { name: 'deskPayments', label: 'Payments', icon: 'transfer' },
      { name: 'deskMemberships', label: 'Memberships', icon: 'refresh' },
      { name: 'deskFees', label: 'Fees', icon: 'chart' },
      { name: 'deskPolicy', label: 'Policy', icon: 'columns' },
      { name: 'deskBoard', label: 'Board report', icon: 'building' },
      { name: 'deskStaff', label: 'Staff and roles', icon: 'user' },
      { name: 'deskPrivacy', label: 'Privacy', icon: 'lock' },
      { name: 'deskFeatures', label: 'Features', icon: 'plus' },
      { name: 'deskSetAside', label: 'Set aside', icon: 'warning' },
    ],
  },
];
const queuesLabel = 'Saved queues';

/** Pages that are not in the navigation, by the entry they belong to. */
const under: Partial<Record<PageName, PageName>> = { deskAccount: 'deskAccounts', deskCase: 'deskRequests', deskPool: 'deskPools' };

/** The entries that a person's roles open, in the order of the navigation. @param may whether the roles open a page */
export const placesOf = (may: (page: (typeof pages)[PageName]) => boolean): DeskPlace[] =>
  groups.flatMap(({ places }) => places).filter(({ name }) => may(pages[name]));

/** A link to the list of requests with filters: one everyone has, or one that someone saved. `filter` is its query, such as `age=late`. */
export type Queue = { label: string; filter: string; icon: IconName; count?: number; countLabel?: string; isUrgent?: boolean };

/** The queues that everyone has, counted over all kinds of cases. */
export const usualQueues = ({ late, waitingOnMembers }: { late: number; waitingOnMembers: number }): Queue[] => [
  { label: 'Late', filter: 'age=late', icon: 'clock', count: late, countLabel: 'late', isUrgent: true },
  { label: 'Waiting on members', filter: 'status=needs-info', icon: 'reply', count: waitingOnMembers, countLabel: 'waiting' },
];

/**
 * Builds the navigation: groups without an entry are left out. The open page is marked, or the queue whose filter is the one in the address.
 * @param open the open request's count, and the page with its filter (a query without its question mark, empty for none)
 */
export function deskNavigation(
  own: readonly DeskPlace[],
  queues: readonly Queue[],
  { path, filter, count, product }: { path: string; filter: string; count: number; product: string },
): SideNavGroup[] {
  const { name } = findPage(path, product);
  const current = under[name] ?? name;
  const queue = current === 'deskRequests' ? queues.find(each => each.filter === filter) : undefined;
  const isOwn = ({ name: page }: DeskPlace) => own.some(place => place.name === page);
  return groups
    .map(({ label, places }): SideNavGroup => {
      const items = places.filter(isOwn).map(({ name: page, label: words, icon }): SideNavItem => {
        const item = { href: pages[page].path, label: words, icon, current: page === current && !queue };
        return page === 'deskRequests' ? { ...item, count, countLabel: 'waiting', quiet: true } : item;
      });
      if (label !== queuesLabel) return { ...(label && { label }), items };
      const links = queues.map(
        (each): SideNavItem => ({
          href: `${pages.deskRequests.path}?${each.filter}`,
          label: each.label,
          icon: each.icon,
          current: each === queue,
          quiet: !each.isUrgent,
          ...(each.count !== undefined && { count: each.count }),
          ...(each.countLabel && { countLabel: each.countLabel }),
        }),
      );
      return { label, items: [...links.slice(0, 1), ...items, ...links.slice(1)] };
    })
    .filter(({ items }) => items.length > 0);
}
