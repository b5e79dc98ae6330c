import { whoisPermalink } from '@portal/contract/whois/permalink';
import { formatCount, type SpecialUse } from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import type { Profile } from '../../profile.ts';
import { badge, searchField, sheet } from '../public-pages/index.ts';
import type { PublicRecord } from '../records/index.ts';
import type { Neighbour, PublicDelegation } from '../resources/index.ts';
import { besidePart, heldSince, holderPart, neighboursPart, numbersHead, placePart, routingPart, sectionParts } from './numbers-part.ts';
import type { Elsewhere } from '../whois/index.ts';
import { MAX_ADDRESSES } from './abuse-list.ts';
import { searchForm } from './search-page.ts';
import { levels } from './query-form.ts';
import { abuseForm, commandOf, commandPieces, queryForm } from './tool-pages.ts';
import type { Example } from './examples.ts';
import { historyPicture, type VersionTimes } from './history-picture.ts';
import { linked } from './linked.ts';
import { objectsPart } from './object-text.ts';
import { placePicture, type Surroundings } from './place-picture.ts';
import { type Standing } from './standing.ts';
import type { WhoisText } from './whois-text.ts';

type Where = {
  key: string;
  appUrl: string;
  rdap: string | null;
  profile: Pick<Profile, 'whoisHost'>;
  /** Whether this registry’s services are the ones to ask; true where it is left out. */
  isOurs?: boolean;
};
export type NumbersAnswer = {
  record: PublicRecord;
  beside: readonly PublicDelegation[];
  neighbours: readonly Neighbour[];
  /** Delegations around; null where it is too much to draw, and of AS numbers. */
  around: Surroundings | null;
  mailbox: string | null;
  locked: boolean;
  /** Where the numbers stand if no one holds them here. */
  standing: Standing | null;
  text: WhoisText;
  /** Versions of the object that is exactly these numbers. */
  versions: VersionTimes;
  now: Date;
};

/** A long address breaks after its slashes, but not that of a prefix, of which the length is a part. */
const breakable = (text: string): Content =>
  text.split(/(?<=\/)(?!\/|\d{1,3}\b(?![.:]))/).map((part, place) => html`${place > 0 && html`<wbr>`}${part}`);

/** Keys that mean nothing to a shell: people copy the command into one. */
const forShells = /^[\w.:/ -]+$/;

/** Everything that an address on a page of the same key gives to programs. @param hasVersions whether port 43 lists versions of what has this key: of people it doesn’t */
function takePart({ key, appUrl, rdap, profile, isOurs = true }: Where, hasVersions: boolean): Content {
  const ways: [string, string][] = [
    ['Permalink', appUrl + whoisPermalink(key)],
    ...(isOurs && forShells.test(key)
      ? [['Whois, port 43', `whois -h ${profile.whoisHost} ${key.includes(' ') ? `'${key}'` : key}`] as [string, string]]
      : []),
    ['As text', `curl '${appUrl}${whoisPermalink(key)}?as=text'`],
    ...(rdap === null || !isOurs ? [] : [['RDAP', rdap] as [string, string]]),
  ];
  return sheet('take', 'Links and commands', {
    body: html`<dl class="take">${ways.map(([label, text]) => html`<div><dt>${label}</dt><dd><code data-copy="${text}">${breakable(text)}</code></dd></div>`)}</dl>`,
    ...(hasVersions && { foot: html`<a href="/whois/query?key=${encodeURIComponent(key)}&amp;versions=1">Versions of the object</a>` }),
  });
}

/** Faults that people report, by the name in the address of the form (`modules/report-pages`). */
export const wrongData = {
  bounces: 'Mail about abuse bounces or isn’t answered',
  details: 'Organisation or address is wrong',
  mine: 'This is my network',
} as const;

/** Who can put wrong data right, and how they learn of it. */
const wrongPart = ({ key }: Where): Content =>
  sheet('wrong', 'Report wrong data', {
    body: html`<ul class="reports">${Object.entries(wrongData).map(
      ([fault, words]) => html`<li><a href="/whois/report?about=${encodeURIComponent(key)}&amp;fault=${fault}">${words}</a></li>`,
    )}</ul>`,
    foot: html`We ask the holder, without your name.`,
  });

/** The objects as text, with the other forms of the same answer beside. */
function dataPart({ key, rdap }: Where, { objects, remarks, problem, overLimit, more }: WhoisText, withJson: boolean): Content {
  const forms = html`<nav class="forms" aria-label="Other forms"><a href="${whoisPermalink(key)}?as=text">Text</a>${withJson && html`<a href="${whoisPermalink(key)}?as=json">JSON</a>`}${rdap !== null && html`<a href="${rdap}">RDAP</a>`}</nav>`;
  return sheet('data', 'Registry data', {
    head: html`<span class="push">${forms}</span>`,
    body: html`${overLimit && html`<p class="note">Contacts are left out. ${overLimit.sentence}</p>`}${remarks
      .filter(remark => remark.startsWith('RPKI:'))
      .map(
        remark => html`<p class="note">${remark}</p>`,
      )}${problem ? html`<p class="pad">${problem.sentences.map(sentence => html`${linked(sentence)} `)}</p>` : objectsPart(objects)}`,
    ...(more && { foot: 'There is more than this page shows; port 43 has all of it.' }),
  });
}

/** Whether versions are listed of an object of a page of numbers: of the one that is exactly these. */
export const isVersioned = ({ relation, class: name }: PublicRecord['objects'][number]): boolean =>
  relation === 'exact' && /^(?:inet6?num|aut-num|as-block)$/.test(name);

/** Other delegations of the holder that are listed. */
export const MAX_BESIDE = 8;

/** The page of an address, prefix, range or AS numbers. */
export function numbersPage(where: Where, answer: NumbersAnswer): Content {
  const { record, beside, neighbours, around, mailbox, locked, standing, text, versions, now } = answer;
  if (standing && standing.kind !== 'pool' && record.holdings.every(({ registry }) => registry !== null))
    return foreignPage(where, answer, standing);
  return html`${searchField(where.key)}${numbersHead(record, { asked: where.key, locked })}${
    locked &&
    html`<section class="note" aria-labelledby="locked"><h2 id="locked">Transfer prohibited</h2><p>The holder locked it: it can’t change hands until the holder removes the lock. If it is offered to you for sale, ask us first.</p></section>`
  }<div class="columns"><div>${holderPart(record, mailbox)}${placePicture(record, around)}${routingPart(record)}${sectionParts(record)}${historyPicture(where.key, { versions, held: heldSince(record), now })}</div>
<aside aria-label="More about ${where.key}">${placePart(record)}${neighboursPart(neighbours)}${besidePart(beside.slice(0, MAX_BESIDE), beside.length > MAX_BESIDE)}${takePart(where, record.objects.some(isVersioned))}${record.holdings.length > 0 && wrongPart(where)}</aside></div>${dataPart(where, text, true)}`;
}

/** Where to ask about numbers of another registry, for people and for programs. */
function elsewherePart(key: string, { registry, rdap }: Elsewhere): Content {
  const command = registry && forShells.test(key) ? `whois -h ${registry.whois} ${key.includes(' ') ? `'${key}'` : key}` : null;
  return sheet('elsewhere', registry ? `Ask ${registry.name}` : 'Ask its registry', {
    body: html`<dl class="take">${registry && html`<div><dt>Web</dt><dd><a href="${registry.web}">${registry.web}</a></dd></div>`}<div><dt>RDAP</dt><dd><a href="${rdap}" data-copy="${rdap}">${breakable(rdap)}</a></dd></div>${
      command !== null && html`<div><dt>Whois, port 43</dt><dd><code data-copy="${command}">${command}</code></dd></div>`
    }</dl>`,
  });
}

/** Uses of addresses that mean something in one network only. */
const localUses: ReadonlySet<SpecialUse> = new Set(['private', 'shared', 'loopback', 'link-local']);

/** The page of numbers of another registry, or of none: whose they are and where to ask. Routes and ROAs aren’t shown: the collectors’ table is kept for this registry’s space only. */
function foreignPage(where: Where, { record, text }: NumbersAnswer, standing: Exclude<Standing, { kind: 'pool' }>): Content {
  const said =
    standing.kind === 'special' ? `${standing.name} (${standing.source}): no registry delegates it` : standing.elsewhere.sentence;
  return html`${searchField(where.key)}<div class="answer"><div class="headline"><h1>${where.key}</h1>${badge('plain', standing.kind === 'special' ? standing.name : 'Not ours')}</div><p class="lead">${linked(said)}. ${
    standing.kind === 'special'
      ? localUses.has(standing.use)
        ? 'It has no holder that a registry knows: look inside your own network.'
        : 'It has no holder.'
      : html`This registry doesn’t hold its data, and can’t correct it. Is this the wrong registry? <a href="/whois/report?about=${encodeURIComponent(where.key)}&amp;fault=other">Report the referral</a>`
  }</p></div>
<div class="columns"><div>${standing.kind === 'elsewhere' && elsewherePart(where.key, standing.elsewhere)}${sectionParts(record)}${text.problem === null && dataPart(where, text, true)}</div><aside aria-label="More about ${where.key}">${takePart({ ...where, isOurs: false }, false)}</aside></div>`;
}

/** How many objects of each type there are: 2 inetnum, 1 person. */
function typesInWords(objects: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of objects) {
    const type = /^[\w-]+/.exec(text)?.[0] ?? 'object';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
}

/** The page of objects that are found by name. @param missing why there is none, where more is known of a name than that */
export function namePage(where: Where, text: WhoisText, missing: Content = null): Content {
  const head = (sentence: Content): Content =>
    html`${searchField(where.key)}<div class="answer"><div class="headline"><h1>${where.key}</h1></div><p class="lead">${sentence}</p></div>`;
  if (text.problem)
    return head(
      text.overLimit
        ? html`${text.overLimit.sentence} Nothing else of this name is registered here.`
        : missing ||
            html`Nothing of this name is registered here. Names are found whole: a handle such as NO1-EX, an organisation, a maintainer, or each word of a person’s name.${
              where.key.length >= 3 && html` <a href="/whois/search?q=${encodeURIComponent(where.key)}">Search objects with it</a>.`
            }`,
    );
  const count = text.objects.length;
  return html`${head(
    count === 1
      ? 'One object matches.'
      : `${count}${text.more ? ' or more' : ''} objects match ${where.key} or are contacts of those that do: ${typesInWords(text.objects)}.`,
  )}${dataPart(where, text, false)}<div class="columns"><div>${takePart(where, !/^(?:person|role):/.test(text.objects[0] ?? ''))}</div><aside aria-label="More about ${where.key}">${wrongPart(where)}</aside></div>`;
}

/** The page of a word that names nothing, with the objects that have it. @param found what a search by words shows of them */
export const wordPage = (key: string, found: Content): Content =>
  html`${searchField(key)}<div class="answer"><div class="headline"><h1>${key}</h1></div><p class="lead">No object has exactly this name. These have the word in a name, description or remark.</p></div>${found}`;

/** The page of a question that can’t be answered. */
export const wrongPage = (asked: string, { why, right }: { why: string; right: string }): Content =>
  html`${searchField(asked)}<div class="answer"><h1>That can’t be looked up</h1><p class="lead">${why} ${right}</p></div>`;

/** A question for port 43 about the first example, which shows what flags do. */
function portPart(resource: string, host: string): Content {
  const asked = { key: resource, level: levels.at(-1)!.flag, types: 'inetnum,route' };
  const query = { key: resource, flags: [asked.level, `-T ${asked.types}`, '-r'] };
  const address = `/whois/query?${new URLSearchParams({ ...asked, brief: '1' }).toString()}`;
  return html`<div class="port" data-host="${host}"><p class="port-head"><span data-copy="${commandOf(query, host)}">The same on port 43, for example</span><a class="push" href="${address}">Run it here</a></p>${commandPieces(query, host)}</div>`;
}

/** The first page: the field, and examples of what it takes. */
export const homePage = ({ examples, address, host }: { examples: readonly Example[]; address: string; host: string }): Content =>
  html`<div class="hero"><h1>Who holds this number?</h1><p class="lead">Ask the registry about an address, a network, an AS number, a person or an object. You don’t need to sign in.</p>${searchField()}
<dl class="examples">${[...examples, { label: 'Your address', key: address, kind: address.includes(':') ? 'ipv6' : 'ipv4' } as const].map(({ label, key, kind }) => html`<div><dt>${label}</dt><dd class="${kind}"><a class="mono" href="${whoisPermalink(key)}">${key}</a></dd></div>`)}</dl></div>
<div class="home">${sheet('query', 'Build a query', {
    head: html`<p class="aside">Whois with flags, and the same question for a script</p>`,
    body: html`${queryForm(null)}${examples[0] && portPart(examples[0].key, host)}`,
    foot: 'Answers with contacts count against the number of people that your address may look up in a day.',
  })}${sheet('abuse', 'Find abuse contacts', {
    head: html`<p class="aside">For a list: addresses, log lines or CSV</p>`,
    body: abuseForm(''),
    foot: `At most ${formatCount(MAX_ADDRESSES)} different addresses. The list isn’t kept or logged.`,
  })}${sheet('search', 'Search objects', {
    head: html`<p class="aside">By words, then by type, economy, status and maintainer</p>`,
    body: searchForm(null),
    foot: html`To look up a number, use the field above. Something is wrong or unclear? <a href="/help/use-whois">Help</a>, <a href="/whois/report">Report wrong data</a>`,
  })}</div>`;
