import { SECOND_MS } from '@portal/contract/days';
import { registeredHash } from '@portal/contract/shell/own-provider';
import type { FastifyInstance } from 'fastify';
import { errors } from 'oidc-provider';
import { type Call, openInteractions, type SignIn } from './interactions.ts';
import { loginById } from '../logins/logins.ts';
import { takeConfirmed } from '../registration/confirmed-registration.ts';
import { gateOf, secondFactorsOf } from './second-factor-gate.ts';
import { enrolmentRoutes, newCodesRoutes } from './sign-in-enrolment.ts';
import { openFailureLines, waitWords } from '../attempts/sign-in-failures.ts';
import { passwordRoutes } from './sign-in-password.ts';
import { answerProblems } from './sign-in-problems.ts';
import { secondFactorRoutes } from './sign-in-second-factor.ts';
import { purposeOf } from './step-up-purpose.ts';
import type { SignInOptions, SignInTools, Step } from './sign-in-tools.ts';

/** Returns what the pages of a sign-in share: the sign-in of a request, its next step, and the way on. */
function signInTools(options: SignInOptions): SignInTools {
  const { db, config, clock } = options;
  const interactions = openInteractions(options);

  const stepOf: SignInTools['stepOf'] = async ({ progress, login, needsSecondFactor: needed }) => {
    if (!progress || !login) return 'password';
    if (login.disabledAt !== null) return 'login disabled';
    if (login.frozenAt !== null) return 'login frozen';
    if (progress.enrolled) return 'recovery codes';
    if (progress.enrols === 'used a recovery code') return 'enrolment';
    const gate = await gateOf(options, db.read, login, { needed, now: clock() });
    return gate === 'offer of enrolment' && progress.enrols ? 'enrolment' : gate;
  };

  /** Returns the page of a step directly, because each redirect costs a request. */
  const addressOf = async (step: Step, { uid, login }: SignIn): Promise<string> => {
    const way = step === 'second factor' ? (await secondFactorsOf(db.read, login!.loginId)).ways[0] : step === 'enrolment' ? 'enrol' : null;
    return way ? `/sign-in/${uid}/${way}` : `/sign-in/${uid}`;
  };

  return {
    ...options,
    interactions,
    failed: openFailureLines(options),
    originOf: (request, login) => ({
      traceId: request.traceId,
      address: request.address,
      userAgent: request.headers['user-agent']?.slice(0, 300),
      ...(login && { login: { issuer: config.issuerUri, subject: login.loginId } }),
    }),
    stepOf,
    goOn: async (request, reply, signIn) => {
      const step = await stepOf(signIn);
      if (step === 'none') return interactions.admit(request, reply, signIn.progress);
      await interactions.advance(signIn.uid, signIn.progress);
      return reply.redirect(await addressOf(step, signIn), 303);
    },
    wait: (reply, { waitSeconds }) => {
      void reply.header('retry-after', String(waitSeconds));
      return waitWords(waitSeconds);
    },
  };
}

/** Routes of the pages between the provider's sign-in request and our answer: password, second factor, and the ways out. */
export function signInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { db, config, forms, pages, registration, actWords } = options;
  const tools = signInTools(options);
  const { interactions, stepOf } = tools;
  answerProblems(app, tools);
  const password = passwordRoutes(app, tools);
  secondFactorRoutes(app, tools);
  enrolmentRoutes(app, tools);
  newCodesRoutes(app, tools);

  app.get('/sign-in/:uid', async (request: Call, reply) => {
    const signIn = await interactions.of(request, reply);
    const { uid, csrf, stepUp, interaction, login } = signIn;
    const context = forms.context(request);
    if (interaction.prompt.name === 'create') return reply.redirect(`/sign-in/${uid}/register`, 303);
    switch (await stepOf(signIn)) {
      case 'second factor': {
        const { ways } = await secondFactorsOf(db.read, login!.loginId);
        if (ways[0]) return reply.redirect(`/sign-in/${uid}/${ways[0]}`, 303);
        return forms.answer(reply, 403, pages.wayClosed(context, { uid, csrf, stepUp, way: 'code', ways }));
      }
      case 'enrolment':
        return reply.redirect(`/sign-in/${uid}/enrol`, 303);
      case 'offer of enrolment':
        return forms.answer(
          reply,
          200,
          pages.noSecondFactor(context, { uid, csrf, stepUp, purpose: purposeOf(interaction.params, actWords) }),
        );
      case 'login disabled':
        return forms.answer(reply, 403, pages.loginDisabled(context, { uid, csrf }));
      case 'login frozen':
        return forms.answer(reply, 403, pages.loginFrozen(context, { uid, csrf }));
      case 'recovery codes':
        return forms.answer(reply, 200, pages.codesShown(context, { uid, csrf }));
      case 'password':
      case 'none':
        return password.show(request, reply, signIn);
    }
  });

  app.get('/sign-in/:uid/register', async (request: Call, reply) =>
    registration.show(request, reply, await interactions.of(request, reply)),
  );
  app.post('/sign-in/:uid/register', async (request: Call, reply) =>
    registration.ask(request, reply, await interactions.of(request, reply)),
  );

  app.post('/sign-in/:uid/registered', async (request: Call, reply) => {
    const username = forms.field(request, 'username', 254);
    let signIn: SignIn;
    try {
      signIn = await interactions.of(request, reply);
    } catch (error) {
      // The mail was opened in another browser, or much later: there a new sign-in begins, with the name filled in.
      if (error instanceof errors.SessionNotFound)
        return reply.redirect(`${config.appUrl}/${username === '' ? '' : registeredHash(username)}`, 303);
      throw error;
    }
    // This browser registered the login minutes ago, and its link was opened: typing the password once more would prove no more.
    const confirmed = await takeConfirmed(db, signIn.uid);
    const login = confirmed && (await loginById(db.read, confirmed.loginId));
    if (confirmed && login?.sessionsEnded === 0) {
      const { loginId, passwordAt } = confirmed;
      const progress = { loginId, sessionsEnded: 0, amr: ['pwd'], passwordAt, since: Math.floor(passwordAt / SECOND_MS) };
      if ((await stepOf({ ...signIn, login, progress })) === 'none')
        return interactions.admit(request, reply, progress, { create: { username: login.username } });
    }
    // The name is filled in on the next page of this sign-in. It proves nothing: the password is still asked for.
    return interactions.finish(request, reply, { create: { username } });
  });

  app.post('/sign-in/:uid/without-second-factor', async (request: Call, reply) => {
    const signIn = await interactions.of(request, reply);
    const { uid, progress, stepUp } = signIn;
    if (!progress || stepUp || (await stepOf(signIn)) !== 'offer of enrolment') return reply.redirect(`/sign-in/${uid}`, 303);
    return interactions.admit(request, reply, progress);
  });

  app.post('/sign-in/:uid/cancel', async (request: Call, reply) => {
    const signIn = await interactions.of(request, reply);
    const { login, stepUp } = signIn;
    const lacking = stepUp && login !== null && !(await secondFactorsOf(db.read, login.loginId)).enrolled;
    // OpenID Connect Core Error Code unmet_authentication_requirements 1.0.
    return interactions.finish(
      request,
      reply,
      lacking
        ? { error: 'unmet_authentication_requirements', error_description: 'MFA is not enabled!' }
        : { error: 'access_denied', error_description: 'The sign-in was cancelled' },
    );
  });
}
