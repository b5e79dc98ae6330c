import { whoisPermalink } from '@portal/contract/whois/permalink';
import { formatCount } from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import { sheet } from '../public-pages/index.ts';
import { HITS_OF_SEARCH, type NameHit } from '../whois/index.ts';
import { type Chosen, countFacet, type FacetName, facetNames, meets, type NameQuery, searchAddress } from './name-query.ts';

/** Hits on a page, and values of a facet. */
const SHOWN = 200;
const SHOWN_VALUES = 12;

const facetTitles = { type: 'Type', economy: 'Economy', status: 'Status' } as const satisfies Record<FacetName, string>;

const searchForm = (query: NameQuery | null): Content =>
  html`<form class="tool" action="/whois/search" role="search"><div class="field"><label for="names">Beginning of a network name, AS name, organisation, handle or zone</label><input class="mono" id="names" name="q" value="${query?.text}" minlength="3" maxlength="255" required autocomplete="off" autocapitalize="off" spellcheck="false"></div><button class="btn">Search</button></form>`;

/** The values of a facet with their numbers: each narrows the hits, the chosen one goes back. */
function facetPart(text: string, hits: readonly NameHit[], chosen: Chosen, facet: FacetName): Content {
  const values = countFacet(hits, chosen, facet);
  if (values.length === 0) return null;
  const { [facet]: _, ...others } = chosen;
  return sheet(`facet-${facet}`, facetTitles[facet], {
    body: html`<ul class="facet">${values.slice(0, SHOWN_VALUES).map(({ value, count }) => {
      const isChosen = chosen[facet] === value;
      return html`<li><a href="${searchAddress(text, isChosen ? others : { ...others, [facet]: value })}"${isChosen && html` aria-current="true"`}>${value}</a><span class="quiet">${formatCount(count)}</span></li>`;
    })}</ul>`,
    ...(values.length > SHOWN_VALUES && { foot: `${values.length - SHOWN_VALUES} more` }),
  });
}

const hitsTable = (hits: readonly NameHit[]): Content =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Objects, listed"><table class="cards"><caption class="away">Objects whose names begin with it</caption><thead><tr><th scope="col">Object</th><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Economy</th><th scope="col">Status</th></tr></thead><tbody>${hits
    .slice(0, SHOWN)
    .map(
      ({ class: type, shown, name, economy, status }) =>
        html`<tr><th scope="row"><a class="mono" href="${whoisPermalink(shown)}">${shown}</a></th><td class="mono">${name}</td><td class="quiet">${type}</td><td>${economy?.toUpperCase()}</td><td class="quiet">${status?.trim()}</td></tr>`,
    )}</tbody></table></div>`;

/** The search by names: its field, the hits, and how they divide. */
export function searchPage(query: NameQuery | null, found: { hits: NameHit[]; isCut: boolean } | null): Content {
  const head = html`<div class="answer"><h1>Search names</h1><p class="lead">Networks, AS numbers, organisations, maintainers and reverse zones by the beginning of their names. People are found by their whole name or handle in <a href="/whois">whois</a>.</p></div>`;
  if (query && 'wrong' in query)
    return html`${head}<p class="note" role="alert"><b>${query.wrong.why}</b> ${query.wrong.right}</p>${sheet('form', 'Search', { body: searchForm(query) })}`;
  if (!query || !found) return html`${head}${sheet('form', 'Search', { body: searchForm(query) })}`;
  const { text, chosen } = query;
  const hits = found.hits.filter(hit => meets(hit, chosen));
  const count =
    hits.length === 0
      ? 'No object'
      : hits.length === 1
        ? '1 object'
        : `${formatCount(hits.length)}${found.isCut ? ' or more' : ''} objects`;
  return html`${head}${sheet('form', 'Search', { body: searchForm(query) })}<div class="columns"><div>${sheet('hits', count, {
    head: html`<p class="aside">${hits.length > 1 ? 'begin' : 'begins'} with “${text}”</p><span class="push"><nav class="forms" aria-label="Other forms"><a href="${searchAddress(text, chosen)}&amp;as=json">JSON</a></nav></span>`,
    body:
      hits.length > 0
        ? hitsTable(hits)
        : html`<p class="pad">No name begins with “${text}”${Object.keys(chosen).length > 0 && ' with these choices'}. Enter fewer characters${Object.keys(chosen).length > 0 && ', or take a choice back'}.</p>`,
    ...((hits.length > SHOWN || found.isCut) && {
      foot: html`${hits.length > SHOWN && `The first ${SHOWN} are listed. `}${
        found.isCut && `Only the first ${HITS_OF_SEARCH} of each kind are read and counted: enter more characters to see others.`
      }`,
    }),
  })}</div><aside aria-label="Narrow the search">${facetNames.map(facet => facetPart(text, found.hits, chosen, facet))}</aside></div>`;
}
