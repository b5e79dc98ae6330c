import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { Database, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { Profile } from '../../../profile.ts';
import type { AccountSession, AccountSessions } from './account-session.ts';
import { beginAuthenticator, confirmAuthenticator, findEnrolment } from '../factors/authenticator-enrolment.ts';
import { listAuthenticators, MAX_AUTHENTICATORS, renameAuthenticator } from '../factors/authenticators.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { deviceOf } from '../logins/devices.ts';
import { isFactorName, LONGEST_FACTOR_NAME } from '../factors/factor-names.ts';
import type { Forms } from '../pages/forms.ts';
import type { AccountFrame, AccountPage } from '../pages/account-frame.ts';
import {
  type FactorLine,
  factorsPart,
  newAuthenticatorPart,
  newPasskeyPart,
  newRecoveryCodesPart,
  recoveryCodesPart,
  sendRecoveryCodes,
  recoveryCodesText,
  removeFactorPart,
  renameFactorPart,
} from '../factors/factor-pages.ts';
import { type LocalTimes, localTimes } from '../pages/local-times.ts';
import { passwordSetAt } from '../passwords/password-change.ts';
import { listPasskeys, MAX_PASSKEYS, passkeyCreation, passkeyNameOf, renamePasskey, verifyNewPasskey } from '../factors/passkeys.ts';
import { preferencesOf } from './people.ts';
import { areRecoveryCodes, recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { dropFactor, storeFactor, mustHaveSecondFactor, type NewFactor, replaceRecoveryCodes } from '../factors/second-factors.ts';

export type FactorPagesOptions = {
  db: Database;
  config: Config;
  profile: Profile;
  box: SecretBox;
  forms: Forms;
  frame: AccountFrame;
  account: AccountSessions;
  clock: () => Date;
  /** Returns whether a person holds a permission that changes the registry, in any account. */
  holdsPrivilege: (loginId: string) => Promise<boolean>;
};

type Factor = FactorLine & { id: string; loginId: string };
type FactorCall = FastifyRequest<{ Params: { kind: string; key: string } }>;

/** Names a factor in an address: credential ids are too long for one. */
const keyOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 22);

async function factorsOf(read: Read, loginId: string): Promise<Factor[]> {
  const [passkeys, apps] = await Promise.all([listPasskeys(read, loginId), listAuthenticators(read, loginId)]);
  return [
    ...passkeys.map(({ credentialId, ...rest }) => ({ ...rest, kind: 'passkey' as const, id: credentialId, off: false })),
    ...apps.map(({ totpId, disabledAt, ...rest }) => ({ ...rest, kind: 'totp' as const, id: totpId, off: disabledAt !== null })),
  ].map(factor => ({ ...factor, loginId, key: keyOf(factor.id) }));
}

/** Confirmations in the list, by the word in its address. */
const doneWords = {
  passkey: 'The passkey was added. All other sessions were ended.',
  totp: 'The authenticator app was added. All other sessions were ended.',
  codes: 'The recovery codes were created. All other sessions were ended.',
  renamed: 'The name was changed.',
  removed: 'It was removed. All other sessions were ended.',
} as const;

const wrongName = `A name has 1 to ${LONGEST_FACTOR_NAME} characters on one line.`;
const wrongCode = 'Wrong code. Enter the one the app shows now. If it keeps failing, check your phone’s clock.';
const enrolmentOver = 'This took longer than ten minutes or was already sent. Scan the new code.';
const nothingChanged = 'You logged in again. No changes were made yet.';

/** The pages under `/account/factors`: passkeys, authenticator apps and recovery codes of the person who is signed in. */
export function factorRoutes(app: FastifyInstance, options: FactorPagesOptions): void {
  const { db, config, box, forms, frame, account, clock, holdsPrivilege } = options;
  const { registryName } = options.profile;
  const product = `My${options.profile.product}`;
  const list = '/account/factors';
  const timesOf = async ({ loginId }: AccountSession): Promise<LocalTimes> =>
    localTimes(await preferencesOf(db.read, loginId), options.profile.timeZone);

  type Page = Pick<AccountPage, 'title' | 'lead' | 'main' | 'script' | 'done' | 'message'>;
  const answer = (request: FastifyRequest, reply: FastifyReply, status: number, { login }: AccountSession, page: Page) =>
    forms.answer(reply, status, frame(forms.context(request), { ...page, here: list, login }));
  const showList = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    session: AccountSession,
    more: Partial<Page> = {},
  ) => {
    const [factors, left] = await Promise.all([factorsOf(db.read, session.loginId), recoveryCodesLeft(db.read, session.loginId)]);
    return answer(request, reply, status, session, { ...factorsPart(factors, left, await timesOf(session)), ...more });
  };

  const agentOf = (request: FastifyRequest): string | undefined => request.headers['user-agent']?.slice(0, 300);
  const originOf = (request: FastifyRequest, { loginId, sid, amr }: AccountSession): ActivityOrigin => ({
    traceId: request.traceId,
    address: request.address,
    login: { issuer: config.issuerUri, subject: loginId },
    sid,
    amr,
    userAgent: agentOf(request),
  });
  const stay = (request: FastifyRequest, { sid }: AccountSession) => ({ keepSid: sid, userAgent: agentOf(request) });
  const personOf = ({ loginId, login }: AccountSession) => ({ loginId, email: login.email, fullName: login.fullName, product });
  /** A page that makes a change: requires a recent sign-in, and keeps what was typed before it. */
  const change = (request: FastifyRequest, reply: FastifyReply, back: string, keep: readonly string[] = ['name']) =>
    account.requireSession(request, reply, { fresh: true, back, keep });

  const keep = async (request: FastifyRequest, reply: FastifyReply, session: AccountSession, factor: NewFactor, name: string) => {
    const kind = 'credentialId' in factor ? 'passkey' : 'totp';
    const line =
      kind === 'passkey'
        ? { action: 'identity.addPasskey', summary: 'Added a passkey' }
        : { action: 'identity.addAuthenticator', summary: 'Added an authenticator app' };
    const { recoveryCodes } = await db.change({ ...originOf(request, session), ...line }, tx =>
      storeFactor(tx, config, factor, { name, ...stay(request, session) }),
    );
    if (!recoveryCodes) return reply.redirect(`${list}?done=${kind}`, 303);
    const done = doneWords[kind];
    return answer(request, reply, 200, session, {
      ...recoveryCodesPart({ codes: recoveryCodes, csrf: session.csrf, owner: session.login.email }),
      done,
    });
  };

  /** Answers with the list and an explanation if the person has too many. */
  const tooMany = async (request: FastifyRequest, reply: FastifyReply, session: AccountSession, kind: FactorLine['kind'], most: number) => {
    const there = (await factorsOf(db.read, session.loginId)).filter(factor => factor.kind === kind);
    if (there.length < most) return false;
    const what = kind === 'passkey' ? 'passkeys' : 'authenticator apps';
    await showList(request, reply, 400, session, { message: `You already have ${most} ${what}, the maximum. Remove one first.` });
    return true;
  };

  app.get(list, async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false });
    if (!session) return reply;
    const { done } = request.query as Record<string, string | undefined>;
    return showList(request, reply, 200, session, {
      done: done !== undefined && Object.hasOwn(doneWords, done) ? doneWords[done as keyof typeof doneWords] : null,
    });
  });

  const passkeyPath = `${list}/passkey`;
  const boundTo = ({ sid }: AccountSession): string => `account ${sid}`;

  app.get(passkeyPath, async (request, reply) => {
    const session = await change(request, reply, passkeyPath);
    if (!session || (await tooMany(request, reply, session, 'passkey', MAX_PASSKEYS))) return reply;
    const typed = await account.typedBefore(request, session);
    const part = newPasskeyPart({ csrf: session.csrf, name: typed?.name ?? '' });
    return answer(request, reply, 200, session, { ...part, message: typed && nothingChanged });
  });

  app.post(`${passkeyPath}/options`, async (request, reply) => {
    const session = await change(request, reply, passkeyPath);
    return session ? reply.send(await passkeyCreation(db, config, personOf(session), boundTo(session))) : reply;
  });

  app.post(passkeyPath, async (request, reply) => {
    const session = await change(request, reply, passkeyPath);
    if (!session || (await tooMany(request, reply, session, 'passkey', MAX_PASSKEYS))) return reply;
    const typed = forms.field(request, 'name', 200).trim();
    const again = (message: string) =>
      answer(request, reply, 400, session, { ...newPasskeyPart({ csrf: session.csrf, name: typed }), message });
    if (typed !== '' && !isFactorName(typed)) return again(wrongName);
    const proof = { loginId: session.loginId, bound: boundTo(session), answer: forms.field(request, 'answer', 20_000) };
    const passkey = await verifyNewPasskey(db, config, proof);
    if ('refused' in passkey) return again(passkey.refused);
    const agent = agentOf(request);
    return keep(request, reply, session, passkey, typed || passkeyNameOf(passkey, agent ? deviceOf(agent) : null));
  });

  const appPath = `${list}/authenticator`;

  app.get(appPath, async (request, reply) => {
    const session = await change(request, reply, appPath);
    if (!session || (await tooMany(request, reply, session, 'totp', MAX_AUTHENTICATORS))) return reply;
    const typed = await account.typedBefore(request, session);
    const enrolment = await beginAuthenticator(db, box, personOf(session));
    const part = newAuthenticatorPart({ csrf: session.csrf, name: typed?.name ?? 'Authenticator app', enrolment });
    return answer(request, reply, 200, session, { ...part, message: typed && nothingChanged });
  });

  app.post(appPath, async (request, reply) => {
    const session = await change(request, reply, appPath);
    if (!session || (await tooMany(request, reply, session, 'totp', MAX_AUTHENTICATORS))) return reply;
    const name = forms.field(request, 'name', 200);
    const again = async (message: string) => {
      const begun = await findEnrolment(db, box, personOf(session), forms.field(request, 'enrolment', 100));
      const enrolment = begun ?? (await beginAuthenticator(db, box, personOf(session)));
      const part = newAuthenticatorPart({ csrf: session.csrf, name, enrolment });
      return answer(request, reply, 400, session, { ...part, message: begun ? message : enrolmentOver });
    };
    if (!isFactorName(name)) return again(wrongName);
    const confirmed = await confirmAuthenticator(db, box, {
      loginId: session.loginId,
      enrolment: forms.field(request, 'enrolment', 100),
      code: forms.field(request, 'code', 20),
      now: clock(),
    });
    if (confirmed === 'wrong') return again(wrongCode);
    if (confirmed === 'over') return again(enrolmentOver);
    return keep(request, reply, session, confirmed, name);
  });

  const factorPath = `${list}/:kind/:key`;
  const factorOf = async (read: Read, { params }: FactorCall, { loginId }: AccountSession) => {
    const factors = await factorsOf(read, loginId);
    const factor = factors.find(({ kind, key }) => kind === params.kind && key === params.key);
    if (!factor) throw refuse('NOT_FOUND', { what: 'This second factor' });
    return { factor, others: factors.filter(other => other !== factor) };
  };

  app.get(`${factorPath}/rename`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor } = await factorOf(db.read, request, session);
    const typed = await account.typedBefore(request, session);
    const part = renameFactorPart(factor, session.csrf, await timesOf(session), typed?.name ?? factor.name);
    return answer(request, reply, 200, session, { ...part, message: typed && nothingChanged });
  });

  app.post(`${factorPath}/rename`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor } = await factorOf(db.read, request, session);
    const name = forms.field(request, 'name', 200);
    if (!isFactorName(name))
      return answer(request, reply, 400, session, {
        ...renameFactorPart(factor, session.csrf, await timesOf(session), name),
        message: wrongName,
      });
    const rename = factor.kind === 'passkey' ? renamePasskey : renameAuthenticator;
    await db.change({ ...originOf(request, session), action: 'identity.renameFactor', summary: 'Renamed a second factor' }, async tx => {
      if (!(await rename(tx, session.loginId, factor.id, name))) throw refuse('NOT_FOUND', { what: 'This second factor' });
      await tx.note({ factor: factor.kind, before: factor.name, after: name });
    });
    return reply.redirect(`${list}?done=renamed`, 303);
  });

  /** Why the person can't remove this factor; null if they can. */
  const keptBecause = async (read: Read, factor: Factor, others: readonly Factor[], demanded: boolean): Promise<string | null> => {
    const otherPasskeys = others.some(({ kind }) => kind === 'passkey');
    if (factor.kind === 'passkey' && !otherPasskeys && (await passwordSetAt(read, factor.loginId)) === null)
      return 'This passkey is the only way to log in. Set a password or add another passkey first.';
    if (others.some(({ off }) => !off)) return null;
    if (others.length > 0) return 'Your other authenticator apps are switched off, so you couldn’t log in. Remove them first.';
    if (!demanded) return null;
    const whom = config.requireMfa === 'all' ? 'everyone' : 'everyone who can change registrations';
    return `It’s your last second factor, and ${registryName} requires ${whom} to have one. Add another one first.`;
  };
  const demandedOf = ({ login }: AccountSession): Promise<boolean> => mustHaveSecondFactor({ config, holdsPrivilege }, login);

  app.get(`${factorPath}/remove`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor, others } = await factorOf(db.read, request, session);
    const refused = await keptBecause(db.read, factor, others, await demandedOf(session));
    const part = removeFactorPart(factor, session.csrf, await timesOf(session), { last: others.length === 0, refused });
    return answer(request, reply, 200, session, part);
  });

  app.post(`${factorPath}/remove`, async (request: FactorCall, reply) => {
    const session = await change(request, reply, request.url);
    if (!session) return reply;
    const { factor } = await factorOf(db.read, request, session);
    const demanded = await demandedOf(session);
    const line =
      factor.kind === 'passkey'
        ? { action: 'identity.removePasskey', summary: 'Removed a passkey' }
        : { action: 'identity.removeAuthenticator', summary: 'Removed an authenticator app' };
    try {
      await db.change({ ...originOf(request, session), ...line }, async tx => {
        // Checked under the lock, so that the other factor can't be removed meanwhile.
        await tx.selectFrom('login').select('loginId').where('loginId', '=', session.loginId).forUpdate().execute();
        const { others } = await factorOf(tx, request, session);
        const refused = await keptBecause(tx, factor, others, demanded);
        if (refused !== null) throw new Kept(refused);
        await dropFactor(tx, config, session.loginId, factor, stay(request, session));
      });
    } catch (error) {
      if (!(error instanceof Kept)) throw error;
      const part = removeFactorPart(factor, session.csrf, await timesOf(session), { last: true, refused: error.message });
      return answer(request, reply, 409, session, part);
    }
    return reply.redirect(`${list}?done=removed`, 303);
  });

  const codesPath = `${list}/recovery-codes`;

  app.get(codesPath, async (request, reply) => {
    const session = await change(request, reply, codesPath, []);
    if (!session) return reply;
    if ((await factorsOf(db.read, session.loginId)).length === 0) return reply.redirect(list, 303);
    const left = await recoveryCodesLeft(db.read, session.loginId);
    return answer(request, reply, 200, session, newRecoveryCodesPart(session.csrf, left));
  });

  app.post(codesPath, async (request, reply) => {
    const session = await change(request, reply, codesPath, []);
    if (!session) return reply;
    if ((await factorsOf(db.read, session.loginId)).length === 0) return reply.redirect(list, 303);
    const line = { action: 'identity.replaceRecoveryCodes', summary: 'Created new recovery codes' };
    const codes = await db.change({ ...originOf(request, session), ...line }, tx =>
      replaceRecoveryCodes(tx, config, session.loginId, stay(request, session)),
    );
    return answer(request, reply, 200, session, {
      ...recoveryCodesPart({ codes, csrf: session.csrf, owner: session.login.email }),
      done: doneWords.codes,
    });
  });

  /** The codes posted by their page; null if they don't belong to this person. */
  const shownCodes = async (request: FastifyRequest, { loginId }: AccountSession): Promise<string[] | null> => {
    const codes = forms.field(request, 'codes').split(' ');
    return (await areRecoveryCodes(db.read, loginId, codes)) ? codes : null;
  };

  app.post(`${codesPath}/download`, async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: list });
    if (!session) return reply;
    const codes = await shownCodes(request, session);
    if (!codes) return reply.redirect(list, 303);
    const text = recoveryCodesText(codes, { product, home: `${config.appUrl}/`, email: session.login.email, at: clock() });
    return sendRecoveryCodes(reply, text);
  });

  app.post(`${codesPath}/saved`, async (request, reply) => {
    const session = await account.requireSession(request, reply, { fresh: false, back: list });
    if (!session) return reply;
    const codes = forms.field(request, 'saved') === 'yes' ? null : await shownCodes(request, session);
    if (!codes) return reply.redirect(list, 303);
    const message = 'Save the codes, then select the checkbox.';
    return answer(request, reply, 400, session, {
      ...recoveryCodesPart({ codes, csrf: session.csrf, owner: session.login.email }),
      message,
    });
  });
}

/** A factor that must stay, with the reason. */
class Kept extends Error {}
