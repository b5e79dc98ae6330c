import { DAY_MS, SECOND_MS } from '@portal/contract/days';
import { whoisPermalink } from '@portal/contract/whois/permalink';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import type { Content } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { rdapPrefix } from '../rdap/index.ts';
import { foreignSourcesOf } from '../foreign-sources/index.ts';
import { framedPage, publicFrame } from '../public-pages/index.ts';
import { personalLimitOf, type QueryPlace } from '../whois/index.ts';
import { homePage, wrongPage } from './answer-page.ts';
import { type Answered, type Asking, answer, type Form, formOf } from './answers.ts';
import { LONGEST, readAsked } from './asked.ts';
import { acceptedForm, rdapPathOf } from './asked-form.ts';
import { type Example, examplesIn } from './examples.ts';
import { answerForeignObject, readForeignAddress } from './foreign-object.ts';
import { searchTool } from './search-tool.ts';
import { abuseTool, queryTool } from './tools.ts';

/** Objects inside a range that are looked at: a page shows a few hundred at most. */
const MAX_INSIDE = 2_000;

/** The server whose answers the pages show. */
function placeOf(context: PageContext): Omit<QueryPlace, 'db'> {
  const { profile, release, modules } = context;
  const elsewhere = modules.flatMap(({ findsElsewhere }) => findsElsewhere ?? [])[0]?.(context);
  return {
    source: profile.source,
    host: profile.whoisHost,
    get termsUrl() {
      return profile.whoisTermsUrl;
    },
    release,
    elsewhere,
    foreign: foreignSourcesOf(context),
    most: MAX_INSIDE,
  };
}

/** Returns the form that the address names, or else the one that the caller prefers; undefined for a name of none. */
function formAskedBy({ query, headers }: FastifyRequest): { form: Form | undefined; prefersRdap: boolean } {
  const { as: named } = query as { as?: unknown };
  if (named !== undefined) return { form: formOf(named), prefersRdap: false };
  const accepted = acceptedForm(headers.accept);
  return accepted === 'rdap' ? { form: 'json', prefersRdap: true } : { form: accepted, prefersRdap: false };
}

/**
 * /whois: who holds a number, for anyone, without signing in and without scripts. Every answer has an address that stays: `/whois/198.18.0.0/19`. The same limit of
 * personal data a day holds as on port 43 and RDAP: one count of this process.
 */
export function whoisPages(app: FastifyInstance, context: PageContext): void {
  const { dbForQuestion, config, profile, clock, publicTurn: inTurn } = context;
  const frame = publicFrame(context, 'apps/server/web/whois.css');
  const place = placeOf(context);
  const limit = personalLimitOf(profile, clock);
  const asking = (request: FastifyRequest): Asking => ({
    context,
    place: { ...place, db: dbForQuestion() },
    limit,
    caller: request.address,
  });
  // Answers may name people: nothing keeps them, and search engines are asked not to list them.
  const sendPage = (reply: FastifyReply, status: number, title: string, main: Content): FastifyReply =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(framedPage(frame, { title, main, current: '/whois', printed: { address: config.appUrl + reply.request.url, at: clock() } }));
  const send = (reply: FastifyReply, title: string, answered: Answered): FastifyReply => {
    const { status } = answered;
    if (status === 429) void reply.header('retry-after', String(Math.ceil((DAY_MS - (clock().getTime() % DAY_MS)) / SECOND_MS)));
    if ('page' in answered) return sendPage(reply, status, title, answered.page);
    void reply.code(status).header('cache-control', 'no-store');
    return 'text' in answered ? reply.type('text/plain; charset=utf-8').send(answered.text) : reply.send(answered.json);
  };

  const examples = { at: -Infinity, rows: [] as readonly Example[] };
  app.get('/whois', async (request, reply) => {
    const { q } = request.query as { q?: unknown };
    if (typeof q === 'string' && q.trim() !== '') {
      const asked = readAsked(q);
      if (asked.kind !== 'wrong') return reply.redirect(whoisPermalink(asked.key), 303);
      return sendPage(reply, 400, 'Whois', wrongPage(q.slice(0, LONGEST), asked));
    }
    const now = clock().getTime();
    if (now - examples.at > 60 * SECOND_MS)
      Object.assign(examples, {
        at: now,
        rows: await examplesIn(dbForQuestion().read),
      });
    const main = homePage({ examples: examples.rows, address: request.address, host: profile.whoisHost });
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(framedPage(frame, { title: 'Whois', main, current: '/whois', listed: true }));
  });
  const tools = {
    asking,
    inTurn,
    send: (
      reply: FastifyReply,
      { status, title, main, listed = false }: { status: number; title: string; main: Content; listed?: boolean },
    ) =>
      reply
        .code(status)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(framedPage(frame, { title, main, current: '/whois', listed })),
  };
  queryTool(app, tools);
  abuseTool(app, tools);
  searchTool(app, tools);
  app.get('/whois/*', async (request, reply) => {
    const text = (request.params as { '*': string })['*'];
    const { form, prefersRdap } = formAskedBy(request);
    void reply.header('vary', 'accept').header('x-robots-tag', 'noindex, nofollow');
    // Scripts of any site may read what is for programs.
    if (form !== 'page') void reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    if (text === '') return reply.redirect('/whois', 301);
    const foreign = readForeignAddress(text, place.foreign ?? []);
    if (foreign)
      return send(reply, foreign.shown, await inTurn(request.address, () => answerForeignObject(asking(request), foreign, form ?? 'page')));
    const asked = readAsked(text);
    if (asked.kind === 'wrong') return sendPage(reply, 400, 'Whois', wrongPage(text.slice(0, LONGEST), asked));
    if (form === undefined)
      return sendPage(
        reply,
        404,
        asked.key,
        wrongPage(asked.key, { why: 'There is no such form of an answer.', right: 'There are as=text and as=json.' }),
      );
    const rdap = prefersRdap ? rdapPathOf(asked) : null;
    if (rdap !== null) return reply.redirect(`${rdapPrefix}/${rdap}`, 303);
    // One page for one thing: what else spells it leads there.
    if (asked.key !== text)
      return reply.redirect(
        whoisPermalink(asked.key) + (request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''),
        301,
      );
    try {
      return send(reply, asked.key, await inTurn(request.address, () => answer(asking(request), asked, form)));
    } catch (error) {
      if (!(error instanceof Failure) || form !== 'page') throw error;
      const problem = { why: 'Your address asks too many questions at the same time.', right: 'Wait for answers, and ask again.' };
      return sendPage(reply.header('retry-after', '1'), 429, asked.key, wrongPage(asked.key, problem));
    }
  });
}
