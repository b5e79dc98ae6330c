import { isClassName } from '@portal/rpsl';
import { type NameHit, wordClasses } from '../whois/index.ts';
import { LONGEST } from './asked.ts';

/** Facets of a search, by their names in addresses. */
export const facetNames = ['source', 'type', 'economy', 'status', 'maintainer'] as const;
export type FacetName = (typeof facetNames)[number];
export type Chosen = Partial<Record<FacetName, string>>;

/** Characters that a search begins with at least: fewer find everything. */
const LEAST = 3;

/** A search as it was asked, or what is wrong with it. */
export type NameQuery = { text: string; chosen: Chosen; page: number } | { wrong: { why: string; right: string }; text: string };

/** A hit with the database that it is in. */
export type SourcedHit = NameHit & { source: string /** The page of the object. */; address: string };

/** Objects of a search: also those that only lack a choice, which the numbers beside the choices count. */
export type SearchResult = { hits: SourcedHit[]; isCut: boolean };

const asText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The values of a facet of a hit. */
function valuesOf(hit: SourcedHit, facet: FacetName): readonly string[] {
  if (facet === 'maintainer') return hit.maintainers;
  const value = facet === 'type' ? hit.class : hit[facet];
  return value === null ? [] : [value];
}

/** Reads the fields of a search; null where nothing was asked. @param sources whose objects are kept here, ours first */
export function readNameQuery(fields: Readonly<Record<string, unknown>>, sources: readonly string[]): NameQuery | null {
  const text = asText(fields['q']).replaceAll(/\s+/g, ' ');
  if (text === '') return null;
  const wrong = (why: string, right: string): NameQuery => ({ wrong: { why, right }, text: text.slice(0, LONGEST) });
  if (text.length > LONGEST) return wrong(`That is longer than ${LONGEST} characters.`, 'Write fewer words.');
  if (text.length < LEAST)
    return wrong('That is too short.', `Write at least ${LEAST} characters, such as the beginning of a network name.`);
  const type = asText(fields['type']).toLowerCase();
  if (type !== '' && !(isClassName(type) && wordClasses.includes(type)))
    return wrong(`“${type.slice(0, 40)}” isn’t searched.`, `Choose one of ${wordClasses.join(', ')}.`);
  const named = asText(fields['source']).toUpperCase();
  const source = sources.find(each => each.toUpperCase() === named);
  if (named !== '' && source === undefined)
    return wrong(
      `Objects of the source “${named.slice(0, 40)}” aren’t kept here.`,
      `This search has ${sources.join(', ')} only. Ask the registry of the other source, or look its numbers up in whois: it leads there.`,
    );
  const economy = asText(fields['economy']).toUpperCase();
  if (economy !== '' && !/^[A-Z]{2}$/.test(economy)) return wrong('That is no economy.', 'Write a two-letter code, such as AU.');
  const status = asText(fields['status']).toUpperCase().slice(0, 40);
  const maintainer = asText(fields['maintainer']).toUpperCase().slice(0, 80);
  const page = /^[1-9]\d{0,2}$/.test(asText(fields['page'])) ? Number(fields['page']) : 1;
  return {
    text,
    page,
    chosen: {
      ...(source !== undefined && { source }),
      ...(type && { type }),
      ...(economy && { economy }),
      ...(status && { status }),
      ...(maintainer && { maintainer }),
    },
  };
}

/** The address of a search with these facets. */
export const searchAddress = (text: string, chosen: Chosen, page = 1): string =>
  `/whois/search?${String(new URLSearchParams({ q: text, ...chosen, ...(page > 1 && { page: String(page) }) }))}`;

/** Counts the values of a facet among the hits that meet the other facets, the most frequent first. */
export function countFacet(hits: readonly SourcedHit[], chosen: Chosen, facet: FacetName): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const hit of hits.filter(each => meets(each, { ...chosen, [facet]: undefined })))
    for (const value of valuesOf(hit, facet)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

export const meets = (hit: SourcedHit, chosen: { readonly [Name in FacetName]?: string | undefined }): boolean =>
  facetNames.every(facet => chosen[facet] === undefined || valuesOf(hit, facet).includes(chosen[facet]));
