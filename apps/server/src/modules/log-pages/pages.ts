import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../platform/failure.ts';
import type { PageContext } from '../../platform/module.ts';
import { framedPage, publicFrame, sendKept } from '../public-pages/index.ts';
import { checkLogScript } from './check-log.ts';
import { logPage } from './log-page.ts';
import { newestRoots, rootsAfter, ROOTS_OF_FILE, rootsText } from './published-roots.ts';

/** Seconds for which caches keep the roots: a new one comes once a day. */
const KEPT_SECONDS = 600;
/** Roots on the page. */
const SHOWN = 30;

/** `/log`: the published roots of the activity log, as a page, text and JSON, and the program that checks a log against them. */
export function logPages(app: FastifyInstance, context: PageContext): void {
  const { dbForQuestion, profile, config } = context;
  const frame = publicFrame(context);
  const open = (reply: FastifyReply): FastifyReply => reply.header('access-control-allow-origin', '*');
  const rootsAsked = (request: FastifyRequest) => {
    const { after = '0' } = request.query as { after?: unknown };
    if (typeof after !== 'string' || !/^\d{1,9}$/.test(after)) throw refuse('NOT_FOUND', { what: 'This part of the roots' });
    return rootsAfter(dbForQuestion().read, Number(after));
  };

  app.get('/log', async (request, reply) => {
    const roots = await newestRoots(dbForQuestion().read, SHOWN);
    const body = framedPage(frame, {
      title: 'Activity log',
      main: logPage({ registryName: profile.registryName, appUrl: config.appUrl, roots }),
      listed: true,
    });
    return sendKept(request, reply, { body, type: 'text/html; charset=utf-8', seconds: KEPT_SECONDS });
  });
  app.get('/log/roots.txt', async (request, reply) =>
    sendKept(request, open(reply), {
      body: rootsText(await rootsAsked(request)),
      type: 'text/plain; charset=utf-8',
      seconds: KEPT_SECONDS,
    }),
  );
  app.get('/log/roots.json', async (request, reply) => {
    const roots = await rootsAsked(request);
    const more = roots.length === ROOTS_OF_FILE ? roots.at(-1)!.rootId : null;
    return sendKept(request, open(reply), {
      body: JSON.stringify({ roots, after: more }),
      type: 'application/json; charset=utf-8',
      seconds: KEPT_SECONDS,
    });
  });
  app.get('/log/check-log.mjs', (request, reply) =>
    sendKept(request, reply.header('content-disposition', 'attachment; filename="check-log.mjs"'), {
      body: checkLogScript,
      type: 'text/javascript; charset=utf-8',
      seconds: KEPT_SECONDS,
    }),
  );
}
