import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../platform/failure.ts';
import { renameAuthenticator } from '../factors/authenticators.ts';
import { isFactorName } from '../factors/factor-names.ts';
import { renameFactorPart } from '../factors/factor-pages.ts';
import { renamePasskey } from '../factors/passkeys.ts';
import { authenticatorRoutes } from './authenticator-routes.ts';
import { factorRemovalRoutes } from './factor-removal.ts';
import {
  doneWords,
  type FactorCall,
  factorOf,
  type FactorPagesOptions,
  factorPath,
  type FactorTools,
  factorTools,
  list,
  nothingChanged,
  wrongName,
} from './factor-tools.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { recoveryCodeRoutes } from './recovery-code-routes.ts';

/** Registers the pages under `/account/factors`: passkeys, authenticator apps and recovery codes of the person who is signed in. */
export function factorRoutes(app: FastifyInstance, options: FactorPagesOptions): void {
  const tools = { ...options, ...factorTools(options) };
  listRoutes(app, tools);
  passkeyRoutes(app, tools);
  authenticatorRoutes(app, tools);
  renameRoutes(app, tools);
  factorRemovalRoutes(app, tools);
  recoveryCodeRoutes(app, tools);
}

function listRoutes(app: FastifyInstance, { account, showList }: FactorTools): void {
  app.get(list, async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const { done } = request.query as Record<string, string | undefined>;
    return showList(
      { request, reply, status: 200, session },
      {
        done: done !== undefined && Object.hasOwn(doneWords, done) ? doneWords[done as keyof typeof doneWords] : null,
      },
    );
  });
}

function renameRoutes(app: FastifyInstance, { db, account, forms, answer, change, originOf, timesOf }: FactorTools): void {
  app.get(`${factorPath}/rename`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor } = await factorOf(db.read, request, session);
    const typed = await account.typedBefore(request, session);
    const part = renameFactorPart(factor, session.csrf, await timesOf(session), typed?.name ?? factor.name);
    return answer({ request, reply, status: 200, session }, { ...part, message: typed && nothingChanged });
  });

  app.post(`${factorPath}/rename`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor } = await factorOf(db.read, request, session);
    const name = forms.field(request, 'name', 200);
    if (!isFactorName(name))
      return answer(
        { request, reply, status: 400, session },
        {
          ...renameFactorPart(factor, session.csrf, await timesOf(session), name),
          message: wrongName,
        },
      );
    const rename = factor.kind === 'passkey' ? renamePasskey : renameAuthenticator;
    await db.change({ ...originOf(request, session), action: 'identity.renameFactor', summary: 'Renamed a second factor' }, async tx => {
      if (!(await rename(tx, session.loginId, factor.id, name))) throw refuse('NOT_FOUND', { what: 'This second factor' });
      await tx.note({ factor: factor.kind, before: factor.name, after: name });
    });
    return reply.redirect(`${list}?done=renamed`, 303);
  });
}
