import { enclosingPrefix, type NumberResource, parseRange } from '@portal/number-resources';
import { isClassName, parseObject } from '@portal/rpsl';
import type { Content } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { rdapPrefix } from '../rdap/index.ts';
import { publicRecord } from '../records/index.ts';
import { delegationsIn, heldBeside, isLocked, neighboursOf } from '../resources/index.ts';
import { findAbuseContact, type PersonalLimit, type QueryPlace, readQueryKey, versionTimes } from '../whois/index.ts';
import { isVersioned, MAX_BESIDE, type NumbersAnswer, namePage, numbersPage, wordPage, wrongPage } from './answer-page.ts';
import type { Asked } from './asked.ts';
import { rdapPathOf } from './asked-form.ts';
import { missingName } from './missing-name.ts';
import { readNameQuery } from './name-query.ts';

import { foundPart } from './search-page.ts';
import { standingOf } from './standing.ts';
import { blockAround, type Surroundings } from './place-picture.ts';
import { whoisText } from './whois-text.ts';
import { searchAll, sourcesOf } from './name-search.ts';

/** Forms of an answer: the page, and what programs read. */
const forms = ['page', 'text', 'json'] as const;
export type Form = (typeof forms)[number];

/** Returns the form of an answer that is asked for; undefined for one that there isn't. */
export const formOf = (asked: unknown): Form | undefined => forms.find(form => form === asked);

/** Where answers are looked up, and the address that they count for. */
export type Asking = { context: PageContext; place: QueryPlace; limit: PersonalLimit; caller: string };
export type Answered = { status: number; page: Content } | { status: number; text: string } | { status: number; json: object };

/** Blocks in a longer prefix than an IPv4 /8 or an IPv6 /16 are not described in one page. */
const SHORTEST = { ipv4: 8, ipv6: 16 };
const MAX_AS_NUMBERS = 1000;
const isTooLarge = (resource: NumberResource): boolean =>
  resource.family === 'asn'
    ? resource.last - resource.first >= MAX_AS_NUMBERS
    : enclosingPrefix(resource).length < SHORTEST[resource.family];

const wrong = (form: Form, key: string, status: number, problem: { why: string; right: string }): Answered => {
  if (form === 'json') return { status, json: { error: `${problem.why} ${problem.right}` } };
  return form === 'text' ? { status, text: `% ${problem.why}\n% ${problem.right}\n` } : { status, page: wrongPage(key, problem) };
};

/** Delegations around that are drawn: of more, the widths couldn't be told apart. */
const MAX_AROUND = 60;

/** Delegations around some numbers, or around the delegation that they are a part of. */
async function surroundings(
  db: Asking['place']['db'],
  resource: NumberResource,
  { holdings }: NumbersAnswer['record'],
): Promise<Surroundings | null> {
  if (resource.family === 'asn') return null;
  const holding = holdings.findLast(({ relation }) => relation !== 'inside');
  const found = blockAround(holding ? parseRange(holding.resource) : resource);
  if (!found) return null;
  const parts = await delegationsIn(db.read, found.block, MAX_AROUND + 1);
  return parts.length > MAX_AROUND || parts.length === 0 ? null : { ...found, parts };
}

/** Everything about numbers that a page shows. */
async function answerNumbers({ context, place, limit, caller }: Asking, key: string, resource: NumberResource): Promise<NumbersAnswer> {
  const { db } = place;
  const [record, beside, abuse, locked, standing, text] = await Promise.all([
    publicRecord(db.read, key, { ...context, db }),
    heldBeside(db.read, resource, MAX_BESIDE + 1),
    findAbuseContact(db, readQueryKey(key)),
    isLocked(db.read, resource),
    standingOf(place, resource),
    whoisText(place, key, { limit, caller, form: 'page' }),
  ]);
  const own = record.objects.find(isVersioned);
  const around = await surroundings(db, resource, record);
  // Of a part of a delegation, those beside the delegation: what is beside the part is the same holder's.
  const holding = record.holdings.findLast(({ relation }) => relation !== 'inside');
  const neighbours = await neighboursOf(db.read, holding && resource.family !== 'asn' ? parseRange(holding.resource) : resource);
  const versions = own ? await versionTimes(db.read, { class: own.class, key: own.shown.toLowerCase() }) : [];
  return {
    record,
    beside,
    neighbours,
    around,
    mailbox: abuse?.mailbox ?? null,
    locked,
    standing: standing?.kind === 'special' && (record.holdings.length > 0 || !text.problem) ? null : standing,
    text,
    versions,
    now: context.clock(),
  };
}

const entities: ReadonlySet<string> = new Set(['person', 'role', 'organisation', 'irt', 'mntner']);

/** The path at RDAP of what was found by name; null for what RDAP doesn't have, such as routes. */
function rdapOfName(key: string, objects: readonly string[]): string | null {
  if (/\.arpa\.?$/i.test(key)) return `domain/${key}`;
  const name = parseObject(objects[0] ?? '').object?.class ?? '';
  return isClassName(name) && entities.has(name) && !key.includes(' ') ? `entity/${encodeURIComponent(key)}` : null;
}

/** Answers one question, as a page or in the form that is asked for. */
export async function answer(given: Asking, asked: Exclude<Asked, { kind: 'wrong' }>, form: Form): Promise<Answered> {
  // The page of a number or a name is the registry's own, whatever other sources are asked elsewhere.
  const asking = { ...given, place: { ...given.place, foreign: [] } };
  const { context, place, limit, caller } = asking;
  const { config, profile } = context;
  const { db } = place;
  const { key } = asked;
  if (asked.kind === 'numbers' && isTooLarge(asked.resource))
    return wrong(form, key, 400, {
      why: 'That is more than one page can describe.',
      right: 'Ask for parts of an IPv4 /8 or an IPv6 /16, or for at most a thousand AS numbers.',
    });
  if (form === 'text') {
    const { objects, remarks, problem, overLimit, more } = await whoisText(place, key, { limit, caller, form });
    const lines = [
      ...[...(overLimit ? [`Contacts are left out. ${overLimit.sentence}`] : []), ...remarks, ...(problem?.sentences ?? [])].map(
        remark => `% ${remark.replaceAll('\n', '\n% ')}\n`,
      ),
      ...objects,
      ...(more ? ['% Cut here: port 43 has all of it.\n'] : []),
    ];
    return { status: problem ? (overLimit && asked.kind === 'name' ? refusedStatus(overLimit) : 404) : 200, text: lines.join('\n') };
  }
  const where = (rdap: string | null) => ({ key, appUrl: config.appUrl, rdap: rdap && `${config.appUrl}${rdapPrefix}/${rdap}`, profile });
  if (asked.kind === 'name') {
    if (form === 'json')
      return wrong(form, key, 404, {
        why: 'Objects found by name have no JSON here.',
        right: 'RDAP has them: /rdap/entity/ and /rdap/domain/.',
      });
    const text = await whoisText(place, key, { limit, caller, form });
    const status = text.problem ? (text.overLimit ? refusedStatus(text.overLimit) : 404) : 200;
    const missing = text.problem && !text.overLimit ? await missingName(asking, key) : null;
    const named = where(rdapOfName(key, text.objects));
    if (!text.problem || text.overLimit || missing !== null) return { status, page: namePage(named, text, missing) };
    // A word that names nothing may be one of many names and descriptions: the search by words finds them.
    const sources = sourcesOf(place);
    const query = readNameQuery({ q: key }, sources);
    const found = query && 'chosen' in query ? await searchAll(place, query.text, query.chosen) : null;
    if (!query || !('chosen' in query) || !found || found.hits.length === 0) return { status, page: namePage(named, text) };
    return { status: 200, page: wordPage(key, foundPart(query, found, sources)) };
  }
  const { resource } = asked;
  if (form === 'json') {
    const [record, abuse, locked] = await Promise.all([
      publicRecord(db.read, key, { ...context, db }),
      findAbuseContact(db, readQueryKey(key)),
      isLocked(db.read, resource),
    ]);
    const isKnown = record.holdings.length + record.pools.length + record.objects.length > 0;
    return { status: isKnown ? 200 : 404, json: { ...record, abuseMailbox: abuse?.mailbox ?? null, transferProhibited: locked } };
  }
  const found = await answerNumbers(asking, key, resource);
  const isKnown = !found.text.problem || found.record.holdings.length + found.record.pools.length > 0;
  return { status: isKnown ? 200 : 404, page: numbersPage(where(rdapPathOf(asked)), found) };
}

const refusedStatus = ({ forGood }: { forGood: boolean }): number => (forGood ? 403 : 429);
