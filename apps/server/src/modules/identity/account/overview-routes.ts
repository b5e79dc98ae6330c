import type { FastifyInstance } from 'fastify';
import { listAuthenticators } from '../factors/authenticators.ts';
import { coolDownOf } from '../factors/cool-down.ts';
import { listPasskeys } from '../factors/passkeys.ts';
import { recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { passwordSetAt } from '../passwords/password-change.ts';
import { listSessions } from '../sessions/sessions.ts';
import { type HistoryLine, listHistory } from '../sign-in/sign-in-history.ts';
import { overviewPart } from './account-pages.ts';
import type { AccountSession } from './account-session.ts';
import { type AccountTools, LINES_A_PAGE } from './account-tools.ts';

/** Registers `/account`: what the login has, and when it was used. */
export function overviewRoutes(app: FastifyInstance, { db, account, clock, answer, timesOf, whose }: AccountTools): void {
  app.get('/account', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const { loginId, login } = session;
    const now = clock();
    const [times, setAt, passkeys, authenticators, codes, coolDown, history, sessions] = await Promise.all([
      timesOf(session),
      passwordSetAt(db.read, loginId),
      listPasskeys(db.read, loginId),
      listAuthenticators(db.read, loginId),
      recoveryCodesLeft(db.read, loginId),
      coolDownOf(db.read, loginId, now),
      listHistory(db.read, whose(session), { before: null, most: LINES_A_PAGE }),
      listSessions(db.read, loginId, { now, endedDays: 0 }),
    ]);
    const overview = {
      login,
      times,
      passwordSetAt: setAt,
      passkeys,
      authenticators,
      recoveryCodesLeft: codes,
      coolDown,
      lastSignIn: signInBefore(history.lines, session),
      openSessions: sessions.open.length,
    };
    return answer({ request, reply, status: 200, session }, overviewPart(overview));
  });
}

/** The sign-in before that of the present session. */
const signInBefore = (lines: readonly HistoryLine[], { authTime }: AccountSession): HistoryLine | null =>
  // The line of a sign-in is written within seconds of it.
  lines.find(({ action, at }) => action === 'identity.signIn' && Date.parse(at) / 1000 < authTime - 1) ?? null;
