import type { FastifyInstance } from 'fastify';
import { endOtherSessions, endSession, listSessions } from '../sessions/sessions.ts';
import { sessionsPart } from './account-pages.ts';
import { type AccountTools, LINES_A_PAGE } from './account-tools.ts';

/** Sessions that ended so lately are listed. */
const ENDED_DAYS = 30;

/** Registers `/account/sessions`: open sessions and programs that act in the person’s name, and their ends. */
export function sessionRoutes(
  app: FastifyInstance,
  { db, account, forms, clock, programs, answer, originOf, timesOf, withPlaces }: AccountTools,
): void {
  app.get('/account/sessions', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const { open, ended } = await listSessions(db.read, session.loginId, { now: clock(), endedDays: ENDED_DAYS });
    const now = clock();
    const listed = (await Promise.all(programs.map(({ list }) => list(db.read, { loginId: session.loginId, now })))).flat();
    const placed = await withPlaces(listed.map(program => ({ ...program, address: program.lastUse?.address ?? null })));
    const part = sessionsPart({
      ...session,
      programs: placed,
      times: await timesOf(session),
      // This one first.
      open: (await withPlaces(open)).sort((a, b) => Number(b.sid === session.sid) - Number(a.sid === session.sid)),
      ended: await withPlaces(ended.slice(0, LINES_A_PAGE)),
    });
    return answer({ request, reply, status: 200, session }, part);
  });

  app.post('/account/sessions/end', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: '/account/sessions' });
    if (!session) return reply;
    const sid = forms.field(request, 'sid', 100);
    const own = await db.read
      .selectFrom('session')
      .select('sid')
      .where('sid', '=', sid)
      .where('loginId', '=', session.loginId)
      .where('endedAt', 'is', null)
      .executeTakeFirst();
    if (own) {
      const line = { ...originOf(request, session), action: 'identity.endSession', summary: 'Ended a session' };
      await db.change(line, async change => {
        await change.note({ ended: sid });
        await endSession(change, sid, 'ended by you');
      });
    }
    return reply.redirect(own ? '/account/sessions?done=ended' : '/account/sessions', 303);
  });

  app.post('/account/sessions/end-program', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: '/account/sessions' });
    if (!session) return reply;
    const programId = forms.field(request, 'program', 100);
    const mine = { loginId: session.loginId, name: session.login.fullName, programId };
    let hasEnded = false;
    for (const { end } of programs) hasEnded ||= await end(db, originOf(request, session), mine);
    return reply.redirect(hasEnded ? '/account/sessions?done=ended-program' : '/account/sessions', 303);
  });

  app.post('/account/sessions/end-others', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: '/account/sessions' });
    if (!session) return reply;
    const line = { ...originOf(request, session), action: 'identity.endOtherSessions', summary: 'Ended all other sessions' };
    await db.change(line, change => endOtherSessions(change, session.loginId, session.sid, 'ended by you'));
    return reply.redirect('/account/sessions?done=ended-others', 303);
  });
}
