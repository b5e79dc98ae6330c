import { portalNameOf } from '../../../brand.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { beginAuthenticator, confirmAuthenticator, findEnrolment } from '../factors/authenticator-enrolment.ts';
import { deviceOf } from '../logins/devices.ts';
import type { Call, Progress, SignIn } from './interactions.ts';
import type { Login } from '../logins/logins.ts';
import { recoveryCodesText, sendRecoveryCodes } from '../factors/factor-pages.ts';
import { passkeyCreation, passkeyNameOf, verifyNewPasskey } from '../factors/passkeys.ts';
import { areRecoveryCodes } from '../factors/recovery-codes.ts';
import { storeFactor, type NewFactor } from '../factors/second-factors.ts';
import type { SignInTools } from './sign-in-tools.ts';

/** The password must have been typed this recently for a factor to be added (S8). */
const FRESH_MS = 300_000;

const words = {
  wrong: 'Wrong code. Wait for the next one and check that your device’s time is correct.',
  over: 'This took longer than ten minutes. Scan the new key.',
  notSaved: 'Confirm that you saved them. They’re shown only now.',
};

type Enrolling = SignIn & { login: Login; progress: Progress };

/** Returns the pages of an enrolment, and how its factor is kept. */
function enrolmentSteps(tools: SignInTools) {
  const { db, config, box, profile, forms, pages, interactions, clock, originOf, stepOf } = tools;

  /** Null if the request was already answered: the sign-in is at another step, or the password must be typed first. */
  const enrolling = async (request: Call, reply: FastifyReply): Promise<Enrolling | null> => {
    const signIn = await interactions.of(request, reply);
    const { uid, login, progress } = signIn;
    if (!login || !progress || (await stepOf(signIn)) !== 'enrolment') {
      void reply.redirect(`/sign-in/${uid}`, 303);
      return null;
    }
    if (clock().getTime() - (progress.passwordAt ?? 0) > FRESH_MS) {
      await interactions.advance(uid, progress);
      void reply.redirect(`/sign-in/${uid}/password`, 303);
      return null;
    }
    return { ...signIn, login, progress };
  };
  const personOf = ({ loginId, email, fullName }: Login) => ({ loginId, email, fullName, product: portalNameOf(profile) });

  const choicePage = (request: Call, reply: FastifyReply, { uid, csrf, progress }: Enrolling) =>
    forms.answer(reply, 200, pages.enrolment(forms.context(request), { uid, csrf, why: progress.enrols ?? 'has to' }));

  const appPage = async (
    request: Call,
    reply: FastifyReply,
    { uid, csrf, login }: Enrolling,
    status = 200,
    message: string | null = null,
  ) => {
    const person = personOf(login);
    const given = forms.field(request, 'enrolment', 100);
    const enrolment = (given && (await findEnrolment(db, box, person, given))) || (await beginAuthenticator(db, box, person));
    return forms.answer(reply, status, pages.newAuthenticator(forms.context(request), { uid, csrf, enrolment, message }));
  };

  const passkeyPage = (request: Call, reply: FastifyReply, { uid, csrf }: Enrolling, status = 200, message: string | null = null) =>
    forms.answer(reply, status, pages.newPasskey(forms.context(request), { uid, csrf, message }));

  /** Stores the factor; then completes the sign-in, or shows the recovery codes first. */
  const keep = async (
    request: Call,
    reply: FastifyReply,
    { uid, csrf, interaction, login, progress }: Enrolling,
    factor: NewFactor,
    { name, amr }: { name: string; amr: readonly string[] },
  ): Promise<FastifyReply> => {
    const origin = originOf(request, login);
    const passkey = 'credentialId' in factor;
    const line = {
      ...origin,
      action: passkey ? 'identity.addPasskey' : 'identity.addAuthenticator',
      summary: passkey ? 'Added a passkey' : 'Added an authenticator app',
    };
    const keepSid = await interactions.sidOf(interaction, login.loginId);
    const { recoveryCodes } = await db.change(line, change =>
      storeFactor(change, config, factor, {
        name,
        keepSid,
        userAgent: origin.userAgent,
        replacesLost: progress.enrols === 'used a recovery code',
      }),
    );
    // Ending the person's other sessions also ended the sign-in under way in this browser.
    await interaction.persist();
    const sessionsEnded = progress.sessionsEnded + 1;
    const done: Progress = { ...progress, sessionsEnded, amr: [...progress.amr, ...amr], enrolled: true };
    if (!recoveryCodes) return interactions.admit(request, reply, done);
    await interactions.advance(uid, done);
    return forms.answer(reply, 200, pages.recoveryCodes(forms.context(request), { uid, csrf, codes: recoveryCodes, message: null }));
  };
  return { enrolling, personOf, choicePage, appPage, passkeyPage, keep };
}

/** Routes for adding a second factor during sign-in: because the policy requires one, the person wants one, or to replace a lost one. */
export function enrolmentRoutes(app: FastifyInstance, tools: SignInTools): void {
  const { db, config, box, forms, interactions, clock, originOf } = tools;
  const { enrolling, personOf, choicePage, appPage, passkeyPage, keep } = enrolmentSteps(tools);

  app.post('/sign-in/:uid/enrol', async (request: Call, reply) => {
    const { uid, progress } = await interactions.of(request, reply);
    if (progress && !progress.enrols) await interactions.advance(uid, { ...progress, enrols: 'wanted to' });
    return reply.redirect(`/sign-in/${uid}/enrol`, 303);
  });

  app.get('/sign-in/:uid/enrol', async (request: Call, reply) => {
    const person = await enrolling(request, reply);
    return person ? choicePage(request, reply, person) : reply;
  });

  app.get('/sign-in/:uid/enrol/authenticator', async (request: Call, reply) => {
    const person = await enrolling(request, reply);
    return person ? appPage(request, reply, person) : reply;
  });

  app.post('/sign-in/:uid/enrol/authenticator', async (request: Call, reply) => {
    const person = await enrolling(request, reply);
    if (!person) return reply;
    const { loginId } = person.login;
    const [enrolment, code] = [forms.field(request, 'enrolment', 100), forms.field(request, 'code', 20)];
    const app = await confirmAuthenticator(db, box, { loginId, enrolment, code, now: clock() });
    if (app === 'wrong' || app === 'over') return appPage(request, reply, person, app === 'wrong' ? 401 : 400, words[app]);
    return keep(request, reply, person, app, { name: 'Authenticator app', amr: ['otp'] });
  });

  app.get('/sign-in/:uid/enrol/passkey', async (request: Call, reply) => {
    const person = await enrolling(request, reply);
    return person ? passkeyPage(request, reply, person) : reply;
  });

  app.post('/sign-in/:uid/enrol/passkey/options', async (request: Call, reply) => {
    const person = await enrolling(request, reply);
    return person ? reply.send(await passkeyCreation(db, config, personOf(person.login), person.uid)) : reply;
  });

  app.post('/sign-in/:uid/enrol/passkey', async (request: Call, reply) => {
    const person = await enrolling(request, reply);
    if (!person) return reply;
    const answer = forms.field(request, 'answer', 20_000);
    const passkey = await verifyNewPasskey(db, config, { loginId: person.login.loginId, bound: person.uid, answer });
    if ('refused' in passkey) return passkeyPage(request, reply, person, 400, passkey.refused);
    const { userAgent } = originOf(request, person.login);
    const name = passkeyNameOf(passkey, userAgent ? deviceOf(userAgent) : null);
    return keep(request, reply, person, passkey, { name, amr: [passkey.deviceType === 'singleDevice' ? 'hwk' : 'swk', 'user'] });
  });
}

/** Routes for the recovery codes that a first second factor comes with: they are saved before the sign-in goes on. */
export function newCodesRoutes(app: FastifyInstance, { db, config, profile, forms, pages, interactions, clock }: SignInTools): void {
  /** The recovery codes of this sign-in, as their page sends them back. */
  const savedCodes = async (request: Call, reply: FastifyReply) => {
    const signIn = await interactions.of(request, reply);
    const { uid, login, progress } = signIn;
    const codes = forms.field(request, 'codes').split(' ');
    if (progress?.enrolled && login && (await areRecoveryCodes(db.read, login.loginId, codes)))
      return { ...signIn, login, progress, codes };
    void reply.redirect(`/sign-in/${uid}`, 303);
    return null;
  };

  app.post('/sign-in/:uid/recovery-codes/download', async (request: Call, reply) => {
    const saved = await savedCodes(request, reply);
    if (!saved) return reply;
    const { codes, login } = saved;
    return sendRecoveryCodes(
      reply,
      recoveryCodesText(codes, { product: portalNameOf(profile), home: `${config.appUrl}/`, email: login.email, at: clock() }),
    );
  });

  app.post('/sign-in/:uid/recovery-codes', async (request: Call, reply) => {
    const saved = await savedCodes(request, reply);
    if (!saved) return reply;
    const { uid, csrf, progress, codes } = saved;
    if (forms.field(request, 'saved') !== 'yes')
      return forms.answer(reply, 400, pages.recoveryCodes(forms.context(request), { uid, csrf, codes, message: words.notSaved }));
    return interactions.admit(request, reply, progress);
  });

  // A person who left the page of the codes has seen them; new ones can be made on the login's pages.
  app.post('/sign-in/:uid/go-on', async (request: Call, reply) => {
    const { uid, progress } = await interactions.of(request, reply);
    return progress?.enrolled ? interactions.admit(request, reply, progress) : reply.redirect(`/sign-in/${uid}`, 303);
  });
}
