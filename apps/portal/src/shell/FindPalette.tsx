import { reading, useMaybeSession } from '@portal/app-kit';
import { search, type SearchHit, searchSections, type SearchSection } from '@portal/contract/search/search';
import type { NavigationItem } from '@portal/contract/shell/shell';
import { CommandPalette, type PaletteGroup, type PaletteItem } from '@portal/ui/picker/CommandPalette';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Portal } from '../portal.ts';
import { navigationPages } from './navigation-groups.ts';
import { paletteActions } from './palette-actions.ts';
import { recentPlaces, rememberPlace } from './recent-places.ts';
import { settingsPages } from './settings-pages.ts';

const icons: Partial<Record<SearchSection, PaletteItem['icon']>> = {
  accounts: 'building',
  whois: 'whois',
  people: 'user',
  requests: 'inbox',
  invoices: 'billing',
  documents: 'document',
  customers: 'contacts',
  tasks: 'tasks',
  elections: 'vote',
};

/** Hits of a search as sections of the palette, in the order in which they came. */
function sectionsOf(
  hits: readonly SearchHit[],
  words: (section: SearchSection) => string = section => searchSections[section],
): PaletteGroup[] {
  const groups = new Map<SearchSection, PaletteItem[]>();
  for (const { section, text, note, link, kind } of hits) {
    const item: PaletteItem = {
      id: `${section} ${text} ${link}`,
      text,
      note,
      href: link,
      ...(kind ? { kind } : { icon: icons[section] ?? 'arrow-right' }),
      ...(section === 'whois' && { mono: true }),
    };
    groups.set(section, [...(groups.get(section) ?? []), item]);
  }
  return [...groups].map(([section, items]) => ({ label: words(section), items }));
}

/** What the command palette offers for what is typed, and where picking it leads. */
export function FindPalette({ portal, items, open }: { portal: Portal; items: readonly NavigationItem[]; open: boolean }) {
  const { call, router } = portal;
  const session = useMaybeSession();
  const [typed, setTyped] = useState('');
  const words = useDeferredValue(typed);
  const account = session?.account?.accountName ?? '';
  const asks = open && words.trim().length > 1;
  const own = useQuery({ ...reading(call, search.findInAccount, { account, query: { q: words } }), enabled: asks && account !== '' });
  const mayFindAll = asks && Boolean(session?.person.staff && session.person.mfa);
  const all = useQuery({ ...reading(call, search.findEverywhere, { query: { q: words } }), enabled: mayFindAll });

  const pages = [...navigationPages(items), ...settingsPages].map(({ label, group, link, built }) => ({
    id: `page ${link}`,
    text: label,
    note: built ? group : 'Coming soon',
    href: link,
    isBuilt: built,
  }));
  const actions = paletteActions(portal, session);
  const groups: PaletteGroup[] = [
    { label: 'Actions', items: actions },
    { label: 'Pages', items: pages.filter(({ isBuilt }) => isBuilt) },
    {
      label: 'Accounts',
      items: (session?.accounts ?? [])
        .filter(other => other.accountName !== account)
        .map(other => ({
          id: `account ${other.accountName}`,
          text: `Switch to ${other.accountName}`,
          note: other.accountStatus === 'open' ? other.orgName : `${other.orgName}, ${other.accountStatus}`,
          icon: 'building',
        })),
    },
    { label: 'Coming soon', items: pages.filter(({ isBuilt }) => !isBuilt) },
  ];
  const found = [
    ...(asks ? sectionsOf(own.data ?? []) : []),
    ...(mayFindAll ? sectionsOf(all.data ?? [], section => `${searchSections[section]}, all members`) : []),
    ...(mayFindAll ? [{ label: 'People, all members', items: [findPeople(words)] }] : []),
  ];
  const pick = (item: PaletteItem, { newTab }: { newTab: boolean }) => {
    const action = actions.find(({ id }) => id === item.id);
    if (action?.act) return action.act();
    if (item.id.startsWith('account ')) return session?.selectAccount(item.id.slice('account '.length));
    if (!item.href) return;
    if (!item.id.startsWith('recent ')) rememberPlace(account, item);
    if (newTab || item.href.startsWith('/rdap/')) window.open(item.href, '_blank', 'noopener');
    else router.go(item.href);
  };
  return (
    <CommandPalette
      open={open}
      onClose={() => portal.palette.set(false)}
      groups={groups}
      found={found}
      recent={open ? recentPlaces(account) : []}
      likely={actions.filter(({ isLikely }) => isLikely)}
      onSearch={setTyped}
      loading={own.isFetching || all.isFetching}
      onPick={pick}
      label="Find anything"
      placeholder="Find a prefix, person, object, invoice or page"
    />
  );
}

/** People are searched on a page of their own, because each search for a person is logged. */
const findPeople = (words: string): PaletteItem => ({
  id: 'people everywhere',
  text: `Search people for “${words.trim()}”`,
  note: 'logged',
  icon: 'search',
  href: `/desk/people?q=${encodeURIComponent(words.trim())}`,
});
