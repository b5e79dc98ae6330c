import { findSpecialAs, findSpecialBlock, type NumberResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageContext } from '../../platform/module.ts';
import { rdapPrefix } from '../rdap/index.ts';
import { publicRecord } from '../records/index.ts';
import { isLocked } from '../resources/index.ts';
import { findAbuseContact, limitPersonalData, type PersonalLimit, type QueryPlace, readQueryKey } from '../whois/index.ts';
import { homePage, namePage, type NumbersAnswer, numbersPage, wrongPage } from './answer-page.ts';
import { type Asked, LONGEST, pathOf, readAsked } from './asked.ts';
import { type Frame, framedPage } from './page-frame.ts';
import { whoisText } from './whois-text.ts';

/** Blocks of more addresses are not described in one page: an IPv4 /8, an IPv6 /16. Port 43 refuses to list what lies in them too. */
const LARGEST = { ipv4: 2n ** 24n, ipv6: 2n ** 112n };
type Shared = { context: PageContext; frame: Frame; place: QueryPlace; limit: PersonalLimit };

const rdapOf = (resource: NumberResource, key: string): string | null =>
  resource.family === 'asn'
    ? resource.first === resource.last
      ? `autnum/${resource.first}`
      : null
    : key.includes(' ')
      ? null
      : `ip/${key}`;

/** Numbers that no registry delegates, in a sentence. */
function specialSentence(resource: NumberResource): string | null {
  const special = resource.family === 'asn' ? findSpecialAs(resource.first) : findSpecialBlock(resource);
  return special ? `${special.name} (${special.source}): no registry delegates it` : null;
}

/** Everything about numbers that a page shows. */
async function answerNumbers(
  { context, place, limit }: Shared,
  key: string,
  resource: NumberResource,
  caller: string,
): Promise<NumbersAnswer> {
  const { db } = context;
  const [record, abuse, locked, elsewhere, text] = await Promise.all([
    publicRecord(db.read, key, context),
    findAbuseContact(db, readQueryKey(key)),
    isLocked(db.read, resource),
    place.elsewhere?.(resource.family === 'asn' ? resource.first : resource) ?? [],
    whoisText(place, key, { limit, caller }),
  ]);
  const isHeld = record.holdings.length > 0 || !text.problem;
  const special = isHeld ? null : specialSentence(resource);
  return { record, mailbox: abuse?.mailbox ?? null, locked, elsewhere: special === null ? elsewhere : [special, ...elsewhere], text };
}

const isTooLarge = (resource: NumberResource): boolean =>
  resource.family === 'asn' ? resource.last - resource.first >= 1000 : resource.last - resource.first >= LARGEST[resource.family];

/** Answers one address of the public whois, as a page or in the form that is asked for. */
async function answer(shared: Shared, asked: Asked & { key: string }, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { context, frame, place, limit } = shared;
  const { config, profile } = context;
  const caller = request.address;
  const form = (request.query as { as?: string }).as;
  const send = (status: number, title: string, main: Parameters<typeof framedPage>[1]['main']): FastifyReply =>
    sendHtml(reply, status, framedPage(frame, { title, main }));
  if (form !== undefined && form !== 'text' && form !== 'json')
    return send(
      404,
      asked.key,
      wrongPage(asked.key, { why: `There is no form “${form.slice(0, 40)}”.`, right: 'There are as=text and as=json.' }),
    );
  const where = (rdap: string | null) => ({
    key: asked.key,
    appUrl: config.appUrl,
    rdap: rdap && `${config.appUrl}${rdapPrefix}/${rdap}`,
    profile,
  });
  if (form === 'text') {
    const { objects, remarks, problem } = await whoisText(place, asked.key, { limit, caller });
    const lines = problem ? problem.sentences.map(sentence => `% ${sentence}\n`) : [...remarks.map(remark => `% ${remark}\n`), ...objects];
    return reply
      .code(problem ? 404 : 200)
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(lines.join('\n'));
  }
  if (asked.kind === 'name') {
    if (form === 'json')
      return send(
        404,
        asked.key,
        wrongPage(asked.key, {
          why: 'Objects found by name have no JSON here.',
          right: 'RDAP has them under /rdap/entity/ and /rdap/domain/.',
        }),
      );
    const text = await whoisText(place, asked.key, { limit, caller });
    const isZone = /\.arpa\.?$/i.test(asked.key);
    const rdap = isZone
      ? `domain/${asked.key}`
      : text.problem || asked.key.includes(' ')
        ? null
        : `entity/${encodeURIComponent(asked.key)}`;
    return send(text.problem ? (text.withoutContacts ? 429 : 404) : 200, asked.key, namePage(where(rdap), text));
  }
  if (asked.kind !== 'numbers') throw new Error('Nothing else is answered.');
  if (isTooLarge(asked.resource))
    return send(
      400,
      asked.key,
      wrongPage(asked.key, {
        why: 'That is more than one page can describe.',
        right: 'Ask for at most an IPv4 /8, an IPv6 /16 or a thousand AS numbers.',
      }),
    );
  const found = await answerNumbers(shared, asked.key, asked.resource, caller);
  const { record, mailbox, locked, text } = found;
  if (form === 'json')
    return reply
      .header('cache-control', 'no-store')
      .header('access-control-allow-origin', '*')
      .send({ ...record, abuseMailbox: mailbox, transferProhibited: locked });
  const isKnown = !text.problem || record.holdings.length > 0 || record.pools.length > 0;
  return send(isKnown ? 200 : 404, asked.key, numbersPage(where(rdapOf(asked.resource, asked.key)), found));
}

const sendHtml = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);

/** Examples for the first page that lead to something: of each family the oldest delegation. */
async function examplesOf({ db }: PageContext): Promise<[string, string][]> {
  const rows = await db.read.rows<{ kind: 'ipv4' | 'ipv6' | 'asn'; resource: string }>(
    sql`select kind, resource from (select distinct on (kind) kind, resource, delegation_id from delegation where status <> 'closed' and registry = ''
      order by kind, delegation_id) oldest order by kind = 'asn', kind`,
  );
  const labels = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS number' };
  return rows.map(({ kind, resource }) => [labels[kind], resource]);
}

/**
 * /whois: who holds a number, for anyone, without signing in and without scripts. Every answer has an address that stays: `/whois/198.18.0.0/19`. The same limit of
 * personal data a day holds as on port 43, counted by each process.
 */
export function whoisPages(app: FastifyInstance, context: PageContext): void {
  const { db, config, profile, release, clock, asset, modules } = context;
  const shared: Shared = {
    context,
    frame: {
      registryName: profile.registryName,
      appUrl: config.appUrl,
      styleSheet: asset('apps/server/web/whois.css'),
      script: asset('apps/server/web/whois.ts'),
      termsUrl: profile.whoisTermsUrl,
    },
    place: {
      db,
      source: profile.source,
      host: profile.whoisHost,
      termsUrl: profile.whoisTermsUrl,
      release,
      elsewhere: modules.flatMap(({ findsElsewhere }) => findsElsewhere ?? [])[0]?.(context),
    },
    limit: limitPersonalData(profile.personalLookupsPerDay, clock),
  };
  const examples = { at: -Infinity, rows: [] as [string, string][] };
  app.get('/whois', async (request, reply) => {
    const { q } = request.query as { q?: unknown };
    if (typeof q === 'string' && q.trim() !== '') {
      const asked = readAsked(q);
      if (asked.kind !== 'wrong') return reply.redirect(pathOf(asked.key), 303);
      return sendHtml(reply, 400, framedPage(shared.frame, { title: 'Whois', main: wrongPage(q.slice(0, LONGEST), asked) }));
    }
    const now = clock().getTime();
    if (now - examples.at > 60_000) Object.assign(examples, { at: now, rows: await examplesOf(context) });
    return sendHtml(
      reply,
      200,
      framedPage(shared.frame, { title: 'Whois', main: homePage({ examples: examples.rows, address: request.address }), listed: true }),
    );
  });
  app.get('/whois/*', async (request, reply) => {
    const text = (request.params as { '*': string })['*'];
    const asked = readAsked(text);
    if (asked.kind === 'wrong')
      return sendHtml(reply, 400, framedPage(shared.frame, { title: 'Whois', main: wrongPage(text.slice(0, LONGEST), asked) }));
    // One page for one thing: what else spells it leads there.
    if (asked.key !== text)
      return reply.redirect(pathOf(asked.key) + (request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''), 301);
    return answer(shared, asked, request, reply);
  });
}
