import { portalNameOf } from '../../../brand.ts';
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { Database, Read } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { Profile } from '../../../profile.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import { listAuthenticators, MAX_AUTHENTICATORS } from '../factors/authenticators.ts';
import { LONGEST_FACTOR_NAME } from '../factors/factor-names.ts';
import { type FactorLine, factorsPart, recoveryCodesPart } from '../factors/factor-pages.ts';
import { listPasskeys, MAX_PASSKEYS } from '../factors/passkeys.ts';
import { recoveryCodesLeft } from '../factors/recovery-codes.ts';
import { type NewFactor, storeFactor } from '../factors/second-factors.ts';
import type { AccountFrame, AccountPage } from '../pages/account-frame.ts';
import type { Forms } from '../pages/forms.ts';
import { type LocalTimes, localTimes } from '../pages/local-times.ts';
import type { AccountSession, AccountSessions } from './account-session.ts';
import { preferencesOf } from './people.ts';

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

/** Address of the list of factors; the others are below it. */
export const list = '/account/factors';
/** Above a form whose entries came back after a log-in. */
export const nothingChanged = 'You logged in again. No changes were made yet.';
/** Beside a name that is none. */
export const wrongName = `A name has 1 to ${LONGEST_FACTOR_NAME} characters on one line.`;

export type Factor = FactorLine & { id: string; loginId: string };

/** Names a factor in an address: credential ids are too long for one. */
const keyOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 22);

/** Lists a person's passkeys and authenticator apps. */
export async function factorsOf(read: Read, loginId: string): Promise<Factor[]> {
  const [passkeys, apps] = await Promise.all([listPasskeys(read, loginId), listAuthenticators(read, loginId)]);
  return [
    ...passkeys.map(({ credentialId, ...rest }) => ({ ...rest, kind: 'passkey' as const, id: credentialId, off: false })),
    ...apps.map(({ totpId, disabledAt, ...rest }) => ({ ...rest, kind: 'totp' as const, id: totpId, off: disabledAt !== null })),
  ].map(factor => ({ ...factor, loginId, key: keyOf(factor.id) }));
}

export type FactorCall = FastifyRequest<{ Params: { kind: string; key: string } }>;
/** Address of one factor. */
export const factorPath = `${list}/:kind/:key`;

/** Returns the factor of an address, and the person's others. @throws Failure NOT_FOUND */
export async function factorOf(read: Read, { params }: FactorCall, { loginId }: AccountSession) {
  const factors = await factorsOf(read, loginId);
  const factor = factors.find(({ kind, key }) => kind === params.kind && key === params.key);
  if (!factor) throw refuse('NOT_FOUND', { what: 'This second factor' });
  return { factor, others: factors.filter(other => other !== factor) };
}

/** Confirmations in the list, by the word in its address. */
export const doneWords = {
  passkey: 'The passkey was added. All other sessions were ended.',
  totp: 'The authenticator app was added. All other sessions were ended.',
  codes: 'The recovery codes were created. All other sessions were ended.',
  renamed: 'The name was changed.',
  removed: 'It was removed. All other sessions were ended.',
} as const;

type Page = Pick<AccountPage, 'title' | 'lead' | 'main' | 'script' | 'done' | 'message'>;
/** A request with its reply, and the session of the person who makes it. */
type Asking = { request: FastifyRequest; reply: FastifyReply; session: AccountSession };
type Answering = Asking & { status: number };

export type FactorTools = FactorPagesOptions & ReturnType<typeof factorTools>;

/** Returns what the pages of factors share: answers, the list, origins of activities, and how a new factor is kept. */
export function factorTools({ db, config, profile, forms, frame, account }: FactorPagesOptions) {
  const productNow = (): string => portalNameOf(profile);
  const timesOf = async ({ loginId }: AccountSession): Promise<LocalTimes> =>
    localTimes(await preferencesOf(db.read, loginId), profile.timeZone);

  const answer = ({ request, reply, status, session: { login } }: Answering, page: Page): FastifyReply =>
    forms.answer(reply, status, frame(forms.context(request), { ...page, here: list, login }));
  const showList = async (answering: Answering, more: Partial<Page> = {}) => {
    const { session } = answering;
    const [factors, left] = await Promise.all([factorsOf(db.read, session.loginId), recoveryCodesLeft(db.read, session.loginId)]);
    return answer(answering, { ...factorsPart(factors, left, await timesOf(session)), ...more });
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
  const personOf = ({ loginId, login }: AccountSession) => ({
    loginId,
    email: login.email,
    fullName: login.fullName,
    product: productNow(),
  });
  /** A page that makes a change: requires a recent sign-in, and keeps what was typed before it. */
  const change = (request: FastifyRequest, reply: FastifyReply, back: string, keep: readonly string[] = ['name']) =>
    account.requireSession(request, reply, { fresh: true, back, keep });

  const keep = async ({ request, reply, session }: Asking, factor: NewFactor, name: string): Promise<FastifyReply> => {
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
    return answer(
      { request, reply, status: 200, session },
      {
        ...recoveryCodesPart({ codes: recoveryCodes, csrf: session.csrf, owner: session.login.email }),
        done,
      },
    );
  };

  /** Answers with the list and an explanation if the person has too many. */
  const tooMany = async ({ request, reply, session }: Asking, kind: FactorLine['kind']): Promise<boolean> => {
    const most = kind === 'passkey' ? MAX_PASSKEYS : MAX_AUTHENTICATORS;
    const there = (await factorsOf(db.read, session.loginId)).filter(factor => factor.kind === kind);
    if (there.length < most) return false;
    const what = kind === 'passkey' ? 'passkeys' : 'authenticator apps';
    await showList(
      { request, reply, status: 400, session },
      { message: `You already have ${most} ${what}, the maximum. Remove one first.` },
    );
    return true;
  };
  return { productNow, timesOf, answer, showList, agentOf, originOf, stay, personOf, change, keep, tooMany };
}
