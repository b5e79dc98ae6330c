import { reading, refusedBy, useMaybeSession } from '@portal/app-kit';
import { resources } from '@portal/contract/resources/resources';
import type { NavigationItem } from '@portal/contract/shell/shell';
import { staff } from '@portal/contract/staff/staff';
import { CommandPalette, type PaletteGroup, type PaletteItem } from '@portal/ui/picker/CommandPalette';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Portal } from '../portal.ts';
import { navigationPages } from './navigation-groups.ts';
import { settingsPages } from './settings-pages.ts';

/** The command palette's items for the typed text, and where each leads. */
export function FindPalette({ portal, items, open }: { portal: Portal; items: readonly NavigationItem[]; open: boolean }) {
  const { call, router } = portal;
  const session = useMaybeSession();
  const [typed, setTyped] = useState('');
  const words = useDeferredValue(typed);
  const account = session?.account?.accountName ?? '';
  const asks = open && words.length > 1;
  const mayFind = asks && session !== null && refusedBy(resources.findResources, session) === null;
  const mayFindHolders = asks && Boolean(session?.person.staff && session.person.mfa);
  const own = useQuery({ ...reading(call, resources.findResources, { account, query: { q: words } }), enabled: mayFind });
  const holders = useQuery({ ...reading(call, staff.findHolders, { query: { q: words } }), enabled: mayFindHolders });

  const groups: PaletteGroup[] = [
    {
      label: 'Pages',
      items: [...navigationPages(items), ...settingsPages].map(page => ({
        id: `page ${page.link}`,
        text: page.label,
        note: page.group,
        href: page.link,
      })),
    },
    {
      label: 'Accounts',
      items: (session?.accounts ?? [])
        .filter(other => other.accountName !== account)
        .map(other => ({ id: `account ${other.accountName}`, text: other.accountName, note: other.orgName, icon: 'building' })),
    },
  ];
  const found: PaletteGroup[] = [
    {
      label: `Resources of ${account}`,
      items: (mayFind ? (own.data ?? []) : []).map(hit => ({
        id: `resource ${hit.resource} ${hit.link}`,
        text: hit.resource,
        note: hit.note,
        kind: hit.kind,
        href: hit.link,
      })),
    },
    {
      label: 'Holders',
      items: (mayFindHolders ? (holders.data?.hits ?? []) : [])
        .filter(hit => hit.accountName !== '')
        .map(hit => ({
          id: `holder ${hit.accountName} ${hit.resource}`,
          text: hit.resource ?? hit.accountName,
          note: hit.resource ? `${hit.accountName}, ${hit.orgName}` : hit.orgName,
          ...(hit.kind && { kind: hit.kind }),
          icon: 'building',
          href: `/desk/accounts/${encodeURIComponent(hit.accountName)}`,
        })),
    },
  ];
  const pick = (item: PaletteItem, { newTab }: { newTab: boolean }) => {
    if (item.href && newTab) window.open(item.href, '_blank', 'noopener');
    else if (item.href) router.go(item.href);
    else session?.selectAccount(item.id.slice('account '.length));
  };
  return (
    <CommandPalette
      open={open}
      onClose={() => portal.palette.set(false)}
      groups={groups}
      found={found}
      onSearch={setTyped}
      loading={(mayFind && own.isFetching) || (mayFindHolders && holders.isFetching)}
      onPick={pick}
      label="Find a page, prefix or AS number"
      placeholder="Find a page, prefix or AS number"
    />
  );
}
