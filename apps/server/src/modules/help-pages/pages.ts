import { dayIn, HOUR_MS, SECOND_MS } from '@portal/contract/days';
import type { HelpArticle, HelpFound } from '@portal/contract/help-article';
import { findPage } from '@portal/contract/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../../platform/line-server.ts';
import { refuse } from '../../platform/failure.ts';
import { readForms } from '../../platform/http/forms.ts';
import type { Content } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { attempt, fromOurPages, waitWords } from '../identity/index.ts';
import { publicYears } from '../billing/index.ts';
import { framedPage, publicFrame, sendKept } from '../public-pages/index.ts';
import { type Article, readHelp, searchArticles, suggestArticles } from './articles.ts';
import { countAnswer } from './help-answers.ts';
import { answeredOften, articlePage, foundPage, type Helped, helpedAnswers, helpHome, missingPage } from './help-page.ts';
import { feeCalculator } from './fee-calculator.ts';
import { feesArticle, feesPart } from './fees-part.ts';
import { articleOfPage, usualArticle } from './page-articles.ts';

/** Seconds for which caches keep articles: they change with a release, or with a file of the registry. */
const KEPT_SECONDS = HOUR_MS / SECOND_MS;
/** The longest search. */
const MAX_LENGTH = 200;

/** Bytes of the answer about an article. */
const MAX_FORM_BYTES = 1024;

/** Returns the answer of a reader in an address or a form; null for anything else. */
const helpedIn = (fields: unknown): Helped | null =>
  helpedAnswers.find(answer => answer === (fields as { helped?: unknown } | null)?.helped) ?? null;

/** Articles that are suggested for what someone writes. */
const MAX_SUGGESTED = 4;

const inShort = ({ slug, title, summary }: Article): Pick<HelpArticle, 'slug' | 'title' | 'summary'> => ({ slug, title, summary });

/** The announced fees. Articles are read also while the database isn’t: then without them. */
async function feesNow({ dbForQuestion, profile, clock, log }: PageContext): Promise<Content> {
  try {
    return feesPart(await publicYears(dbForQuestion().read, dayIn(profile.timeZone, clock())), profile);
  } catch (error) {
    log.warn('the announced fees could not be read for the help article', { error });
    return null;
  }
}

/** Serves the pictures of articles. */
function servePictures(app: FastifyInstance, pictures: ReturnType<typeof readHelp>['pictures']): void {
  const files = new Map(
    [...pictures.values()]
      .flatMap(({ light, dark }) => (dark ? [light, dark] : [light]))
      .map(file => [file.address.replace(/\?.*$/, ''), file] as const),
  );
  app.get('/help/pictures/:file', (request, reply) => {
    const { file } = request.params as { file: string };
    const picture = files.get(`/help/pictures/${file}`);
    if (!picture) throw refuse('NOT_FOUND', { what: 'This picture' });
    // Its address has a digest of its bytes. One that is asked for without it, or with an old one, is kept for a while only.
    const forGood = picture.address.endsWith(`?v=${String((request.query as { v?: unknown }).v)}`);
    return reply
      .header('cache-control', forGood ? 'public, max-age=31536000, immutable' : `public, max-age=${KEPT_SECONDS}`)
      .type(picture.type)
      .send(picture.bytes);
  });
}

/** `/help`: articles for everyone, and `/help/for?page=/resources/ipv4`, which leads to the article of a page of the portal. They need no database, but for the announced fees. */
export function helpPages(app: FastifyInstance, context: PageContext): void {
  const { config, profile, db, clock } = context;
  const { articles, pictures } = readHelp(config.helpDir);
  const bySlug = new Map(articles.map(article => [article.slug, article]));
  const frame = publicFrame(context, 'apps/server/web/help.css');
  const supportNow = () => ({ supportEmail: profile.supportEmail, supportPhone: profile.supportPhone, appUrl: config.appUrl });
  const send = (request: FastifyRequest, reply: FastifyReply, title: string, main: Content, listed = true): FastifyReply =>
    sendKept(request, reply, {
      body: framedPage(frame, { title, main, current: '/help', listed }),
      type: 'text/html; charset=utf-8',
      seconds: KEPT_SECONDS,
    });

  /** A link to an article that is not there, or no longer: what has its words, and the list of all. */
  const sendMissing = (reply: FastifyReply, slug: string): FastifyReply => {
    const words = slug.replaceAll('-', ' ').trim().slice(0, MAX_LENGTH);
    const main = missingPage(articles, words, searchArticles(articles, words), supportNow());
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(framedPage(frame, { title: 'Article not found', main, current: '/help', listed: false }));
  };
  const sendJson = (request: FastifyRequest, reply: FastifyReply, body: HelpArticle | HelpFound): FastifyReply =>
    sendKept(request, reply, { body: JSON.stringify(body), type: 'application/json; charset=utf-8', seconds: KEPT_SECONDS });
  /** Whether an answer for programs is asked for: the panel beside a page of the portal, and suggestions. @throws Failure NOT_FOUND for any other form */
  const asJson = (request: FastifyRequest): boolean => {
    const { as: form } = request.query as { as?: unknown };
    if (form !== undefined && form !== 'json') throw refuse('NOT_FOUND', { what: 'This form of the page' });
    return form === 'json';
  };

  app.get('/help', (request, reply) => {
    const { q } = request.query as { q?: unknown };
    const asked = typeof q === 'string' ? q.trim().slice(0, MAX_LENGTH) : '';
    if (asJson(request)) return sendJson(request, reply, { articles: suggestArticles(articles, asked, MAX_SUGGESTED).map(inShort) });
    if (asked === '') return send(request, reply, 'Help', helpHome(articles));
    return send(request, reply, `Help: ${asked}`, foundPage(articles, asked, searchArticles(articles, asked), supportNow()), false);
  });
  app.get('/help/for', (request, reply) => {
    const { page } = request.query as { page?: unknown };
    const slug = (typeof page === 'string' ? articleOfPage(findPage(page, profile.product).name) : null) ?? usualArticle;
    const article = bySlug.get(slug);
    if (asJson(request)) {
      if (!article) throw refuse('NOT_FOUND', { what: 'This article' });
      return sendJson(request, reply, { ...inShort(article), blocks: article.blocks });
    }
    return reply.header('cache-control', `public, max-age=${KEPT_SECONDS}`).redirect(article ? `/help/${slug}` : '/help', 302);
  });
  servePictures(app, pictures);
  feeCalculator(app, context, frame);
  app.get('/help/:slug', async (request, reply) => {
    const { slug } = request.params as { slug: string };
    const article = bySlug.get(slug);
    if (!article && asJson(request)) throw refuse('NOT_FOUND', { what: 'This article' });
    if (!article) return sendMissing(reply, slug);
    if (asJson(request)) return sendJson(request, reply, { ...inShort(article), blocks: article.blocks });
    const helped = helpedIn(request.query);
    const after = slug === feesArticle ? await feesNow(context) : null;
    return send(request, reply, article.title, articlePage(articles, article, supportNow(), helped, after), helped === null);
  });
  // Someone who reloads what followed an answer, or goes to its address, comes back to the article.
  app.get<{ Params: { slug: string } }>('/help/:slug/answer', async ({ params: { slug } }, reply) =>
    bySlug.has(slug) ? reply.redirect(`/help/${slug}#helped`, 303) : sendMissing(reply, slug),
  );
  void app.register(async scope => {
    readForms(scope, MAX_FORM_BYTES);
    scope.post('/help/:slug/answer', async (request, reply) => {
      fromOurPages(request);
      const { slug } = request.params as { slug: string };
      const article = bySlug.get(slug);
      if (!article) return sendMissing(reply, slug);
      const helped = helpedIn(request.body);
      if (helped === null) throw refuse('INVALID_REQUEST', { detail: 'helped is yes or no' });
      const { waitSeconds } = await attempt(db, `help answers from ${addressGroup(request.address)}`, clock());
      if (waitSeconds > 0)
        return reply
          .code(429)
          .header('retry-after', String(waitSeconds))
          .header('cache-control', 'no-store')
          .type('text/html; charset=utf-8')
          .send(framedPage(frame, { title: 'Try again later', main: answeredOften(article, waitWords(waitSeconds)), current: '/help' }));
      await countAnswer(db, slug, helped === 'yes', clock());
      return reply.redirect(`/help/${slug}?helped=${helped}#helped`, 303);
    });
  });
}
