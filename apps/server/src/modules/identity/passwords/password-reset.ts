import { portalNameOf } from '../../../brand.ts';
import { coolDownHours } from '@portal/contract/identity/frozen-logins';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import { taskType } from '../../../platform/tasks.ts';
import type { Profile } from '../../../profile.ts';
import { sendMail } from '../../mail/index.ts';
import { startCoolDown } from '../factors/cool-down.ts';
import { type Forms, fromOurPages } from '../pages/forms.ts';
import { AskedFrom, askedWords, deadlineWords, LINK_MAIL_ATTEMPTS, LINK_MINUTES, LinkMailInput } from '../logins/link-mails.ts';
import { askForLink, endLinks, issueToken, type LinkRefusal, readLink, takeLink } from '../logins/login-links.ts';
import { findLogin, type Login, loginById, setPasswordHash } from '../logins/logins.ts';
import { mayUnfreeze, unfreeze } from '../freeze/freeze.ts';
import { notifyPerson } from '../logins/notices.ts';
import type { ResetPages } from './reset-pages.ts';
import { hashPassword } from '../logins/password.ts';
import type { PasswordPolicy } from './password-policy.ts';
import { endSessions } from '../sessions/sessions.ts';
import { attempt, clearFailedGuesses, waitWords } from '../attempts/sign-in-failures.ts';
import { identityTexts } from '../mail-texts.ts';

const ResetRequest = z.object({ from: AskedFrom });

/**
 * Mails the link with which a person chooses a new password. Nothing is mailed for an unknown name, for a disabled login, or to an
 * address that was never verified.
 */
export const mailPasswordReset = taskType({
  name: 'identity.mailPasswordReset',
  summary: 'Answered a request for a new password by e-mail',
  runner: 'mail',
  input: LinkMailInput,
  run: async ({ db, activity, input: { linkId, appUrl, product }, context }) => {
    const link = await db.read.selectFrom('loginLink').selectAll().where('linkId', '=', linkId).executeTakeFirst();
    if (!link) return;
    const login = await findLogin(db.read, link.email);
    if (!login || login.disabledAt !== null || !login.emailVerified || !mayUnfreeze(login)) return;
    // Requests by user name and by address go to the same person.
    const { waitSeconds } = await attempt(db, `new passwords mailed to ${login.loginId}`, new Date(link.madeAt));
    if (waitSeconds > 0) return;
    const { loginId, email, displayName, username } = login;
    await db.change(activity, async change => {
      const token = await issueToken(change, linkId, { minutes: LINK_MINUTES, loginId, email });
      if (token === null) return;
      await sendMail(
        change,
        {
          topic: 'login.links',
          recipient: email,
          recipientName: displayName,
          loginId,
          act: 'Choose a new password',
          text: identityTexts.written('choosePassword', {
            username,
            product,
            deadline: deadlineWords(change.now),
            whoAsked: askedWords(link.madeAt, ResetRequest.parse(link.asked).from),
          }),
          link: `${appUrl}/account/new-password?token=${token}`,
        },
        context.box,
      );
    });
  },
});

export type ResetOptions = {
  db: Database;
  config: Config;
  profile: Profile;
  forms: Forms;
  pages: ResetPages;
  policy: PasswordPolicy;
  clock: () => Date;
};

/** Routes for a new password by a link in a mail. It opens no session and proves no second factor (S8). */
export function passwordResetRoutes(app: FastifyInstance, options: ResetOptions): void {
  const { db, config, profile, forms, pages, policy, clock } = options;

  app.get('/account/reset', (request, reply) =>
    forms.answer(reply, 200, pages.ask(forms.context(request), { name: '', wrong: null, message: null })),
  );

  app.post('/account/reset', async (request, reply) => {
    fromOurPages(request);
    const context = forms.context(request);
    const name = forms.field(request, 'name', 254).trim();
    if (name === '')
      return forms.answer(reply, 422, pages.ask(context, { name, wrong: 'Enter your user name or e-mail address.', message: null }));
    const here = await attempt(db, `new passwords asked from ${request.address}`, clock());
    if (here.waitSeconds > 0) {
      void reply.header('retry-after', String(here.waitSeconds));
      return forms.answer(reply, 429, pages.ask(context, { name, wrong: null, message: waitWords(here.waitSeconds) }));
    }
    // From here on a known and an unknown name are treated identically; the task distinguishes them (S7).
    const mailed = await attempt(db, `new passwords asked for ${name.toLowerCase()}`, clock());
    if (mailed.waitSeconds === 0) {
      const from: AskedFrom = { address: request.address, userAgent: request.headers['user-agent']?.slice(0, 300) ?? null };
      const line = {
        action: 'identity.askForNewPassword',
        summary: 'Asked for a new password',
        traceId: request.traceId,
        address: request.address,
      };
      await db.change(line, async change => {
        const linkId = await askForLink(change, { purpose: 'reset-password', email: name, asked: { from }, minutes: LINK_MINUTES });
        await change.enqueue(
          mailPasswordReset,
          { linkId, appUrl: config.appUrl, product: portalNameOf(profile) },
          { attempts: LINK_MAIL_ATTEMPTS },
        );
      });
    }
    return forms.answer(reply, 200, pages.checkMail(context));
  });

  const refused = (request: FastifyRequest, reply: FastifyReply, state: LinkRefusal): FastifyReply =>
    forms.answer(reply, 410, pages.linkRefused(forms.context(request), state));

  app.get('/account/new-password', async (request, reply) => {
    const { token = '' } = request.query as Record<string, string | undefined>;
    const found = await personOfLink(db, token, clock());
    if ('refused' in found) return refused(request, reply, found.refused);
    const { secondFactor } = await policy.ownerOf(found.login);
    const { username } = found.login;
    return forms.answer(
      reply,
      200,
      pages.choose(forms.context(request), { token, username, wrong: null, rules: policy.words(secondFactor) }),
    );
  });

  app.post('/account/new-password', async (request, reply) => {
    const token = forms.field(request, 'token', 100);
    const found = await personOfLink(db, token, clock());
    if ('refused' in found) return refused(request, reply, found.refused);
    const { login } = found;
    const password = forms.field(request, 'password');
    const owner = await policy.ownerOf(login);
    const wrong = await policy.problemOf(password, owner);
    if (wrong !== null) {
      const again = { token, username: login.username, wrong, rules: policy.words(owner.secondFactor) };
      return forms.answer(reply, 422, pages.choose(forms.context(request), again));
    }
    const hash = await hashPassword(password);
    const state = await resetPassword({ db, config, profile }, { token, hash, login, request });
    // Earlier guesses, by the person or others, were for another password.
    if (state === null) await clearFailedGuesses(db, { guessed: 'password', name: login.loginId, address: request.address });
    return state === null ? forms.answer(reply, 200, pages.changed(forms.context(request))) : refused(request, reply, state);
  });
}

/** Returns the person whose password a link sets, without using it. A login that was disabled meanwhile counts as unknown. */
async function personOfLink(db: Database, token: string, now: Date): Promise<{ login: Login } | { refused: LinkRefusal }> {
  const found = await readLink(db.read, token, 'reset-password', now);
  if (found.state !== 'open') return { refused: found.state };
  const login = await loginById(db.read, found.link.loginId!);
  return login && login.disabledAt === null && mayUnfreeze(login) ? { login } : { refused: 'unknown' };
}

class Refused extends Error {
  state: LinkRefusal;
  constructor(state: LinkRefusal) {
    super(state);
    this.state = state;
  }
}

/** Uses the link. Returns why not, or null when the password was set. Of concurrent calls one succeeds. */
async function resetPassword(
  { db, config, profile }: Pick<ResetOptions, 'db' | 'config' | 'profile'>,
  { token, hash, login, request }: { token: string; hash: string; login: Login; request: FastifyRequest },
): Promise<LinkRefusal | null> {
  const { loginId } = login;
  const line = {
    action: 'identity.resetPassword',
    summary: 'Chose a new password by a link sent by e-mail',
    traceId: request.traceId,
    address: request.address,
    login: { issuer: config.issuerUri, subject: loginId },
  };
  try {
    await db.change(line, async change => {
      const found = await takeLink(change, token, 'reset-password');
      if (found.state !== 'open' || found.link.loginId !== loginId) throw new Refused(found.state === 'open' ? 'unknown' : found.state);
      await setPasswordHash(change, loginId, hash);
      await endLinks(change, loginId, 'reset-password');
      const unfrozen = await unfreeze(change, loginId);
      const userAgent = request.headers['user-agent']?.slice(0, 300);
      await change.note({ userAgent, ...(unfrozen && { unfrozen }) });
      await startCoolDown(change, loginId, 'password-reset');
      await endSessions(change, loginId, 'password reset');
      await notifyPerson(change, config, {
        loginId,
        userAgent,
        text: identityTexts.written('passwordMyReset', {
          product: portalNameOf(profile),
          outcome: unfrozen ? ' It’s no longer frozen.' : '',
          coolDownHours,
        }),
        ifNotYou: `choose another password immediately:\n${config.appUrl}/account/reset\nThen check that all second factors are yours:\n${config.appUrl}/account/factors`,
      });
    });
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.state;
    throw error;
  }
}
