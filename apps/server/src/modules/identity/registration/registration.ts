import { portalNameOf } from '../../../brand.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod';
import type { Config } from '../../../config.ts';
import { type Change, type Database, lockByName } from '../../../platform/database/index.ts';
import { taskType } from '../../../platform/tasks.ts';
import type { Profile } from '../../../profile.ts';
import { sendMail } from '../../mail/index.ts';
import { emailAddressProblem } from '../logins/email-address.ts';
import { type Forms, fromOurPages } from '../pages/forms.ts';
import { AskedFrom, askedWords, deadlineWords, LINK_MAIL_ATTEMPTS, LINK_MINUTES, LinkMailInput } from '../logins/link-mails.ts';
import { type AddressLinkRefusal, askForLink, issueToken, type LoginLink, readLink, takeLink } from '../logins/login-links.ts';
import { createLogin, findLogin, setPasswordHash } from '../logins/logins.ts';
import { storeConfirmed } from './confirmed-registration.ts';
import type { RegisteringSignIn, RegistrationFields, RegistrationPages, RegistrationWrong } from './registration-pages.ts';
import { hashPassword } from '../logins/password.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { isReadable } from '../logins/readable-name.ts';
import { attempt, waitWords } from '../attempts/sign-in-failures.ts';
import { identityTexts } from '../mail-texts.ts';

/** Data of a registration until its link is used. */
const RegistrationRequest = z.object({
  fullName: z.string(),
  passwordHash: z.string(),
  from: AskedFrom,
  /** The sign-in it was part of, to be continued. */
  signIn: z.string().nullable(),
});
const askedOf = ({ asked }: Pick<LoginLink, 'asked'>): z.infer<typeof RegistrationRequest> => RegistrationRequest.parse(asked);

/** Mails the link that creates the login; a person who already has one is informed instead. The page shows the same either way (S7). */
export const mailRegistration = taskType({
  name: 'identity.mailRegistration',
  summary: 'Answered a registration by e-mail',
  runner: 'mail',
  input: LinkMailInput,
  run: ({ db, activity, input: { linkId, appUrl, product }, context }) =>
    db.change(activity, async change => {
      const link = await change.selectFrom('loginLink').selectAll().where('linkId', '=', linkId).executeTakeFirst();
      if (!link || link.digest !== null || link.usedAt !== null || link.expiresAt <= change.now) return;
      const { email, madeAt } = link;
      const { fullName, from } = askedOf(link);
      const owner = await findLogin(change, email);
      if (owner) {
        await change.updateTable('loginLink').set({ expiresAt: change.now, asked: '{}' }).where('linkId', '=', linkId).execute();
        if (owner.disabledAt !== null) return;
        await sendMail(change, {
          topic: 'login.links',
          recipient: owner.email,
          recipientName: owner.displayName,
          loginId: owner.loginId,
          text: identityTexts.written('alreadyHaveLogin', {
            product,
            username: owner.username,
            whoAsked: askedWords(madeAt, from),
            appUrl,
          }),
        });
        return;
      }
      const token = await issueToken(change, linkId, { minutes: LINK_MINUTES });
      if (token === null) return;
      await sendMail(
        change,
        {
          topic: 'login.links',
          recipient: email,
          recipientName: fullName,
          act: 'Confirm your registration',
          text: identityTexts.written('confirmRegistration', {
            product,
            deadline: deadlineWords(change.now),
            whoAsked: askedWords(madeAt, from),
          }),
          link: `${appUrl}/account/confirm-registration?token=${token}`,
        },
        context.box,
      );
    }),
});

export type RegistrationOptions = {
  db: Database;
  config: Config;
  profile: Profile;
  forms: Forms;
  pages: RegistrationPages;
  policy: PasswordPolicy;
  clock: () => Date;
};

export type Registration = {
  /** Shows the form. */
  show(request: FastifyRequest, reply: FastifyReply, signIn: RegisteringSignIn): FastifyReply;
  /** Handles the form: mails a link, or shows what is wrong. */
  ask(request: FastifyRequest, reply: FastifyReply, signIn: RegisteringSignIn): Promise<FastifyReply>;
};

const LONGEST_NAME = 100;

/** The name goes into a mail to an unconfirmed address, so it must not contain an address of its own. */
function fullNameProblem(name: string): string | null {
  if (name === '') return 'Enter your full name.';
  if (Array.from(name).length > LONGEST_NAME) return `Enter a name of at most ${LONGEST_NAME} characters.`;
  if (!isReadable(name)) return 'Enter your full name on one line, without invisible characters.';
  if (/[<>@]|:\/\/|\bwww\./iu.test(name)) return 'Enter your full name, without addresses.';
  return null;
}

/**
 * Routes of registration: nothing exists before the link in the mail is confirmed. The pages work within a sign-in
 * (`prompt=create`), which then continues, and at /account/register without one.
 */
export function registrationRoutes(app: FastifyInstance, options: RegistrationOptions): Registration {
  const { db, config, profile, forms, pages, policy, clock } = options;
  const nobody: RegistrationFields = { fullName: '', email: '', emailAgain: '' };

  const show: Registration['show'] = (request, reply, signIn) =>
    forms.answer(
      reply,
      200,
      pages.form(forms.context(request), { signIn, fields: nobody, wrong: {}, message: null, rules: policy.words(false) }),
    );

  const ask: Registration['ask'] = async (request, reply, signIn) => {
    const context = forms.context(request);
    const fields: RegistrationFields = {
      fullName: forms.field(request, 'fullName').normalize('NFC').replaceAll(/\s+/gu, ' ').trim(),
      email: forms.field(request, 'email').trim(),
      emailAgain: forms.field(request, 'emailAgain').trim(),
    };
    const { fullName, email } = fields;
    const password = forms.field(request, 'password');
    const wrong: RegistrationWrong = {
      fullName: fullNameProblem(fullName),
      email: emailAddressProblem(email),
      emailAgain: email.toLowerCase() === fields.emailAgain.toLowerCase() ? null : 'The two addresses don’t match.',
      password: await policy.problemOf(password, { secondFactor: false, context: { email, fullName } }),
    };
    const again = (status: number, message: string | null): FastifyReply =>
      forms.answer(reply, status, pages.form(context, { signIn, fields, wrong, message, rules: policy.words(false) }));
    if (Object.values(wrong).some(words => words !== null)) return again(422, null);
    const here = await attempt(db, `registrations from ${request.address}`, clock());
    if (here.waitSeconds > 0) {
      void reply.header('retry-after', String(here.waitSeconds));
      return again(429, waitWords(here.waitSeconds));
    }
    // From here on an address with a login and one without are treated identically; the task distinguishes them.
    const passwordHash = await hashPassword(password);
    const mailed = await attempt(db, `registrations of ${email.toLowerCase()}`, clock());
    if (mailed.waitSeconds === 0) {
      const from: AskedFrom = { address: request.address, userAgent: request.headers['user-agent']?.slice(0, 300) ?? null };
      const line = {
        action: 'identity.askForRegistration',
        summary: 'Requested a login',
        traceId: request.traceId,
        address: request.address,
      };
      await db.change(line, async change => {
        const asked = { fullName, passwordHash, from, signIn: signIn?.uid ?? null };
        const linkId = await askForLink(change, { purpose: 'register', email, asked, minutes: LINK_MINUTES });
        await change.enqueue(
          mailRegistration,
          { linkId, appUrl: config.appUrl, product: portalNameOf(profile) },
          { attempts: LINK_MAIL_ATTEMPTS },
        );
      });
    }
    return forms.answer(reply, 200, pages.checkMail(context, email));
  };

  app.get('/account/register', (request, reply) => show(request, reply, null));
  app.post('/account/register', (request, reply) => {
    fromOurPages(request);
    return ask(request, reply, null);
  });

  const tokenOf = (request: FastifyRequest): string =>
    request.method === 'POST' ? forms.field(request, 'token', 100) : ((request.query as Record<string, string | undefined>).token ?? '');
  const refused = (request: FastifyRequest, reply: FastifyReply, state: AddressLinkRefusal): FastifyReply =>
    forms.answer(reply, state === 'taken' ? 409 : 410, pages.linkRefused(forms.context(request), state));

  app.get('/account/confirm-registration', async (request, reply) => {
    const token = tokenOf(request);
    const found = await readLink(db.read, token, 'register', clock());
    if (found.state !== 'open') return refused(request, reply, found.state);
    const { fullName } = askedOf(found.link);
    return forms.answer(reply, 200, pages.confirm(forms.context(request), { token, fullName, email: found.link.email }));
  });

  app.post('/account/confirm-registration', async (request, reply) => {
    const token = tokenOf(request);
    // Looks first, so that something that can't be a link leaves no log line.
    const found = await readLink(db.read, token, 'register', clock());
    if (found.state !== 'open') return refused(request, reply, found.state);
    const made = await confirmRegistration(db, config, token, {
      traceId: request.traceId,
      address: request.address,
      userAgent: request.headers['user-agent']?.slice(0, 300),
    });
    if ('refused' in made) return refused(request, reply, made.refused);
    const { signIn: uid, loginId, passwordAt } = made;
    if (uid !== null) await storeConfirmed(db, uid, { loginId, passwordAt });
    const signIn = uid === null ? null : { uid, csrf: forms.tokenOf(uid) };
    return forms.answer(reply, 200, pages.registered(forms.context(request), { signIn, username: made.username }));
  });

  return { show, ask };
}

class Refused extends Error {
  state: AddressLinkRefusal;
  constructor(state: AddressLinkRefusal) {
    super(state);
    this.state = state;
  }
}

/** Uses the link of a registration: creates the login, with a verified address and the chosen password. Of concurrent calls one succeeds. */
async function confirmRegistration(
  db: Database,
  config: Config,
  token: string,
  { userAgent, ...origin }: { traceId: string; address: string; userAgent: string | undefined },
): Promise<{ loginId: string; username: string; signIn: string | null; passwordAt: number } | { refused: AddressLinkRefusal }> {
  const loginId = crypto.randomUUID();
  const line = {
    ...origin,
    action: 'identity.register',
    summary: 'Registered',
    login: { issuer: config.issuerUri, subject: loginId },
  };
  try {
    return await db.change(line, async change => {
      const found = await takeLink(change, token, 'register');
      if (found.state !== 'open') throw new Refused(found.state);
      const { email, madeAt } = found.link;
      const { fullName, passwordHash, signIn } = askedOf(found.link);
      // Serialised, so that each sees the user names and addresses of the ones before.
      await lockByName(change, 'identity.registrations');
      if (await findLogin(change, email)) throw new Refused('taken');
      const username = await freeUsername(change, email);
      await createLogin(change, { loginId, username, email, emailVerified: true, fullName });
      await setPasswordHash(change, loginId, passwordHash);
      await change.note({ userAgent });
      await change
        .updateTable('loginLink')
        .set({ expiresAt: change.now, asked: '{}' })
        .where('purpose', '=', 'register')
        .where(sql<string>`lower(email)`, '=', email.toLowerCase())
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', change.now)
        .execute();
      return { loginId, username, signIn, passwordAt: Date.parse(madeAt) };
    });
  } catch (error) {
    if (error instanceof Refused) return { refused: error.state };
    throw error;
  }
}

/** Returns a free user name made from an address: the part before the @, followed by a number if it is taken. */
async function freeUsername(change: Change, email: string): Promise<string> {
  const mailbox = email
    .slice(0, email.indexOf('@'))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 50);
  const base = mailbox === '' ? 'member' : mailbox;
  const taken = await change
    .selectFrom('login')
    .select('username')
    .where('username', 'like', `${base.replaceAll('_', '\\_')}%`)
    .execute();
  const names = new Set(taken.map(({ username }) => username));
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`;
    if (!names.has(name)) return name;
  }
}
