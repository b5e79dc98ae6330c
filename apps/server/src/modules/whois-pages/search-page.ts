import { formatCount } from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import { sheet } from '../public-pages/index.ts';
import { kindOf, statusWords } from './numbers-part.ts';
import { HITS_OF_SEARCH, HITS_OF_WORDS, wordsOf } from '../whois/index.ts';
import {
  type Chosen,
  countFacet,
  type FacetName,
  facetNames,
  meets,
  type NameQuery,
  type SearchResult,
  type SourcedHit,
  searchAddress,
} from './name-query.ts';

/** Hits on a page, and values of a facet. */
const SHOWN = 50;
const SHOWN_VALUES = 12;

const facetTitles = {
  source: 'Source',
  type: 'Type',
  economy: 'Economy',
  status: 'Status',
  maintainer: 'Maintainer',
} as const satisfies Record<FacetName, string>;

/** The field of a search. A search of the form starts with what was chosen: it narrows what is found with other words too. */
export const searchForm = (query: NameQuery | null): Content =>
  html`<form class="tool" action="/whois/search" role="search" aria-label="Objects"><div class="field"><label for="words">Words of a name, description or remark, or the beginning of a name or handle</label><input class="mono" id="words" name="q" value="${query?.text}" minlength="3" maxlength="255" required autocomplete="off" autocapitalize="off" spellcheck="false"></div>${
    query &&
    'chosen' in query &&
    Object.entries(query.chosen).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  }<button class="btn">Search</button></form>`;

/** Hits, what was chosen of them, and the sources that they may be of, ours first. */
type Hits = { text: string; hits: readonly SourcedHit[]; chosen: Chosen; sources: readonly string[] };

/** The values of a facet with their numbers: each narrows the hits, the chosen one goes back. */
function facetPart({ text, hits, chosen, sources }: Hits, facet: FacetName): Content {
  const values = countFacet(hits, chosen, facet);
  if (values.length === 0) return null;
  const most = Math.max(...values.map(({ count }) => count));
  const { [facet]: _, ...others } = chosen;
  return sheet(`facet-${facet}`, facetTitles[facet], {
    body: html`<ul class="facet">${values.slice(0, SHOWN_VALUES).map(({ value, count }) => {
      const isChosen = chosen[facet] === value;
      return html`<li><a href="${searchAddress(text, isChosen ? others : { ...others, [facet]: value })}"${isChosen && html` aria-current="true"`}>${value}</a><span class="quiet">${formatCount(count)}</span><svg class="meter" width="44" height="4" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="4"/><rect width="${Math.max(2, Math.round((100 * count) / most))}" height="4"/></svg></li>`;
    })}</ul>`,
    ...(facet === 'source' && {
      foot:
        sources.length === 1
          ? 'The registry’s own objects. Those of other sources aren’t kept here.'
          : `${sources[0]} is this registry’s own. Other sources are mirrored, without contacts and remarks.`,
    }),
    ...(values.length > SHOWN_VALUES && { foot: `${values.length - SHOWN_VALUES} more` }),
  });
}

/** A text with the words that were asked for marked in it, where they begin a word. */
function marked(text: string, asked: string): Content {
  const words = wordsOf(asked).map(({ word }) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (words.length === 0) return text;
  const pattern = new RegExp(`(?<![\\p{L}\\d])(${words.join('|')})`, 'giu');
  return text.split(pattern).map((part, place) => (place % 2 === 1 ? html`<mark>${part}</mark>` : part));
}

const hitsTable = (hits: readonly SourcedHit[], { text, isOfSeveral }: { text: string; isOfSeveral: boolean }): Content =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Objects, listed"><table class="cards found"><caption class="away">Objects that were found</caption><thead><tr><th scope="col">Object</th><th scope="col">Name</th><th scope="col">Type</th>${isOfSeveral && html`<th scope="col">Source</th>`}<th scope="col">Economy</th><th scope="col">Status</th></tr></thead><tbody>${hits.map(
    ({ class: type, shown, name, economy, status, description, source, address }) =>
      html`<tr><th scope="row"><a class="mono ${kindOf(shown)}" href="${address}">${marked(shown.replace(/(\/\d+)(AS\d+)$/, '$1 $2'), text)}</a></th><td><span class="mono">${name === null ? null : marked(name, text)}</span>${description !== null && html` <span class="quiet">${marked(description.slice(0, 120), text)}</span>`}</td><td class="quiet">${type}</td>${isOfSeveral && html`<td>${source}</td>`}<td>${economy}</td><td class="quiet">${status && statusWords(status)}</td></tr>`,
  )}</tbody></table></div>`;

/** Links to the pages before and after this one. */
function pagesPart(text: string, chosen: Chosen, page: number, last: number): Content {
  if (last < 2) return null;
  return html`<nav class="forms" aria-label="Pages">${page > 1 && html`<a rel="prev" href="${searchAddress(text, chosen, page - 1)}">Previous page</a>`}<span class="quiet">Page ${page} of ${last}</span>${
    page < last && html`<a rel="next" href="${searchAddress(text, chosen, page + 1)}">Next page</a>`
  }</nav>`;
}

/** The search: its field, the hits, and how they divide. @param sources of the objects here, ours first */
export function searchPage(query: NameQuery | null, found: SearchResult | null, sources: readonly string[]): Content {
  const head = html`<div class="answer"><h1>Search objects</h1><p class="lead">Public objects of ${sources.length === 1 ? sources[0] : `${sources.slice(0, -1).join(', ')} and ${sources.at(-1)!}`} by the beginning of a name or handle, or by words of their names, descriptions and remarks. A star at the end of a word finds all that begin so: pacif*. People are found by their whole name or handle in <a href="/whois">whois</a>; e-mail addresses and telephone numbers aren’t searched.</p></div>`;
  if (query && 'wrong' in query)
    return html`${head}<p class="note" role="alert"><b>${query.wrong.why}</b> ${query.wrong.right}</p>${sheet('form', 'Search', { body: searchForm(query) })}`;
  return html`${head}${sheet('form', 'Search', { body: searchForm(query) })}${query && found && foundPart(query, found, sources)}`;
}

/** The hits of a search, and how they divide. */
export function foundPart(
  { text, chosen, page: asked }: Extract<NameQuery, { chosen: Chosen }>,
  found: SearchResult,
  sources: readonly string[],
): Content {
  const hits = found.hits.filter(hit => meets(hit, chosen));
  const last = Math.max(1, Math.ceil(hits.length / SHOWN));
  const page = Math.min(asked, last);
  const count =
    hits.length === 0
      ? 'No object'
      : hits.length === 1
        ? '1 object'
        : `${formatCount(hits.length)}${found.isCut ? ' or more' : ''} objects`;
  const hasChoice = Object.keys(chosen).length > 0;
  return html`<div class="columns"><div>${sheet('hits', count, {
    head: html`<p class="aside">with “${text}”</p><span class="push"><nav class="forms" aria-label="Other forms"><a href="${searchAddress(text, chosen)}&amp;as=json">JSON</a></nav></span>`,
    body:
      hits.length > 0
        ? hitsTable(hits.slice((page - 1) * SHOWN, page * SHOWN), { text, isOfSeveral: sources.length > 1 })
        : html`<p class="pad">No object has “${text}”${hasChoice && ' with these choices'}. Enter fewer words${hasChoice && ', or take a choice back'}.</p>`,
    ...((last > 1 || found.isCut) && {
      foot: html`${pagesPart(text, chosen, page, last)}${
        found.isCut &&
        ` Only the first ${HITS_OF_WORDS} objects with these words, and ${HITS_OF_SEARCH} of each kind whose names begin so, are read and counted: add a word or a choice to see others.`
      }`,
    }),
  })}</div><aside aria-label="Narrow the search">${facetNames.map(facet => facetPart({ text, hits: found.hits, chosen, sources }, facet))}</aside></div>`;
}
