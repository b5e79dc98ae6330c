import { type SearchHit, searchSections, type SearchSection } from '@portal/contract/search/search';
import type { PaletteGroup, PaletteItem } from '@portal/ui/picker/CommandPalette';

const icons: Partial<Record<SearchSection, PaletteItem['icon']>> = {
  accounts: 'building',
  whois: 'whois',
  people: 'user',
  requests: 'inbox',
  invoices: 'billing',
  documents: 'document',
  customers: 'contacts',
  tickets: 'ticket',
  tasks: 'tasks',
  elections: 'vote',
};

/** Returns hits of a search as sections of the command palette, in the order in which they came. `words` names a section. */
export function foundSections(
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

/** Registry staff search people on a page of their own, because each search for a person is logged. */
export const searchPeople = (words: string): PaletteItem => ({
  id: 'people everywhere',
  text: `Search people for “${words.trim()}”`,
  note: 'logged',
  icon: 'search',
  href: `/desk/people?q=${encodeURIComponent(words.trim())}`,
});
