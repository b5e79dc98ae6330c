import type { FastifyInstance } from 'fastify';
import { coolDownOf } from '../factors/cool-down.ts';
import { openErasureOf, requestErasure, withdrawErasure } from '../erasure/erasures.ts';
import type { AccountSession } from './account-session.ts';
import type { AccountTools, Query } from './account-tools.ts';
import { erasurePart } from './erasure-pages.ts';

const loggedInAgain = 'You had to log in again. No changes were made yet.';

/** Registers `/account/erasure`: the person asks to be erased, and takes the request back. */
export function erasureRoutes(
  app: FastifyInstance,
  { db, config, profile, account, clock, erasure, answer, originOf, timesOf }: AccountTools,
): void {
  const partOf = async (session: AccountSession) => {
    const [times, open, obstacles] = await Promise.all([
      timesOf(session),
      openErasureOf(db.read, session.loginId),
      erasure.obstaclesOf(session.loginId),
    ]);
    return erasurePart({ ...session, times, open, obstacles, kinds: erasure.kinds, waitDays: profile.erasureWaitDays });
  };

  app.get('/account/erasure', async (request, reply) => {
    const { change, again } = request.query as Query;
    const session = await account.requireSession(request, reply, { fresh: change !== undefined });
    if (!session) return reply;
    const message = again === undefined ? null : loggedInAgain;
    return answer({ request, reply, status: 200, session }, { ...(await partOf(session)), message });
  });

  app.post('/account/erasure', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/erasure' });
    if (!session) return reply;
    const coolDown = await coolDownOf(db.read, session.loginId, clock());
    if (coolDown) {
      const until = (await timesOf(session)).words(coolDown.until);
      const message = `${coolDown.why}. You can request erasure from ${until}.`;
      return answer({ request, reply, status: 403, session }, { ...(await partOf(session)), message });
    }
    const whose = { loginId: session.loginId, waitDays: profile.erasureWaitDays, config };
    const isNew = await requestErasure(db, originOf(request, session), whose);
    if (isNew) return reply.redirect('/account/erasure?done=erasure-requested', 303);
    return answer({ request, reply, status: 409, session }, { ...(await partOf(session)), message: 'You have asked already.' });
  });

  app.post('/account/erasure/withdraw', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/erasure' });
    if (!session) return reply;
    if (await withdrawErasure(db, originOf(request, session), { loginId: session.loginId, config }))
      return reply.redirect('/account/erasure?done=erasure-withdrawn', 303);
    const message = 'No request is open any more, so none was taken back.';
    return answer({ request, reply, status: 409, session }, { ...(await partOf(session)), message });
  });
}
