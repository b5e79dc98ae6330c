import type { FastifyInstance, FastifyReply } from 'fastify';
import { demoCodeOf } from '../factors/demo-people.ts';
import type { Call, Progress, SignIn } from './interactions.ts';
import type { Login } from '../logins/logins.ts';
import { acceptPasskey, passkeyRequest } from '../factors/passkeys.ts';
import { consumeRecoveryCode } from '../factors/recovery-codes.ts';
import { secondFactorsOf, type SecondFactorMethod } from './second-factor-gate.ts';
import { verifySignInCode } from '../factors/second-factors.ts';
import type { SignInTools } from './sign-in-tools.ts';
import { countAttempt } from '../attempts/sign-in-failures.ts';
import { secondsLeft } from '../factors/totp.ts';
import { purposeOf } from './step-up-purpose.ts';

const wrong = {
  code: 'Wrong code, or it was already used. Wait for the next one.',
  recovery: 'Wrong recovery code, or it was already used.',
};

/** A sign-in that waits for a second factor: whose, and what they have. */
type Waiting = SignIn & { login: Login; progress: Progress; ways: readonly SecondFactorMethod[] };

/** The second step: a page for each kind of second factor the person has. */
export function secondFactorRoutes(app: FastifyInstance, tools: SignInTools): void {
  const steps = secondFactorSteps(tools);
  codeRoutes(app, tools, steps);
  passkeyRoutes(app, tools, steps);
  recoveryRoutes(app, tools, steps);
}

type Steps = ReturnType<typeof secondFactorSteps>;

/** Returns the sign-in that waits for a second factor, and the page of each. */
function secondFactorSteps(tools: SignInTools) {
  const { db, config, box, forms, pages, interactions, clock, stepOf, actWords } = tools;

  /** Null if the request was already answered: the sign-in is at another step, or the person can't use this method. */
  const waitingFor = async (way: SecondFactorMethod, request: Call, reply: FastifyReply): Promise<Waiting | null> => {
    const signIn = await interactions.of(request, reply);
    const { uid, login, progress } = signIn;
    if (!login || !progress || (await stepOf(signIn)) !== 'second factor') {
      void reply.redirect(`/sign-in/${uid}`, 303);
      return null;
    }
    const { ways } = await secondFactorsOf(db.read, login.loginId);
    if (ways.includes(way)) return { ...signIn, login, progress, ways };
    void forms.answer(reply, 403, pages.wayClosed(forms.context(request), { uid, csrf: signIn.csrf, stepUp: signIn.stepUp, way, ways }));
    return null;
  };

  const pageOf = ({ uid, csrf, stepUp, interaction, login, ways }: Waiting, message: string | null) => ({
    uid,
    csrf,
    stepUp,
    purpose: purposeOf(interaction.params, actWords),
    email: login.email,
    ways,
    message,
  });

  const codePage = async (request: Call, reply: FastifyReply, waiting: Waiting, status = 200, message: string | null = null) => {
    const now = clock();
    const code = await demoCodeOf(db.read, config, box, waiting.login, now);
    return forms.answer(
      reply,
      status,
      pages.code(forms.context(request), {
        ...pageOf(waiting, message),
        code: code && request.query.fill === 'code' ? code : '',
        secondsLeft: secondsLeft(now),
        demo: code === null ? null : { name: waiting.login.nickname, code },
      }),
    );
  };
  const passkeyPage = (request: Call, reply: FastifyReply, waiting: Waiting, status = 200, message: string | null = null) =>
    forms.answer(reply, status, pages.passkey(forms.context(request), pageOf(waiting, message)));
  const recoveryPage = (request: Call, reply: FastifyReply, waiting: Waiting, status = 200, message: string | null = null) =>
    forms.answer(reply, status, pages.recovery(forms.context(request), pageOf(waiting, message)));

  /** The page again, or the other methods if this was one wrong code too many. */
  const wrongAgain = async (way: 'code' | 'recovery', request: Call, reply: FastifyReply, waiting: Waiting) => {
    const { uid, csrf, stepUp, login } = waiting;
    const { ways } = await secondFactorsOf(db.read, login.loginId);
    if (!ways.includes(way)) return forms.answer(reply, 403, pages.wayClosed(forms.context(request), { uid, csrf, stepUp, way, ways }));
    return way === 'code' ? codePage(request, reply, waiting, 401, wrong.code) : recoveryPage(request, reply, waiting, 401, wrong.recovery);
  };
  return { waitingFor, codePage, passkeyPage, recoveryPage, wrongAgain };
}

function codeRoutes(
  app: FastifyInstance,
  { db, config, box, forms, interactions, clock, failed, originOf, wait }: SignInTools,
  { waitingFor, codePage, wrongAgain }: Steps,
): void {
  app.get('/sign-in/:uid/code', async (request: Call, reply) => {
    const waiting = await waitingFor('code', request, reply);
    return waiting ? codePage(request, reply, waiting) : reply;
  });

  app.post('/sign-in/:uid/code', async (request: Call, reply) => {
    const waiting = await waitingFor('code', request, reply);
    if (!waiting) return reply;
    const { login, progress } = waiting;
    const { loginId } = login;
    const now = clock();
    const counted = await countAttempt(db, { guessed: 'code', name: loginId, loginId, address: request.address, now });
    if (counted.waitSeconds > 0) return codePage(request, reply, waiting, 429, wait(reply, counted));
    const origin = originOf(request, login);
    if (!(await verifySignInCode({ db, config, box }, origin, { loginId, code: forms.field(request, 'code', 20), now }))) {
      await failed(origin, 'A one-time code was wrong', counted.failures);
      return wrongAgain('code', request, reply, waiting);
    }
    await counted.succeeded();
    return interactions.admit(request, reply, progress, { methods: ['otp'] });
  });
}

function passkeyRoutes(
  app: FastifyInstance,
  { db, config, forms, interactions, clock, failed, originOf }: SignInTools,
  { waitingFor, passkeyPage }: Steps,
): void {
  app.get('/sign-in/:uid/passkey', async (request: Call, reply) => {
    const waiting = await waitingFor('passkey', request, reply);
    return waiting ? passkeyPage(request, reply, waiting) : reply;
  });

  app.post('/sign-in/:uid/passkey/options', async (request: Call, reply) => {
    const waiting = await waitingFor('passkey', request, reply);
    return waiting ? reply.send(await passkeyRequest(db, config, waiting.login.loginId, waiting.uid)) : reply;
  });

  app.post('/sign-in/:uid/passkey', async (request: Call, reply) => {
    const waiting = await waitingFor('passkey', request, reply);
    if (!waiting) return reply;
    const { login, progress, uid } = waiting;
    const answer = forms.field(request, 'answer', 20_000);
    const accepted = await acceptPasskey(db, config, { loginId: login.loginId, bound: uid, answer, now: clock() });
    if ('refused' in accepted) {
      await failed(originOf(request, login), 'A passkey was refused', 1);
      return passkeyPage(request, reply, waiting, 401, accepted.refused);
    }
    // Two factors in one, so a step-up with it is a full sign-in.
    const { since: _, ...renewed } = progress;
    return interactions.admit(request, reply, renewed, { methods: accepted.amr });
  });
}

function recoveryRoutes(
  app: FastifyInstance,
  { db, config, forms, clock, failed, originOf, goOn, wait }: SignInTools,
  { waitingFor, recoveryPage, wrongAgain }: Steps,
): void {
  app.get('/sign-in/:uid/recovery', async (request: Call, reply) => {
    const waiting = await waitingFor('recovery', request, reply);
    return waiting ? recoveryPage(request, reply, waiting) : reply;
  });

  app.post('/sign-in/:uid/recovery', async (request: Call, reply) => {
    const waiting = await waitingFor('recovery', request, reply);
    if (!waiting) return reply;
    const { login, progress } = waiting;
    const { loginId } = login;
    const counted = await countAttempt(db, { guessed: 'recovery code', name: loginId, loginId, address: request.address, now: clock() });
    if (counted.waitSeconds > 0) return recoveryPage(request, reply, waiting, 429, wait(reply, counted));
    const origin = originOf(request, login);
    if (!(await consumeRecoveryCode(db, config, origin, loginId, forms.field(request, 'recovery', 100)))) {
      await failed(origin, 'A recovery code was wrong', counted.failures);
      return wrongAgain('recovery', request, reply, waiting);
    }
    await counted.succeeded();
    return goOn(request, reply, { ...waiting, progress: { ...progress, amr: [...progress.amr, 'rc'], enrols: 'used a recovery code' } });
  });
}
