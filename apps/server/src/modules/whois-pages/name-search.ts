import { whoisPermalink } from '@portal/contract/whois/permalink';
import type { ClassName } from '@portal/rpsl';
import { searchForeign } from '../foreign-sources/index.ts';
import { HITS_OF_SEARCH, hitOf, type QueryPlace, searchedClasses, searchNames, searchWords, TEXT_OF_HIT, wordsOf } from '../whois/index.ts';
import { foreignPermalink } from './foreign-permalink.ts';
import type { Chosen, SearchResult } from './name-query.ts';

/** Finds objects by the beginning of their names, first, and by words of them. Where too many have the words, those with the choices are read as well. */
async function searchOwn(
  { db: { read }, source }: Pick<QueryPlace, 'db' | 'source'>,
  text: string,
  { source: _source, ...chosen }: Chosen,
): Promise<SearchResult> {
  const only = chosen.type === undefined ? searchedClasses : searchedClasses.filter(name => name === chosen.type);
  const hasChoice = Object.keys(chosen).length > 0;
  const [names, words] = await Promise.all([
    searchNames(read, text.toLowerCase(), only as readonly ClassName[]),
    searchWords(read, text, {}),
  ]);
  const narrowed = hasChoice && words.isCut ? await searchWords(read, text, chosen) : null;
  const all = new Map(
    [...names.hits, ...(narrowed?.hits ?? []), ...words.hits].map(hit => [
      `${hit.class} ${hit.shown}`,
      { ...hit, source, address: whoisPermalink(hit.shown) },
    ]),
  );
  return { hits: [...all.values()], isCut: names.isCut || (narrowed ?? words).isCut };
}

/** Finds objects of other registries in the same way; each has its source, in its address too. */
async function searchOthers({ db: { read }, foreign = [] }: QueryPlace, text: string, { type }: Chosen): Promise<SearchResult> {
  const sources = foreign.map(({ name }) => name);
  const { hits, isCut } = await searchForeign(read, {
    sources,
    text,
    words: wordsOf(text),
    type,
    most: HITS_OF_SEARCH,
    characters: TEXT_OF_HIT,
  });
  return { hits: hits.map(hit => ({ ...hitOf(hit), source: hit.source, address: foreignPermalink(hit) })), isCut };
}

/** Ours come first. Hits of all sources are read also where one is chosen: the numbers beside the others are counted of them. */
export async function searchAll(place: QueryPlace, text: string, chosen: Chosen): Promise<SearchResult> {
  const [own, others] = await Promise.all([searchOwn(place, text, chosen), searchOthers(place, text, chosen)]);
  return { hits: [...own.hits, ...others.hits], isCut: own.isCut || others.isCut };
}

/** Names of the sources whose objects are kept here, ours first. */
export const sourcesOf = ({ source, foreign = [] }: Pick<QueryPlace, 'source' | 'foreign'>): string[] => [
  source,
  ...foreign.map(({ name }) => name),
];
