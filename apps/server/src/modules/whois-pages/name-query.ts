import { isClassName } from '@portal/rpsl';
import { type NameHit, searchedClasses } from '../whois/index.ts';
import { LONGEST } from './asked.ts';

/** Facets of a search, by their names in addresses. */
export const facetNames = ['type', 'economy', 'status'] as const;
export type FacetName = (typeof facetNames)[number];
export type Chosen = Partial<Record<FacetName, string>>;

/** Characters that a search begins with at least: fewer find everything. */
const LEAST = 3;

/** A search as it was asked, or what is wrong with it. */
export type NameQuery = { text: string; chosen: Chosen } | { wrong: { why: string; right: string }; text: string };

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The value of a facet of a hit. */
const facetOf = (hit: NameHit, facet: FacetName): string | null =>
  facet === 'type' ? hit.class : facet === 'economy' ? (hit.economy?.toUpperCase() ?? null) : (hit.status?.trim().toUpperCase() ?? null);

/** Reads the fields of a search; null where nothing was asked. */
export function readNameQuery(fields: Readonly<Record<string, unknown>>): NameQuery | null {
  const text = asText(fields['q']).replaceAll(/\s+/g, ' ');
  if (text === '') return null;
  const wrong = (why: string, right: string): NameQuery => ({ wrong: { why, right }, text: text.slice(0, LONGEST) });
  if (text.length > LONGEST) return wrong(`That is longer than ${LONGEST} characters.`, 'Write the beginning of a name.');
  if (text.length < LEAST)
    return wrong('That is too short.', `Write at least ${LEAST} characters, such as the beginning of a network name.`);
  const type = asText(fields['type']).toLowerCase();
  if (type !== '' && !(isClassName(type) && searchedClasses.includes(type)))
    return wrong(`“${type.slice(0, 40)}” isn’t searched.`, `Choose one of ${searchedClasses.join(', ')}.`);
  const economy = asText(fields['economy']).toUpperCase();
  if (economy !== '' && !/^[A-Z]{2}$/.test(economy)) return wrong('That is no economy.', 'Write a two-letter code, such as AU.');
  const status = asText(fields['status']).toUpperCase().slice(0, 40);
  return { text, chosen: { ...(type && { type }), ...(economy && { economy }), ...(status && { status }) } };
}

/** The address of a search with these facets. */
export const searchAddress = (text: string, chosen: Chosen): string =>
  `/whois/search?${String(new URLSearchParams({ q: text, ...chosen }))}`;

/** Counts the values of a facet among the hits that meet the other facets, the most frequent first. */
export function countFacet(hits: readonly NameHit[], chosen: Chosen, facet: FacetName): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const hit of hits.filter(each => meets(each, { ...chosen, [facet]: undefined }))) {
    const value = facetOf(hit, facet);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

export const meets = (hit: NameHit, chosen: { readonly [Name in FacetName]?: string | undefined }): boolean =>
  facetNames.every(facet => chosen[facet] === undefined || facetOf(hit, facet) === chosen[facet]);
