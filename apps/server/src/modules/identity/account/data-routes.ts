import { Readable } from 'node:stream';
import { utcDay } from '@portal/contract/days';
import { rowNumber } from '@portal/contract/row-ids';
import type { FastifyInstance } from 'fastify';
import { downloadDataCopy, listDataCopies, refusalOfCopy, requestDataCopy } from '../copies/data-copies.ts';
import type { AccountSession } from './account-session.ts';
import type { AccountTools, Query } from './account-tools.ts';
import { dataPart, refusalWords } from './data-pages.ts';

const loggedInAgain = 'You had to log in again. No copy was requested yet.';
const noCopy = 'This copy doesn’t exist or has expired. Request a new one.';

/** Registers `/account/data`: copies of what the registry keeps about the person. */
export function dataRoutes(
  app: FastifyInstance,
  { db, config, account, clock, copyStorage, answer, originOf, timesOf }: AccountTools,
): void {
  const partOf = async (session: AccountSession) => {
    const now = clock();
    const [times, copies, refusal] = await Promise.all([
      timesOf(session),
      listDataCopies(db.read, session.loginId, now),
      refusalOfCopy(db.read, session.loginId, now),
    ]);
    return dataPart({ ...session, times, copies, refusal });
  };

  app.get('/account/data', async (request, reply) => {
    const { change, again } = request.query as Query;
    const session = await account.requireSession(request, reply, { fresh: change !== undefined });
    if (!session) return reply;
    const message = again === undefined ? null : loggedInAgain;
    return answer({ request, reply, status: 200, session }, { ...(await partOf(session)), message });
  });

  app.post('/account/data', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/data' });
    if (!session) return reply;
    const whose = { loginId: session.loginId, config, now: clock() };
    const refusal = await requestDataCopy(db, originOf(request, session), whose);
    if (!refusal) return reply.redirect('/account/data?done=copy-requested', 303);
    const message = refusalWords(refusal, await timesOf(session));
    return answer(
      { request, reply, status: refusal.why === 'lately' ? 429 : 403, session },
      { ...(await partOf(session)), message: `No copy was requested. ${message}` },
    );
  });

  app.get('/account/data/:file', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    // To the page rather than to the file: a file would leave the log in page on the screen.
    if (!session.fresh) return reply.redirect('/account/data?change=1', 303);
    const [, number = ''] = /^(\d+)\.zip$/.exec((request.params as { file: string }).file) ?? [];
    const dataCopyId = rowNumber(number);
    const found =
      dataCopyId === null || !copyStorage
        ? null
        : await downloadDataCopy(db, originOf(request, session), {
            loginId: session.loginId,
            dataCopyId,
            config,
            storage: copyStorage,
            now: clock(),
          });
    if (!found) return answer({ request, reply, status: 404, session }, { ...(await partOf(session)), message: noCopy });
    return reply
      .type('application/zip')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="my-data-${utcDay(found.madeAt)}.zip"`)
      .send(Readable.from(found.chunks));
  });
}
