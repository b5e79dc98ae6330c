import type { FastifyInstance } from 'fastify';
import { emailAddressProblem } from '../logins/email-address.ts';
import { emailPart } from './account-pages.ts';
import { type AccountTools, again, type Answering, type Query } from './account-tools.ts';
import { askForEmailChange } from './email-change.ts';

/** Registers `/account/email`: asking for another address of the login. */
export function emailRoutes(app: FastifyInstance, { db, config, account, forms, clock, answer, originOf, timesOf }: AccountTools): void {
  const showEmail = async (
    answering: Answering,
    {
      typed,
      wrong = {},
      message = null,
    }: { typed?: Query | null; wrong?: { email?: string | null; again?: string | null }; message?: string | null } = {},
  ) => {
    const { session } = answering;
    const now = clock().toISOString();
    const open = await db.read
      .selectFrom('loginLink')
      .select(['purpose', 'email', 'expiresAt as until'])
      .where('loginId', '=', session.loginId)
      .where('purpose', 'in', ['change-email', 'undo-change-email'])
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .orderBy('madeAt', 'desc')
      .execute();
    const part = emailPart({
      ...session,
      times: await timesOf(session),
      pending: open.find(({ purpose }) => purpose === 'change-email') ?? null,
      former: open.filter(({ purpose }) => purpose === 'undo-change-email'),
      typed: { email: typed?.email ?? '', again: typed?.again ?? '' },
      wrong,
    });
    return answer(answering, { ...part, message });
  };

  app.get('/account/email', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: (request.query as Query).change !== undefined });
    if (!session) return reply;
    const typed = await account.typedBefore(request, session);
    return showEmail({ request, reply, status: 200, session }, { typed, message: typed && again });
  });

  app.post('/account/email', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/email', keep: ['email', 'again'] });
    if (!session) return reply;
    const typed = { email: forms.field(request, 'email', 300).trim(), again: forms.field(request, 'again', 300).trim() };
    const wrong = {
      email:
        emailAddressProblem(typed.email) ??
        (typed.email.toLowerCase() === session.login.email.toLowerCase() ? 'This is your current address.' : null),
      again: typed.email.toLowerCase() === typed.again.toLowerCase() ? null : 'The two addresses don’t match.',
    };
    const message = 'No link was sent.';
    if (wrong.email || wrong.again) return showEmail({ request, reply, status: 422, session }, { typed, wrong, message });
    const refused = await askForEmailChange(db, config, originOf(request, session), {
      login: session.login,
      email: typed.email,
      now: clock(),
    });
    if (refused !== null) return showEmail({ request, reply, status: 429, session }, { typed, message: refused });
    return reply.redirect('/account/email?done=email', 303);
  });
}
