import type { FastifyInstance } from 'fastify';
import { refuse } from '../../platform/failure.ts';
import type { PageContext } from '../../platform/module.ts';
import { publicText, publicTexts } from '../legal/index.ts';
import { framedPage, publicFrame, sendKept } from '../public-pages/index.ts';
import { listPage, textPage } from './legal-page.ts';

/** Seconds for which caches keep a page: a version takes effect at the beginning of a day. */
const KEPT_SECONDS = 60;

/** `/legal`, `/legal/<text>` and `/legal/<text>/<version>`. @throws Failure NOT_FOUND */
export function legalPages(app: FastifyInstance, context: PageContext): void {
  const { dbForQuestion, clock } = context;
  const frame = publicFrame(context, 'apps/server/web/help.css');
  app.get('/legal', async (request, reply) =>
    sendKept(request, reply, {
      body: framedPage(frame, { title: 'Legal texts', main: listPage(await publicTexts(dbForQuestion().read, clock())), listed: true }),
      type: 'text/html; charset=utf-8',
      seconds: KEPT_SECONDS,
    }),
  );
  for (const path of ['/legal/:text', '/legal/:text/:version'])
    app.get(path, async (request, reply) => {
      const { text, version: asked } = request.params as { text: string; version?: string };
      const versions = await publicText(dbForQuestion().read, text, clock());
      const version =
        asked === undefined
          ? (versions.find(({ hasBegun }) => hasBegun) ?? versions.at(-1))
          : versions.find(each => String(each.version) === asked);
      if (!version) throw refuse('NOT_FOUND', { what: 'This text' });
      return sendKept(request, reply, {
        body: framedPage(frame, {
          title: asked === undefined ? version.title : `${version.title}, version ${version.version}`,
          main: textPage(versions, version),
          listed: asked === undefined,
        }),
        type: 'text/html; charset=utf-8',
        seconds: KEPT_SECONDS,
      });
    });
}
