import { type CallAnswer, reading, refusedBy, useMaybeSession } from '@portal/app-kit';
import { foundSections, likelyMeant, searchPeople } from '@portal/app-kit/palette/found-sections';
import { home } from '@portal/contract/home/home';
import { search, searchSections } from '@portal/contract/search/search';
import type { NavigationItem } from '@portal/contract/shell/shell';
import { CommandPalette, type PaletteGroup, type PaletteItem } from '@portal/ui/picker/CommandPalette';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Portal } from '../../portal.ts';
import { navigationPages } from '../navigation-groups.ts';
import { PalettePreview } from './PalettePreview.tsx';
import { actionsWith, actsOn, furtherPlaces, goToPages, paletteSections } from './palette-sections.ts';
import { paletteActions } from './palette-actions.ts';
import { recentPlaces, rememberPlace } from './recent-places.ts';
import { settingsPages } from '../settings-pages.ts';

type Attention = NonNullable<CallAnswer<typeof home.getHome>['attention']>;

/** The most harmful items of those that need attention, as far as home was read. */
const dueItems = (attention: Attention): PaletteItem[] =>
  attention
    .flatMap(({ attentionId, urgency, title, action }) =>
      action && urgency !== 'note'
        ? [
            {
              id: `due ${attentionId}`,
              text: title,
              note: urgency === 'urgent' ? `${action.label}, urgent` : action.label,
              icon: urgency === 'urgent' ? ('invalid' as const) : ('clock' as const),
              href: action.link,
            },
          ]
        : [],
    )
    .slice(0, MAX_DUE);
const MAX_DUE = 3;

/** The action that changes to the theme that isn’t shown. */
const otherTheme = (): string => {
  const { colorScheme } = getComputedStyle(document.documentElement);
  const isDark = colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? 'action light' : 'action dark';
};

/** The suggestions of the command palette for the typed text, and their targets. */
export function FindPalette({ portal, items, open }: { portal: Portal; items: readonly NavigationItem[]; open: boolean }) {
  const { call, router } = portal;
  const session = useMaybeSession();
  const [typed, setTyped] = useState('');
  const words = useDeferredValue(typed);
  const account = session?.account?.accountName ?? '';
  const asks = open && words.trim().length > 1;
  const own = useQuery({ ...reading(call, search.findInAccount, { account, query: { q: words } }), enabled: asks && account !== '' });
  const mayFindAll = asks && Boolean(session?.person.staff && session.person.mfa) && refusedBy(search.findEverywhere, session) === null;
  const all = useQuery({ ...reading(call, search.findEverywhere, { query: { q: words } }), enabled: mayFindAll });

  const attention = useQueryClient().getQueryData(reading(call, home.getHome, { account }).queryKey)?.attention ?? [];

  const pages = [...navigationPages(items), ...settingsPages].map(({ label, group, link }) => ({
    id: `page ${link}`,
    text: label,
    note: group,
    href: link,
  }));
  const actions = paletteActions(portal, session);
  const groups: PaletteGroup[] = [
    { label: 'Actions', items: actions },
    { label: 'Pages', items: pages },
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
  ];
  const found = [
    ...(asks ? foundSections(own.data ?? []) : []),
    ...(mayFindAll ? foundSections(all.data ?? [], section => `${searchSections[section]}, all members`) : []),
    ...(mayFindAll ? [{ label: 'People, all members', items: [searchPeople(words)] }] : []),
  ];
  const pick = (item: PaletteItem, { newTab }: { newTab: boolean }) => {
    const action = actions.find(({ id }) => id === item.id);
    if (action?.act) return action.act();
    if (item.id.startsWith('account ')) return session?.selectAccount(item.id.slice('account '.length));
    if (!item.href) return;
    if (!/^(recent|due) /.test(item.id)) rememberPlace(account, item);
    // Public data isn't in the portal.
    if (newTab || /^\/(rdap\/|whois\?)/.test(item.href)) window.open(item.href, '_blank', 'noopener');
    else router.go(item.href);
  };
  return (
    <CommandPalette
      open={open}
      onClose={() => portal.palette.set(false)}
      groups={groups}
      found={found}
      meant={asks && !mayFindAll ? likelyMeant(words, own.data ?? []) : null}
      recent={open ? recentPlaces(account).map((place, index) => ({ ...place, digit: String(index + 1) })) : []}
      likely={[...dueItems(attention), ...actions.filter(({ isLikely }) => isLikely)]}
      onSearch={setTyped}
      loading={own.isFetching || all.isFetching}
      onPick={pick}
      sections={paletteSections}
      goTo={[...goToPages(pages), ...actions.filter(({ id }) => id === otherTheme())]}
      actionsWith={(text, shown) => actionsWith(text, shown, session)}
      further={text => furtherPlaces(text, session)}
      place={account}
      preview={item => <PalettePreview item={item} account={account} call={call} />}
      actsOn={item => actsOn(item, session)}
      label="Find anything"
      placeholder="Find a prefix, person, object, invoice or page"
    />
  );
}
