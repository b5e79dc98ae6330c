import { findPage, type PageName } from '@portal/contract/pages';
import { type NavigationItem, navigationKey } from '@portal/contract/shell/shell';
import type { IconName, SideNavGroup, SideNavItem } from '@portal/ui';

/** Icons of the entries by their page; an entry that links elsewhere has none. */
const icons: Partial<Record<PageName, IconName>> = {
  home: 'home',
  resourcesSummary: 'resources',
  customerManagement: 'user',
  whoisUpdates: 'whois',
  reverseDnsSummary: 'reverse',
  routes: 'route',
  nirDelegation: 'columns',
  ipv4Request: 'inbox',
  transferSelect: 'transfer',
  apiKeys: 'key',
  tasks: 'tasks',
  ipv6Sparse: 'search',
  myAccounts: 'accounts',
  addAccount: 'plus',
  linkMembership: 'link',
  myPermissions: 'shield',
  accountContacts: 'contacts',
  accessRequests: 'lock',
  organizationDetails: 'building',
  billing: 'billing',
  annualFeeCalculator: 'chart',
  documents: 'document',
  approvals: 'check',
  activityLogs: 'clock',
  referralApplication: 'mail',
  voting: 'vote',
  votingHistory: 'history',
  proxyHistory: 'proxy',
  upcomingEvents: 'calendar',
  attendedEvents: 'valid',
  announcements: 'bell',
  tickets: 'ticket',
  deskRequests: 'inbox',
  deskAccounts: 'search',
  deskPeople: 'contacts',
  deskApprovals: 'check',
};

/** The product's navigation in the answer, without items of another shape; null when there is none. */
export function navigationIn(answer: unknown, product: string): NavigationItem[] | null {
  const items = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[navigationKey(product)] : null;
  return Array.isArray(items) ? items.filter(isItem) : null;
}

/** Checked by hand, so that the first screen doesn't load the schema library. */
function isItem(given: unknown): given is NavigationItem {
  if (typeof given !== 'object' || given === null) return false;
  const { label_en_us, link, restriction, children } = given as Record<string, unknown>;
  return (
    typeof label_en_us === 'string' &&
    (link === undefined || typeof link === 'string') &&
    (restriction === undefined || restriction === 'noMembershipAccount' || restriction === 'hasMembershipAccount') &&
    (children === undefined || (Array.isArray(children) && children.every(isItem)))
  );
}

/** Things that need attention, by the path of the page that deals with them. */
export type OpenCounts = ReadonlyMap<string, number>;
const none: OpenCounts = new Map();

const holds = (item: NavigationItem, path: string): boolean =>
  item.link === path || (item.children ?? []).some(child => holds(child, path));

/** Of the links of the navigation, that of a ticket or a list of tickets, of whichever queue; undefined for other paths. */
export const ticketsAmong = (links: readonly string[], path: string): string | undefined =>
  ['ticket', 'tickets'].includes(findPage(path, '').name) ? links.find(link => findPage(link, '').name === 'tickets') : undefined;

const firstLink = (item: NavigationItem): string => item.link ?? (item.children ?? []).map(firstLink).find(Boolean) ?? '';

/** The number of an entry is that of its own page, or of all its pages. */
const openAt = (item: NavigationItem, counts: OpenCounts): number =>
  (counts.get(item.link ?? '') ?? 0) + (item.children ?? []).reduce((sum, child) => sum + openAt(child, counts), 0);

function sideItem(item: NavigationItem, { path, unfolded, counts }: Seen): SideNavItem {
  const href = firstLink(item);
  const icon = icons[findPage(href, '').name];
  const entry: SideNavItem = { href, label: item.label_en_us, ...(icon && { icon }), current: item.link === path };
  const count = (of: NavigationItem) => ({ count: openAt(of, counts), countLabel: 'to deal with' });
  if (!item.children || !(unfolded || holds(item, path))) return { ...entry, ...count(item) };
  return {
    ...entry,
    pages: item.children.map(child => ({
      href: firstLink(child),
      label: child.label_en_us,
      current: child.link === path,
      ...count(child),
    })),
  };
}

type Seen = { path: string; unfolded: boolean; counts: OpenCounts };

/**
 * The contextual navigation as the side shows it: an entry with children is a heading over them; below that, an entry with children
 * leads to its first page and shows its pages while one of them is open, or all entries do when it is `unfolded`. Entries have the number of
 * things there that need attention, folded ones that of their pages. @param path of the entry that is marked
 */
export function navigationGroups(items: readonly NavigationItem[], path: string, unfolded = false, counts = none): SideNavGroup[] {
  const seen = { path, unfolded, counts };
  const groups: SideNavGroup[] = [];
  for (const item of items) {
    if (item.children) groups.push({ label: item.label_en_us, items: item.children.map(child => sideItem(child, seen)) });
    else {
      const last = groups.at(-1);
      if (last && last.label === undefined) last.items.push(sideItem(item, seen));
      else groups.push({ items: [sideItem(item, seen)] });
    }
  }
  return groups;
}

export type NavigationPage = {
  label: string;
  group: string;
  link: string;
};

const entriesOf = (items: readonly NavigationItem[], group: string): NavigationPage[] =>
  items.flatMap(item => [
    ...(item.link ? [{ label: item.label_en_us, group, link: item.link }] : []),
    ...entriesOf(item.children ?? [], group ? `${group}, ${item.label_en_us}` : item.label_en_us),
  ]);

/** Every page of the navigation in one list, for the command palette: a page with two places only at the first. */
export const navigationPages = (items: readonly NavigationItem[]): NavigationPage[] =>
  [
    ...new Map(
      entriesOf(items, '')
        .toReversed()
        .map(entry => [entry.link, entry]),
    ).values(),
  ].toReversed();

/** The entries whose label has the words, in their groups; groups without any disappear. */
export function searchedNavigation(items: readonly NavigationItem[], words: string): NavigationItem[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [...items];
  return items.flatMap(item => {
    if (item.label_en_us.toLowerCase().includes(wanted)) return [item];
    const children = searchedNavigation(item.children ?? [], words);
    return children.length > 0 ? [{ ...item, children }] : [];
  });
}
