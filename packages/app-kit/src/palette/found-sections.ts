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

/**
 * Returns what was likely meant, where all hits are spelt otherwise than the words: as many words of the nearest hit, those most like the typed ones; null where
 * something has the words.
 */
export function likelyMeant(typed: string, hits: readonly SearchHit[]): string | null {
  const [near] = hits;
  if (!near || !hits.every(({ isNear }) => isNear)) return null;
  const names = near.text.split(/\s+/);
  const count = Math.min(typed.trim().split(/\s+/).length, names.length);
  const runs = names.slice(0, names.length - count + 1).map((_, at) => names.slice(at, at + count).join(' '));
  return runs.toSorted((a, b) => likeness(typed, b) - likeness(typed, a))[0] ?? null;
}

/** How alike two texts are, by the pairs of letters that they share: 0 to 1. */
function likeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  return (2 * [...a].filter(pair => b.has(pair)).length) / (a.size + b.size || 1);
}
const pairsOf = (text: string): ReadonlySet<string> => {
  const padded = ` ${text.toLowerCase()}`;
  return new Set(Array.from({ length: text.length }, (_, at) => padded.slice(at, at + 2)));
};

/** Registry staff search people on a page of their own, because each search for a person is logged. */
export const searchPeople = (words: string): PaletteItem => ({
  id: 'people everywhere',
  text: `Search people for “${words.trim()}”`,
  note: 'logged',
  icon: 'search',
  href: `/desk/people?q=${encodeURIComponent(words.trim())}`,
});
