import { HOUR_MS, SECOND_MS } from '@portal/contract/days';
import { findPage } from '@portal/contract/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../platform/failure.ts';
import type { Content } from '../../platform/http/html.ts';
import type { PageContext } from '../../platform/module.ts';
import { framedPage, publicFrame, sendKept } from '../public-pages/index.ts';
import { readArticles, searchArticles } from './articles.ts';
import { articlePage, foundPage, helpHome } from './help-page.ts';
import { articleOfPage, usualArticle } from './page-articles.ts';

/** Seconds for which caches keep articles: they change with a release, or with a file of the registry. */
const KEPT_SECONDS = HOUR_MS / SECOND_MS;
/** The longest search. */
const MAX_LENGTH = 200;

/** `/help`: articles for everyone, and `/help/for?page=/resources/ipv4`, which leads to the article of a page of the portal. They need no database. */
export function helpPages(app: FastifyInstance, context: PageContext): void {
  const { config, profile } = context;
  const articles = readArticles(config.helpDir);
  const bySlug = new Map(articles.map(article => [article.slug, article]));
  const frame = publicFrame(context, 'apps/server/web/help.css');
  const support = { supportEmail: profile.supportEmail, appUrl: config.appUrl };
  const send = (request: FastifyRequest, reply: FastifyReply, title: string, main: Content, listed = true): FastifyReply =>
    sendKept(request, reply, {
      body: framedPage(frame, { title, main, current: '/help', listed }),
      type: 'text/html; charset=utf-8',
      seconds: KEPT_SECONDS,
    });

  app.get('/help', (request, reply) => {
    const { q } = request.query as { q?: unknown };
    const asked = typeof q === 'string' ? q.trim().slice(0, MAX_LENGTH) : '';
    if (asked === '') return send(request, reply, 'Help', helpHome(articles));
    return send(request, reply, `Help: ${asked}`, foundPage(articles, asked, searchArticles(articles, asked), support), false);
  });
  app.get('/help/for', (request, reply) => {
    const { page } = request.query as { page?: unknown };
    const slug = (typeof page === 'string' ? articleOfPage(findPage(page, profile.product).name) : null) ?? usualArticle;
    return reply.header('cache-control', `public, max-age=${KEPT_SECONDS}`).redirect(bySlug.has(slug) ? `/help/${slug}` : '/help', 302);
  });
  app.get('/help/:slug', (request, reply) => {
    const { slug } = request.params as { slug: string };
    const article = bySlug.get(slug);
    if (!article) throw refuse('NOT_FOUND', { what: 'This article' });
    return send(request, reply, article.title, articlePage(articles, article, support));
  });
}
