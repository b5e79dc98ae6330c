import type { FastifyInstance } from 'fastify';
import { changeNames, type LoginNames, nameProblems } from '../logins/login-names.ts';
import { profilePart } from './account-pages.ts';
import { type AccountTools, again } from './account-tools.ts';

/** Registers `/account/profile`: the names of a person. */
export function profileRoutes(app: FastifyInstance, { db, account, forms, answer, originOf }: AccountTools): void {
  app.get('/account/profile', async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const typed = await account.typedBefore(request, session);
    const page = { ...session, names: { ...session.login, ...typed }, wrong: {} };
    return answer({ request, reply, status: 200, session }, { ...profilePart(page), message: typed && again });
  });

  app.post('/account/profile', async (request, reply) => {
    const session = await account.requireSession(request, reply, {
      fresh: false,
      back: '/account/profile',
      keep: ['fullName', 'displayName', 'nickname'],
    });
    if (!session) return reply;
    const nameIn = (name: keyof LoginNames): string => forms.field(request, name).normalize('NFC').replaceAll(/\s+/g, ' ').trim();
    const names = { fullName: nameIn('fullName'), displayName: nameIn('displayName'), nickname: nameIn('nickname') };
    const wrong = nameProblems(names);
    if (Object.keys(wrong).length > 0)
      return answer(
        { request, reply, status: 422, session },
        { ...profilePart({ ...session, names, wrong }), message: 'Your names weren’t saved.' },
      );
    const line = { ...originOf(request, session), action: 'identity.changeNames', summary: 'Changed names' };
    await db.change(line, change => changeNames(change, session.loginId, names));
    return reply.redirect('/account/profile?done=names', 303);
  });
}
