import { type BrowserApp, reading } from '@portal/app-kit';
import { foundSections, searchPeople } from '@portal/app-kit/palette/found-sections';
import { isDeskPath, pages } from '@portal/contract/pages';
import { search } from '@portal/contract/search/search';
import { CommandPalette, type PaletteItem } from '@portal/ui/picker/CommandPalette';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useMay } from './use-may.ts';

/** The command palette of the desk: its pages, and what all members have under a name or number. */
export function DeskPalette({
  desk,
  open,
  pages: places,
  onClose,
}: {
  desk: BrowserApp;
  open: boolean;
  pages: readonly PaletteItem[];
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const words = useDeferredValue(typed);
  const asks = open && words.trim().length > 1;
  const may = useMay();
  const found = useQuery({
    ...reading(desk.call, search.findEverywhere, { query: { q: words } }),
    enabled: asks && may(search.findEverywhere),
  });
  const pick = ({ href }: PaletteItem, { newTab }: { newTab: boolean }): void => {
    if (!href) return;
    // Pages of the portal and answers of RDAP are other documents: the desk stays open.
    if (newTab || !isDeskPath(href.split('?')[0]!)) window.open(href, '_blank', 'noopener');
    else desk.router.go(href);
  };
  return (
    <CommandPalette
      open={open}
      onClose={onClose}
      groups={[{ label: 'Pages', items: places }]}
      found={
        asks
          ? [...foundSections(found.data ?? []), ...(may(pages.deskPeople) ? [{ label: 'People', items: [searchPeople(words)] }] : [])]
          : []
      }
      onSearch={setTyped}
      loading={found.isFetching}
      onPick={pick}
      label="Find anything"
      placeholder="Find an account, prefix, object, request or invoice"
    />
  );
}
