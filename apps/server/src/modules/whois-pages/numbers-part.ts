import type { ResourceRecord } from '@portal/contract/records/records';
import { whoisPermalink } from '@portal/contract/whois/permalink';
import { containsRange, formatCount, groupDigits, parsePrefix, parseRange, printAsNumber } from '@portal/number-resources';
import { dayInFull } from '../../platform/day-words.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { badge, type Mark, sheet, term } from '../public-pages/index.ts';
import type { PublicRecord } from '../records/index.ts';
import type { Neighbour, PublicDelegation } from '../resources/index.ts';
import type { HeldSince } from './history-picture.ts';
import { economyName } from '../../platform/economy-names.ts';
import { isNetwork, networksOf } from './networks.ts';
import { poolWords } from './standing.ts';
import { zoneGrid } from './zone-grid.ts';

type Announced = NonNullable<ResourceRecord['routing']>['announcements'][number];
/** Marks numbers by their kind, as the whole portal does. */
export const kindOf = (key: string): string =>
  /^AS\d/i.test(key) ? 'as' : key.includes(':') ? 'v6' : /^\d+\./.test(key) && !key.endsWith('.arpa') ? 'v4' : '';
const link = (key: string): Content => html`<a class="mono ${kindOf(key)}" href="${whoisPermalink(key)}">${key}</a>`;
const kindClass = { ipv4: 'v4', ipv6: 'v6', asn: 'as' } as const;
/** How much it is: addresses of IPv4, the length of an IPv6 prefix, AS numbers. */
function sizeInWords({ kind, size, resource }: Pick<PublicRecord, 'kind' | 'size' | 'resource'>): string {
  if (kind === 'asn') return size === '1' ? 'One AS number' : `${groupDigits(size)} AS numbers`;
  if (size === '1') return 'One address';
  if (kind === 'ipv4') return `${groupDigits(size)} addresses`;
  return resource.includes('/') ? `An IPv6 /${resource.split('/')[1]}` : 'A range of IPv6 addresses';
}

/** The delegation around the numbers; undefined where none covers all of them. */
const holdingOf = ({ holdings }: PublicRecord) => holdings.findLast(({ relation }) => relation !== 'inside');

type Network = PublicRecord['objects'][number];

/**
 * The smallest network of the registry’s objects that covers the numbers, where it is a part of their delegation: its status is theirs, and that of the delegation isn’t.
 * Null where the delegation is the smallest.
 */
function partOf(record: PublicRecord): Network | null {
  const holding = holdingOf(record);
  if (!holding || record.kind === 'asn') return null;
  const closest = record.objects.findLast(each => each.relation !== 'inside' && isNetwork(each));
  if (!closest || closest.resource === null || closest.resource === holding.resource) return null;
  return containsRange(parseRange(holding.resource), parseRange(closest.resource)) ? closest : null;
}

/** Who holds the numbers, and since when. Of a part of a delegation the day isn’t known. */
export function heldSince(record: PublicRecord): HeldSince {
  const holding = holdingOf(record);
  if (partOf(record)) return null;
  return holding?.registry === null && holding.delegatedOn !== null ? { holder: holding.holder, day: holding.delegatedOn } : null;
}

/** The sentence that answers who holds the numbers. */
function holderSentence(record: PublicRecord): Content {
  const holding = holdingOf(record);
  const inside = record.holdings.filter(({ relation }) => relation === 'inside');
  const size = sizeInWords(record);
  const isPrefix6 = record.kind === 'ipv6' && record.resource.includes('/');
  const ends =
    record.kind !== 'asn' && record.size !== '1' && !isPrefix6 && html`, <span class="mono">${record.first} – ${record.last}</span>`;
  const part = partOf(record);
  if (holding && part) {
    const isOwn = part.relation === 'exact';
    return html`<p class="lead">${!isOwn && 'Part of '}<b>${part.name || part.shown}</b>${!isOwn && part.resource !== null && html` (${link(part.resource)})`}, ${assignedWord(part.status)} by <b>${holding.holder}</b>${
      holding.economy !== null && ` in ${economyName(holding.economy)}`
    } out of ${link(holding.resource)}. ${size}${ends}.</p>`;
  }
  if (holding)
    return html`<p class="lead">${holding.registry === null ? 'Held by' : `Registered with ${holding.registry.toUpperCase()} by`} <b>${holding.holder}</b>${
      holding.economy !== null && ` in ${economyName(holding.economy)}`
    }${holding.delegatedOn !== null && ` since ${dayInFull(holding.delegatedOn)}`}${
      holding.relation === 'around' && html`, as part of ${link(holding.resource)}`
    }. ${size}${ends}.</p>`;
  const parts =
    inside.length > 0 &&
    `${formatCount(inside.length)}${record.moreHoldings ? ' or more' : ''} ${inside.length === 1 ? 'delegation' : 'delegations'}`;
  const pool = record.pools.find(({ relation }) => relation !== 'inside');
  const sentence = parts
    ? pool
      ? `Space of the registry, with ${parts} in it.`
      : `Delegated in parts: ${parts}.`
    : pool
      ? pool.state === 'available'
        ? `${poolWords.available}.`
        : `${poolWords.reserved}.`
      : 'The registry’s ledger has no holder of it.';
  return html`<p class="lead">${sentence} ${size}${ends}.</p>`;
}

/** A status as a word of a sentence: Allocated portable. */
export const statusWords = (status: string): string => status.charAt(0) + status.slice(1).toLowerCase();

/** A word for how the holder of a delegation gave a part of it. */
const assignedWord = (status: string | null): string =>
  status === null
    ? 'registered'
    : /^SUB-?ALLOCATED/.test(status)
      ? 'sub-allocated'
      : status.startsWith('ALLOCATED')
        ? 'allocated'
        : 'assigned';

/** The status of the numbers: that of the part of a delegation that they are in, or of the delegation. */
const statusOf = (record: PublicRecord): string | null => {
  const part = partOf(record);
  return part ? part.status : (holdingOf(record)?.statusText ?? null);
};

/** Name, kind and lock of the numbers. */
export function numbersHead(record: PublicRecord, { asked, locked }: { asked: string; locked: boolean }): Content {
  const status = statusOf(record);
  return html`<div class="answer"><div class="headline ${kindClass[record.kind]}"><h1>${asked}</h1>${status !== null && badge('plain', statusWords(status))}${locked && badge('plain', 'Transfer prohibited')}</div>${holderSentence(record)}</div>`;
}

/** The delegation that some numbers are a part of, with its own status and day. */
const delegationWords = ({ resource, statusText, delegatedOn }: PublicRecord['holdings'][number]): Content =>
  html`${link(resource)}${statusText !== null && `, ${statusWords(statusText).toLowerCase()}`}${delegatedOn !== null && `, since ${dayInFull(delegatedOn)}`}`;

/** The holder's facts, and where to report abuse. */
export function holderPart(record: PublicRecord, mailbox: string | null): Content {
  const holding = holdingOf(record);
  const answered = record.mailboxes.find(each => each.mailbox.toLowerCase() === mailbox?.toLowerCase())?.answered ?? null;
  if (mailbox === null && !holding) return null;
  const [part, status] = [partOf(record), statusOf(record)];
  const changed = record.objects.find(
    ({ relation, class: name }) => relation === 'exact' && /^(?:inet6?num|aut-num)$/.test(name),
  )?.changedAt;
  const facts: [Content, Content][] = [
    ...(holding
      ? ([
          [term('holder'), holding.holder],
          ...(holding.economy === null ? [] : [[term('economy'), `${economyName(holding.economy)}, ${holding.economy}`]]),
          ...(part === null ? [] : [['Network', html`<span class="mono">${part.name || part.shown}</span>`]]),
          ...(status === null ? [] : [['Status', statusWords(status)]]),
          ...(part === null ? [] : [['Delegation', delegationWords(holding)]]),
          ...(part !== null || holding.delegatedOn === null ? [] : [['Since', dayInFull(holding.delegatedOn)]]),
        ] as [Content, Content][])
      : []),
    ...(changed === undefined ? [] : [['Last changed', dayInFull(changed)] as [Content, Content]]),
  ];
  return html`<section class="sheet two" aria-labelledby="abuse"><div><h2 id="abuse">Report abuse to</h2>${
    mailbox === null
      ? html`<p>No contact for abuse reports is registered. The holder has to name one.</p>`
      : html`<p class="mailbox"><a class="mono" href="mailto:${encodeURIComponent(mailbox).replace('%40', '@')}" data-copy="${mailbox}">${mailbox}</a></p>${
          answered !== null &&
          html`<p>${answered ? badge('valid', 'Answered our last check') : badge('warning', 'Did not answer our last check')}</p>`
        }`
  }<p class="quiet">Send the time with its zone, the address and a line of your log. The registry can’t stop traffic, and can’t see who used an address.</p></div>${
    facts.length > 0 && html`<dl class="facts">${facts.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>`
  }</section>`;
}

const words = { valid: 'Valid', 'invalid-asn': 'Invalid', 'invalid-length': 'Invalid', 'not-found': 'No ROA' } as const;
const markOf = (validity: Announced['validity']): Mark => (validity === 'valid' ? 'valid' : validity === 'not-found' ? 'plain' : 'invalid');

/** Returns the ROAs that decide about an announcement, in words. */
function roaWords({ prefix, validity }: Announced, roas: NonNullable<PublicRecord['routing']>['roas']): Content {
  const around = roas.filter(roa => containsRange(parsePrefix(roa.prefix), parsePrefix(prefix)));
  if (around.length === 0) return 'none';
  const said = [
    ...new Set(
      around.map(roa => {
        const allowed = `${roa.prefix} up to /${roa.maxLength}`;
        return validity === 'valid' ? allowed : `${roa.asn === 0 ? 'no AS' : printAsNumber(roa.asn)}, ${allowed}`;
      }),
    ),
  ];
  return html`<span class="mono">${said.slice(0, 2).join(', ')}</span>${said.length > 2 && ` and ${said.length - 2} more`}`;
}

/** How many of all, drawn; the text beside it says the same. */
const meter = (count: number, all: number, look: string): Content =>
  all > 0 &&
  html`<svg class="meter ${look}" width="44" height="4" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="all" width="100" height="4"/><rect width="${Math.round((100 * count) / all)}" height="4"/></svg>`;

/** Announcements of the numbers that route collectors see, and what ROAs say about each. */
export function routingPart({ routing }: PublicRecord): Content {
  if (!routing) return null;
  const { announcements, peers, collectedAt, roas, more } = routing;
  const count = (mark: Mark): number => announcements.filter(({ validity }) => markOf(validity) === mark).length;
  const head = html`<p class="aside">${
    collectedAt === null
      ? 'no table of announcements yet'
      : `as collectors saw it on ${dayInFull(collectedAt)} at ${collectedAt.slice(11, 16)}`
  }</p><span class="push">${count('valid') > 0 && badge('valid', `${count('valid')} valid`)}${count('invalid') > 0 && badge('invalid', `${count('invalid')} invalid`)}</span>`;
  if (announcements.length === 0)
    return sheet('routing', 'Routing', {
      head,
      body: html`<p class="pad">${collectedAt === null ? 'What is announced isn’t known yet.' : 'Not announced.'} ${
        roas.length === 0 ? 'No ROA covers it.' : `${roas.length === 1 ? 'One ROA covers' : `${roas.length} ROAs cover`} it or parts of it.`
      }</p>`,
    });
  const body = html`<div class="wide" tabindex="0" role="region" aria-label="Announcements, listed"><table class="cards"><caption class="away">Announcements, and what ROAs say about them</caption><thead><tr><th scope="col">${term('announcement')}</th><th scope="col">${term('origin')}</th><th scope="col" class="num">Seen by</th><th scope="col">${term('validity')}</th><th scope="col">${term('roa')}</th></tr></thead><tbody>${announcements.map(
    each =>
      html`<tr><th scope="row">${link(each.prefix)}</th><td>${link(printAsNumber(each.asn))}</td><td class="num">${meter(each.peers, peers, markOf(each.validity))}${formatCount(each.peers)}${peers > 0 && ` of ${formatCount(peers)}`}</td><td class="state">${badge(markOf(each.validity), words[each.validity])}</td><td class="quiet">${roaWords(each, roas)}</td></tr>`,
  )}</tbody></table></div>`;
  return sheet('routing', 'Routing', { head, body, ...(more && { foot: 'There are more announcements or ROAs than this page lists.' }) });
}

const looksLikeNumbers = /^(?:AS\d+|[\d.]+\/\d+|[\da-f:]+\/\d+)$/i;

type Section = PublicRecord['sections'][number];
type SectionState = NonNullable<Section['rows'][number]['state']>;

/** Column heads of sections whose rows are of one kind; others speak for themselves. */
const headsOf: Readonly<Record<string, readonly [subject: string, state: string, fact: string]>> = {
  announcements: ['Announced', 'Validity', 'Seen'],
  roas: ['Prefix', 'State', 'ROA'],
  aspas: ['AS number', 'State', 'Providers'],
};

/** Marks of states as the table of routes has them. */
const markOfState = ({ mark }: SectionState): Mark => (mark === 'valid' || mark === 'invalid' || mark === 'warning' ? mark : 'plain');

/** Rows with what is wrong first. */
const worstFirst = (rows: Section['rows']): Section['rows'] => {
  const rank = ({ state }: Section['rows'][number]): number => (state ? ['invalid', 'warning'].indexOf(state.mark) : -1);
  return rows.toSorted((a, b) => (rank(a) === -1 ? 9 : rank(a)) - (rank(b) === -1 ? 9 : rank(b)));
};

/** Sections of other parts of the registry, such as reverse zones; of addresses the table of announcements has the ROAs too. */
export const sectionParts = (record: PublicRecord): Content =>
  record.sections
    .filter(({ id, rows }) => rows.length > 0 && !(record.routing && id === 'announcements'))
    .map(section => {
      const { id, title, rows, more } = section;
      const grid = id === 'reverse-zones' ? zoneGrid(record, section) : null;
      const table = html`<div class="wide" tabindex="0" role="region" aria-label="${title}, listed"><table class="cards"><caption class="away">${title}</caption>${
        headsOf[id] && html`<thead><tr>${headsOf[id].map(head => html`<th scope="col">${head}</th>`)}</tr></thead>`
      }<tbody>${worstFirst(rows).map(
        row =>
          html`<tr><th scope="row" class="mono">${looksLikeNumbers.test(row.label) || row.label.endsWith('.arpa') ? link(row.label) : row.label}</th><td class="state">${row.state && badge(markOfState(row.state), row.state.word)}</td><td class="quiet">${row.text}</td></tr>`,
      )}</tbody></table></div>`;
      const invalid = rows.filter(({ state }) => state?.mark === 'invalid').length;
      return sheet(`section-${id}`, title, {
        ...(grid && { head: html`<p class="aside">One cell is one zone of a /24</p>` }),
        ...(!grid &&
          invalid > 0 && {
            head: html`<span class="push">${badge('invalid', `${invalid} ${id === 'reverse-zones' ? 'lame' : 'invalid'}`)}</span>`,
          }),
        body: grid ? html`${grid}<details class="listed"><summary>Name servers of each zone</summary>${table}</details>` : table,
        ...(more && { foot: 'There are more than this page lists.' }),
      });
    });

/** Networks around and inside, by their objects. */
export function placePart(record: PublicRecord): Content {
  const [around, inside] = [networksOf(record, 'around'), networksOf(record, 'inside')];
  const row = ({ resource, shown, name }: PublicRecord['objects'][number]): Content =>
    html`<tr><th scope="row">${link(resource ?? shown)}</th><td class="mono quiet">${name}</td><td class="num">${resource && quantityOf(resource)}</td></tr>`;
  const table = (caption: string, rows: Content): Content =>
    html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table class="tight"><caption class="away">${caption}</caption><tbody>${rows}</tbody></table></div>`;
  return html`${around.length > 0 && sheet('above', around.length === 1 ? 'Parent network' : 'Parent networks', { body: table('Parent networks, listed', around.map(row)) })}${
    inside.length > 0 &&
    sheet('below', 'Networks inside', {
      head: html`<p class="push aside">${formatCount(inside.length)}${record.moreObjects && ' or more'}</p>`,
      body: table('Networks inside, listed', inside.slice(0, 50).map(row)),
      ...((inside.length > 50 || record.moreObjects) && { foot: 'The first 50 are listed; port 43 lists all with -M.' }),
    })
  }`;
}

/** How many addresses a block of IPv4 has; of IPv6 its length says it. */
function quantityOf(resource: string): string {
  if (resource.includes(':')) return '';
  const { first, last } = parseRange(resource);
  return groupDigits(String(last - first + 1n));
}

/** Other delegations of the same holder. */
export const besidePart = (held: readonly PublicDelegation[], more: boolean): Content =>
  held.length > 0 &&
  sheet('beside', 'Held by the same organisation', {
    body: html`<div class="wide" tabindex="0" role="region" aria-label="Held by the same organisation, listed"><table class="tight"><tbody>${held.map(
      ({ kind, resource, size }) =>
        html`<tr><th scope="row">${link(resource)}</th><td class="num">${kind === 'ipv4' || (kind === 'asn' && size !== '1') ? groupDigits(size) : ''}</td></tr>`,
    )}</tbody></table></div>`,
    ...(more && { foot: 'There are more than this page lists.' }),
  });

const sides = { before: 'Before', after: 'After' } as const;

const stateWords = { available: 'Free', reserved: 'Set aside' } as const;

/** Shows what adjoins the numbers: delegations with their holders, and free space by its ends. */
export const neighboursPart = (neighbours: readonly Neighbour[]): Content =>
  neighbours.length > 0 &&
  sheet('neighbours', 'Neighbours', {
    body: html`<div class="wide" tabindex="0" role="region" aria-label="Adjoining space"><table class="tight"><caption class="away">Adjoining space</caption><tbody>${neighbours.map(
      ({ side, kind, resource, size, holder, state }) =>
        html`<tr><th scope="row">${sides[side]}</th><td>${link(resource)}<br><span class="quiet">${
          state === 'held' ? holder : stateWords[state]
        }${state !== 'held' && kind === 'ipv4' && `, ${groupDigits(size)} addresses`}</span></td></tr>`,
    )}</tbody></table></div>`,
  });
