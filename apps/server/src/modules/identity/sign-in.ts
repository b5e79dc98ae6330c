import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type Provider from 'oidc-provider';
import { errors, type Interaction, type InteractionResults } from 'oidc-provider';
import { acrOf, type Config } from '../../config.ts';
import type { Database } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Log } from '../../platform/log.ts';
import { rankAsked, rankOf } from './acr.ts';
import type { Forms } from './forms.ts';
import { acceptCode, authenticatorSecrets } from './authenticators.ts';
import { demoPasswordOf, findLogin, type Login, loginById } from './logins.ts';
import { OidcPayloads } from './oidc-payloads.ts';
import type { CodePage, DemoPerson, SignInPages } from './pages/sign-in-pages.ts';
import { hashPassword, verifyPassword } from './password.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { hasSecondFactor } from './second-factors.ts';
import { attempt, forgive } from './sign-in-failures.ts';
import { codeOf, secondsLeft, stepAt } from './totp.ts';

export type SignInOptions = {
  db: Database;
  config: Config;
  box: SecretBox;
  forms: Forms;
  pages: SignInPages;
  provider: () => Provider;
  clock: () => Date;
  log: Log;
  /** Whether a person holds a permission that changes the registry, in any account (setting REQUIRE_MFA=privileged). */
  holdsPrivilege: (loginId: string) => Promise<boolean>;
};

/** How far a sign-in has come between two pages. */
type Progress = { loginId: string; amr: string[] };

/** Methods of authentication (RFC 8176) by kind; `mfa` is added only when two kinds were proven (S6). */
const kinds: Record<string, 'knowledge' | 'possession'> = { pwd: 'knowledge', otp: 'possession' };

function proven(methods: readonly string[]): { amr: string[]; acr: string } {
  const amr = [...new Set(methods)].filter(method => method in kinds);
  const mfa = new Set(amr.map(method => kinds[method])).size > 1;
  return { amr: mfa ? [...amr, 'mfa'] : amr, acr: acrOf(mfa ? 'mfa' : '1fa') };
}

const waitWords = (seconds: number): string =>
  `Too many attempts. Try again in ${seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`;
const wrongPassword = 'The user name or password is not right.';
const wrongCode = 'This code is not right, or was used already. Wait for the next one.';

type Call = FastifyRequest<{
  Params: { uid: string };
  Body: Record<string, string> | undefined;
  Querystring: Record<string, string | undefined>;
}>;

/** The pages between the provider's "somebody has to sign in" and its answer: password, second factor, and the ways out. */
export function signInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { db, config, box, forms, pages, provider, clock, log, holdsPrivilege } = options;
  const progressOf = new OidcPayloads(db, 'SignInProgress');
  const { context, answer, tokenOf: csrfOf } = forms;
  const lineOf = (request: FastifyRequest, login: Login | null) => ({
    traceId: request.traceId,
    address: request.ip,
    ...(login && { login: { issuer: config.issuerUri, subject: login.loginId } }),
  });

  /** The interaction of the request's cookie. A form must carry the token its page was given. */
  const interactionOf = async (request: Call, reply: FastifyReply): Promise<Interaction> => {
    const interaction = await provider().interactionDetails(request.raw, reply.raw);
    if (interaction.uid !== request.params.uid) throw new errors.SessionNotFound('another sign-in');
    if (request.method === 'POST' && !forms.carriesToken(request, interaction.uid))
      throw new errors.SessionNotFound('form without its token');
    return interaction;
  };

  const finish = async (request: Call, reply: FastifyReply, result: InteractionResults): Promise<void> => {
    reply.hijack();
    // What was answered before stays answered, `create` above all: else the provider asks for it again.
    await provider().interactionFinished(request.raw, reply.raw, result, { mergeWithLastSubmission: true });
  };
  /** `since`: seconds since 1970 of the last full sign-in, which a step-up by one factor does not renew. */
  const admit = async (request: Call, reply: FastifyReply, loginId: string, methods: readonly string[], since?: number): Promise<void> => {
    await progressOf.destroy(request.params.uid);
    await finish(request, reply, {
      login: { accountId: loginId, remember: true, ...(since !== undefined && { ts: since }), ...proven(methods) },
    });
  };

  const asksForMfa = ({ params }: Interaction): boolean => rankAsked(params) > rankOf(acrOf('1fa'));
  /** Only the second factor is missing: the session is this person's, and nothing asks for the password anew. */
  const stepUpOf = ({ prompt, session }: Interaction): Progress | null =>
    prompt.name === 'login' && session?.accountId && prompt.reasons.length === 1 && prompt.reasons[0] === 'acr_unmet'
      ? { loginId: session.accountId, amr: (session.amr ?? []).filter(method => method !== 'mfa') }
      : null;
  const stored = async (uid: string): Promise<Progress | null> => ((await progressOf.find(uid)) as Progress | undefined) ?? null;

  const demoPeople = async (): Promise<DemoPerson[]> => {
    if (!config.demoMode) return [];
    const people = await db.read
      .selectFrom('login')
      .select(['username', 'displayName', 'demoRole'])
      .where('demoRole', 'is not', null)
      .where('disabledAt', 'is', null)
      .orderBy(sql`created_at, ctid`)
      .execute();
    return people.map(({ username, displayName, demoRole }) => ({
      username,
      name: displayName,
      role: demoRole!,
      password: demoPasswordOf(username),
    }));
  };

  const passwordPage = async (
    request: Call,
    reply: FastifyReply,
    { uid, params }: Interaction,
    status: number,
    given: { username?: string; message?: string } = {},
  ) => {
    const people = await demoPeople();
    const chosen = people.find(({ username }) => username === request.query.person);
    return answer(
      reply,
      status,
      pages.password(context(request), {
        uid,
        csrf: csrfOf(uid),
        username: given.username ?? chosen?.username ?? (typeof params.login_hint === 'string' ? params.login_hint : ''),
        password: chosen?.password ?? '',
        message: given.message ?? null,
        demoPeople: people,
      }),
    );
  };

  const codePage = async (
    request: Call,
    reply: FastifyReply,
    uid: string,
    status: number,
    login: Login,
    message: string | null,
    stepUp: boolean,
  ) => {
    const now = clock();
    const [demo] = config.demoMode && login.demoRole !== null ? await authenticatorSecrets(db.read, box, login.loginId) : [];
    // The present code, or the next one when that was used a moment ago.
    const code = demo ? codeOf(demo.secret, demo.lastStep === stepAt(now) ? stepAt(now) + 1 : stepAt(now)) : null;
    const page: CodePage = {
      uid,
      csrf: csrfOf(uid),
      email: login.email,
      message,
      stepUp,
      code: code && request.query.fill === 'code' ? code : '',
      secondsLeft: secondsLeft(now),
      demo: code ? { name: login.nickname, code } : null,
    };
    return answer(reply, status, pages.code(context(request), page));
  };

  /** Failed attempts leave a line, but a flood of them leaves few: the first of a row, then each that makes the next one wait. */
  const failed = async (request: Call, login: Login | null, failures: number, what: string): Promise<void> => {
    if (failures !== 1 && failures < 5) return;
    const line = { action: 'identity.signInFailed', summary: what, ...lineOf(request, login) };
    if (linesThisMinute.take()) await db.change(line, change => change.note({ failures, known: login !== null }));
    else log.warn('failed sign-in without a line of its own', { traceId: request.traceId, address: request.ip });
  };
  const linesThisMinute = allowance(60, clock);

  // Made beforehand, so that the first unknown name does not take longer than a known one.
  verifyPassword(null, '').catch((error: unknown) => log.error('argon2id does not work here', { error }));

  app.get('/sign-in/:uid', async (request: Call, reply) => {
    const interaction = await interactionOf(request, reply);
    const { uid, prompt } = interaction;
    if (prompt.name === 'create') return answer(reply, 200, pages.register(context(request), { uid, csrf: csrfOf(uid), requested: true }));
    const stepUp = stepUpOf(interaction);
    const progress = stepUp ?? (await stored(uid));
    const login = progress && (await loginById(db.read, progress.loginId));
    if (!login) return passwordPage(request, reply, interaction, 200);
    if (!(await hasSecondFactor(db.read, login.loginId)))
      return answer(reply, 200, pages.noSecondFactor(context(request), { uid, csrf: csrfOf(uid), stepUp: stepUp !== null }));
    return codePage(request, reply, uid, 200, login, null, stepUp !== null);
  });

  app.get('/sign-in/:uid/password', async (request: Call, reply) => passwordPage(request, reply, await interactionOf(request, reply), 200));

  app.get('/sign-in/:uid/register', async (request: Call, reply) => {
    const { uid } = await interactionOf(request, reply);
    return answer(reply, 200, pages.register(context(request), { uid, csrf: csrfOf(uid), requested: false }));
  });

  app.post('/sign-in/:uid/registered', async (request: Call, reply) => {
    await interactionOf(request, reply);
    await finish(request, reply, { create: {} });
  });

  app.post('/sign-in/:uid/password', async (request: Call, reply) => {
    const interaction = await interactionOf(request, reply);
    const { uid } = interaction;
    const username = forms.field(request, 'username', 254);
    const password = forms.field(request, 'password');
    const login = await findLogin(db.read, username);
    const name = login?.loginId ?? `unknown ${username.trim().toLowerCase()}`;
    const keys = [`password ${name} from ${request.ip}`, `password ${name}`] as const;
    const here = await attempt(db, keys[0], clock());
    const anywhere = here.waitSeconds > 0 ? here : await attempt(db, keys[1], clock());
    const known =
      anywhere.waitSeconds > 0 && here.waitSeconds === 0 && login !== null && (await signedInFrom(db, login.loginId, request.ip));
    const waitSeconds = here.waitSeconds || (known ? 0 : anywhere.waitSeconds);
    if (waitSeconds > 0) {
      void reply.header('retry-after', String(waitSeconds));
      return passwordPage(request, reply, interaction, 429, { username, message: waitWords(waitSeconds) });
    }
    const hash =
      login && (await db.read.selectFrom('loginPassword').select('hash').where('loginId', '=', login.loginId).executeTakeFirst());
    const { matches, outdated } = await verifyPassword(hash?.hash ?? null, password);
    if (!login || !matches || login.disabledAt !== null) {
      await failed(request, login, here.failures, 'A password was wrong');
      return passwordPage(request, reply, interaction, 401, { username, message: wrongPassword });
    }
    await forgive(db, keys);
    if (outdated) {
      const line = { action: 'identity.rehash', summary: 'Kept the password in a stronger form', ...lineOf(request, login) };
      const stronger = await hashPassword(password);
      await db.change(line, change =>
        change.updateTable('loginPassword').set({ hash: stronger, setAt: change.now }).where('loginId', '=', login.loginId).execute(),
      );
    }
    const enrolled = await hasSecondFactor(db.read, login.loginId);
    const wanted = asksForMfa(interaction) || config.requireMfa === 'all';
    const asked = wanted || (enrolled && config.requireMfa === 'privileged' && (login.staff || (await holdsPrivilege(login.loginId))));
    if (!asked) return admit(request, reply, login.loginId, ['pwd']);
    await progressOf.upsert(uid, { loginId: login.loginId, amr: ['pwd'] } as never, 900);
    return reply.redirect(`/sign-in/${uid}`, 303);
  });

  app.post('/sign-in/:uid/code', async (request: Call, reply) => {
    const interaction = await interactionOf(request, reply);
    const { uid } = interaction;
    const stepUp = stepUpOf(interaction);
    const progress = stepUp ?? (await stored(uid));
    const login = progress && (await loginById(db.read, progress.loginId));
    if (!progress || !login || login.disabledAt !== null) return reply.redirect(`/sign-in/${uid}`, 303);
    const key = `code ${login.loginId}`;
    const { waitSeconds, failures } = await attempt(db, key, clock());
    if (waitSeconds > 0) {
      void reply.header('retry-after', String(waitSeconds));
      return codePage(request, reply, uid, 429, login, waitWords(waitSeconds), stepUp !== null);
    }
    const code = forms.field(request, 'code').replaceAll(/\s/g, '');
    if (!(await acceptCode(db, box, login.loginId, code, clock()))) {
      await failed(request, login, failures, 'A one-time code was wrong');
      return codePage(request, reply, uid, 401, login, wrongCode, stepUp !== null);
    }
    await forgive(db, [key]);
    return admit(request, reply, login.loginId, [...progress.amr, 'otp']);
  });

  app.post('/sign-in/:uid/without-second-factor', async (request: Call, reply) => {
    const { uid } = await interactionOf(request, reply);
    const progress = await stored(uid);
    if (!progress || (await hasSecondFactor(db.read, progress.loginId))) return reply.redirect(`/sign-in/${uid}`, 303);
    return admit(request, reply, progress.loginId, progress.amr);
  });

  app.post('/sign-in/:uid/cancel', async (request: Call, reply) => {
    const interaction = await interactionOf(request, reply);
    const stepUp = stepUpOf(interaction);
    const lacking = stepUp !== null && !(await hasSecondFactor(db.read, stepUp.loginId));
    // OpenID Connect Core Error Code unmet_authentication_requirements 1.0.
    await finish(
      request,
      reply,
      lacking
        ? { error: 'unmet_authentication_requirements', error_description: 'MFA is not enabled!' }
        : { error: 'access_denied', error_description: 'The sign-in was cancelled' },
    );
  });

  app.setErrorHandler<Error>((error, request, reply) => {
    if (error instanceof errors.SessionNotFound)
      return answer(
        reply,
        400,
        pages.problem(
          context(request),
          'This log in has expired',
          'It took longer than 15 minutes, was finished in another tab, or your browser keeps no cookies.',
        ),
      );
    const { statusCode = 500 } = error instanceof Failure ? { statusCode: error.status } : (error as { statusCode?: number });
    if (statusCode < 500)
      return answer(
        reply,
        statusCode,
        pages.problem(context(request), 'This could not be done', 'The form was not sent as its page would send it.'),
      );
    const busy = error instanceof Failure;
    if (!busy) log.error('sign-in failed', { traceId: request.traceId, path: request.url.split('?', 1)[0], error });
    return answer(
      reply,
      busy ? 503 : 500,
      pages.problem(context(request), 'This could not be done', 'An unexpected error has occurred, please try again later.'),
    );
  });
}

/** Whether the person has signed in from this address lately. From there nobody else's guesses keep them out. */
async function signedInFrom(db: Database, loginId: string, address: string): Promise<boolean> {
  const session = await db.read
    .selectFrom('session')
    .select('sid')
    .where('loginId', '=', loginId)
    .where('address', '=', address)
    .executeTakeFirst();
  return session !== undefined;
}

/** At most this many a minute. */
function allowance(perMinute: number, clock: () => Date): { take(): boolean } {
  let minute = 0;
  let taken = 0;
  return {
    take: () => {
      const now = Math.floor(clock().getTime() / 60_000);
      if (now !== minute) {
        minute = now;
        taken = 0;
      }
      return ++taken <= perMinute;
    },
  };
}
