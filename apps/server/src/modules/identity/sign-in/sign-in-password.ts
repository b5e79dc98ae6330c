import type { FastifyInstance, FastifyReply } from 'fastify';
import { listDemoPeople } from '../factors/demo-people.ts';
import type { Call, SignIn } from './interactions.ts';
import { findLogin, type Login, loginById } from '../logins/logins.ts';
import { hashOf, hashPassword, prepareHashes, verifyPassword } from '../logins/password.ts';
import { acceptPasskey, passkeyRequest } from '../factors/passkeys.ts';
import type { SignInTools } from './sign-in-tools.ts';
import { countAttempt } from '../attempts/sign-in-failures.ts';

const wrongPassword = 'Wrong user name or password.';

/** The first page: user name and password, or a passkey alone. */
export type PasswordPages = {
  show(request: Call, reply: FastifyReply, signIn: SignIn, status?: number, given?: Given): Promise<FastifyReply>;
};
type Given = { username?: string; message?: string };

export function passwordRoutes(app: FastifyInstance, tools: SignInTools): PasswordPages {
  const { db, config, forms, pages, interactions, clock, log, failed, originOf, goOn, wait } = tools;

  const show: PasswordPages['show'] = async (request, reply, signIn, status = 200, given = {}) => {
    const { uid, csrf, interaction, login, progress, stepUp } = signIn;
    const { params } = interaction;
    const people = await listDemoPeople(db.read, config);
    const chosen = people.find(({ username }) => username === request.query.person);
    // A person about to add a second factor is already known.
    const again = progress?.enrols !== undefined ? login : null;
    const hint = typeof params.login_hint === 'string' ? params.login_hint : '';
    const { username: registered } = (interaction.lastSubmission?.['create'] ?? {}) as { username?: string };
    return forms.answer(
      reply,
      status,
      pages.password(forms.context(request), {
        uid,
        csrf,
        username: given.username ?? chosen?.username ?? again?.username ?? (registered || hint),
        password: chosen?.password ?? '',
        message: given.message ?? null,
        reason: again ? 'enrolment' : stepUp ? null : await clientNameOf(signIn),
        demoPeople: people,
      }),
    );
  };

  /** Returns the name of another system of the registry; null for the portal. */
  const clientNameOf = async ({ interaction: { params } }: SignIn): Promise<{ client: string } | null> => {
    if (params.client_id === config.clientId) return null;
    const client = await tools.provider().Client.find(String(params.client_id));
    return client?.clientName ? { client: client.clientName } : null;
  };

  prepareHashes().catch((error: unknown) => log.error('argon2id does not work here', { error }));

  app.get('/sign-in/:uid/password', async (request: Call, reply) => show(request, reply, await interactions.of(request, reply)));

  app.post('/sign-in/:uid/password', async (request: Call, reply) => {
    const signIn = await interactions.of(request, reply);
    const username = forms.field(request, 'username', 254);
    const password = forms.field(request, 'password');
    const login = await findLogin(db.read, username);
    const counted = await countAttempt(db, {
      guessed: 'password',
      name: login?.loginId ?? `unknown ${username.trim().toLowerCase()}`,
      loginId: login?.loginId ?? null,
      address: request.address,
      now: clock(),
    });
    if (counted.waitSeconds > 0) return show(request, reply, signIn, 429, { username, message: wait(reply, counted) });
    // Also done for unknown names, so that they cost the same.
    const hash = await hashOf(db.read, login?.loginId ?? '');
    const { matches, outdated } = await verifyPassword(hash, password);
    if (!login || !matches || login.disabledAt !== null) {
      await failed(originOf(request, login), 'A password was wrong', counted.failures);
      return show(request, reply, signIn, 401, { username, message: wrongPassword });
    }
    await counted.succeeded();
    const proven = outdated ? await keepStronger(request, login, { password, weaker: hash! }) : hash;
    // Hashing takes time: a password that was replaced meanwhile is refused.
    if ((await hashOf(db.read, login.loginId)) !== proven) return show(request, reply, signIn, 401, { username, message: wrongPassword });
    const enrols = signIn.progress?.loginId === login.loginId ? signIn.progress.enrols : undefined;
    return goOn(request, reply, {
      ...signIn,
      login,
      progress: {
        loginId: login.loginId,
        sessionsEnded: login.sessionsEnded,
        // A code used up in this sign-in stays used, so the sign-in has to remember it.
        amr: enrols === 'used a recovery code' ? ['pwd', 'rc'] : ['pwd'],
        passwordAt: clock().getTime(),
        ...(enrols && { enrols }),
      },
    });
  });

  /** Unless the password was changed meanwhile, which this would undo. */
  const keepStronger = async (request: Call, login: Login, { password, weaker }: { password: string; weaker: string }): Promise<string> => {
    const hash = await hashPassword(password);
    const line = { ...originOf(request, login), action: 'identity.rehash', summary: 'Stored the password with a stronger hash' };
    await db.change(line, change =>
      change.updateTable('loginPassword').set({ hash }).where('loginId', '=', login.loginId).where('hash', '=', weaker).execute(),
    );
    return hash;
  };

  passkeyAloneRoutes(app, tools, show);
  return { show };
}

/** Routes of a sign-in with a passkey in place of a password. */
function passkeyAloneRoutes(
  app: FastifyInstance,
  { db, config, forms, interactions, clock, failed, originOf, goOn }: SignInTools,
  show: PasswordPages['show'],
): void {
  // A passkey alone is two factors and can't be guessed, so wrong passwords don't delay it.
  app.post('/sign-in/:uid/passkey-alone/options', async (request: Call, reply) => {
    const { uid } = await interactions.of(request, reply);
    return reply.send(await passkeyRequest(db, config, null, uid));
  });

  app.post('/sign-in/:uid/passkey-alone', async (request: Call, reply) => {
    const signIn = await interactions.of(request, reply);
    const answer = forms.field(request, 'answer', 20_000);
    const accepted = await acceptPasskey(db, config, { loginId: null, bound: signIn.uid, answer, now: clock() });
    if ('refused' in accepted) {
      await failed(originOf(request, null), 'A passkey was refused', 1);
      return show(request, reply, signIn, 401, { message: accepted.refused });
    }
    const person = await loginById(db.read, accepted.loginId);
    // A frozen login is reported on the next page.
    if (person?.frozenAt) return goOn(request, reply, { ...signIn, login: person, progress: accepted });
    return interactions.admit(request, reply, accepted);
  });
}
