import type { FastifyInstance } from 'fastify';
import { hasSecondFactor } from '../factors/second-factors.ts';
import { canDropPassword, changePassword, type PasswordRefusal, passwordSetAt, removePassword } from '../passwords/password-change.ts';
import { passwordPart } from './account-pages.ts';
import type { AccountTools, Answering, Query } from './account-tools.ts';

/** Registers `/account/password`: setting, changing and removing it. */
export function accountPasswordRoutes(
  app: FastifyInstance,
  { db, config, account, forms, policy, clock, answer, originOf, timesOf }: AccountTools,
): void {
  const showPassword = async (
    answering: Answering,
    { wrong = null, message = null }: { wrong?: PasswordRefusal | null; message?: string | null } = {},
  ) => {
    const { session } = answering;
    const { loginId } = session;
    const [times, setAt, secondFactor, canDrop] = await Promise.all([
      timesOf(session),
      passwordSetAt(db.read, loginId),
      hasSecondFactor(db.read, loginId),
      canDropPassword(db.read, loginId),
    ]);
    const part = passwordPart({ ...session, times, setAt, rules: policy.words(secondFactor), wrong, canDrop });
    return answer(answering, { ...part, message });
  };
  const passwordTools = { db, config, policy, clock };

  app.get('/account/password', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: (request.query as Query).change !== undefined });
    if (!session) return reply;
    const typed = await account.typedBefore(request, session);
    const message = typed && 'You had to log in again. No changes were made yet. Enter your passwords again.';
    return showPassword({ request, reply, status: 200, session }, { message });
  });

  app.post('/account/password', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/password' });
    if (!session) return reply;
    const had = await passwordSetAt(db.read, session.loginId);
    const given = { current: forms.field(request, 'current'), password: forms.field(request, 'password') };
    const wrong = await changePassword(passwordTools, originOf(request, session), session, given);
    if (wrong?.waitSeconds !== undefined) void reply.header('retry-after', String(wrong.waitSeconds));
    if (wrong)
      return showPassword(
        { request, reply, status: wrong.waitSeconds === undefined ? 422 : 429, session },
        {
          wrong,
          message: 'Your password wasn’t changed.',
        },
      );
    return reply.redirect(`/account/password?done=${had === null ? 'password-set' : 'password'}`, 303);
  });

  app.post('/account/password/remove', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: true, back: '/account/password' });
    if (!session) return reply;
    if (await removePassword(passwordTools, originOf(request, session), session))
      return reply.redirect('/account/password?done=password-removed', 303);
    return showPassword(
      { request, reply, status: 409, session },
      {
        message: 'The password wasn’t removed. Without it you need two passkeys, or one passkey and recovery codes.',
      },
    );
  });
}
