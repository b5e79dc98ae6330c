import type { NavigationItem } from '@portal/contract/shell';
import type { IconName, SideNavGroup, SideNavItem } from '@portal/ui';

/** Pictures of the entries this registry ships; an entry it does not know goes without. */
const icons: Record<string, IconName> = {
  Home: 'home',
  Resources: 'resources',
  'Customer Management': 'contacts',
  Whois: 'whois',
  'Reverse DNS': 'reverse',
  'Routes and RPKI': 'route',
  'NIR Tools': 'building',
  Requests: 'inbox',
  Transfers: 'transfer',
  'API keys': 'key',
  Tasks: 'tasks',
  Tools: 'columns',
  'My accounts': 'building',
  'Apply for membership': 'plus',
  'Link existing membership': 'plus',
  'My permissions': 'shield',
  'Account contacts': 'contacts',
  'Access requests': 'inbox',
  'Organisation details': 'document',
  Billing: 'billing',
  'Annual fee calculator': 'chart',
  Documents: 'document',
  Activity: 'clock',
  'Referral application': 'user',
  Voting: 'vote',
  'Voting history': 'clock',
  'Proxy history': 'clock',
  'Upcoming events': 'calendar',
  'Past events': 'calendar',
  'Support tickets': 'ticket',
  'Find a holder': 'search',
};

const holds = (item: NavigationItem, path: string): boolean =>
  item.link === path || (item.children ?? []).some(child => holds(child, path));
const firstLink = (item: NavigationItem): string => item.link ?? (item.children ?? []).map(firstLink).find(Boolean) ?? '';

function sideItem(item: NavigationItem, path: string): SideNavItem {
  const icon = icons[item.label_en_us];
  const entry: SideNavItem = { href: firstLink(item), label: item.label_en_us, ...(icon && { icon }), current: item.link === path };
  if (!item.children || !holds(item, path)) return entry;
  return {
    ...entry,
    pages: item.children.map(child => ({ href: firstLink(child), label: child.label_en_us, current: child.link === path })),
  };
}

/**
 * The contextual navigation as the side shows it: an entry with children is a heading over them; below that, an entry with children
 * leads to its first page and shows its pages while one of them is open.
 */
export function navigationGroups(items: readonly NavigationItem[], path: string): SideNavGroup[] {
  const groups: SideNavGroup[] = [];
  for (const item of items) {
    if (item.children) groups.push({ label: item.label_en_us, items: item.children.map(child => sideItem(child, path)) });
    else {
      const last = groups.at(-1);
      if (last && last.label === undefined) last.items.push(sideItem(item, path));
      else groups.push({ items: [sideItem(item, path)] });
    }
  }
  return groups;
}

export type NavigationPage = { label: string; group: string; link: string };

/** Every page of the navigation in one list, for the command palette. */
export const navigationPages = (items: readonly NavigationItem[], group = ''): NavigationPage[] =>
  items.flatMap(item => [
    ...(item.link ? [{ label: item.label_en_us, group, link: item.link }] : []),
    ...navigationPages(item.children ?? [], group ? `${group}, ${item.label_en_us}` : item.label_en_us),
  ]);

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
