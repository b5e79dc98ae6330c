import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { acrOf, type Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Forms } from '../pages/forms.ts';
import { type Login, loginById } from '../logins/logins.ts';
import { OidcPayloads } from '../protocol/oidc-payloads.ts';
import type { SignInPages } from '../sign-in/sign-in-pages.ts';
import { derivedKeys } from '../../../platform/secret-box.ts';
import { hasSecondFactor } from '../factors/second-factors.ts';

/** The session behind one of the login's pages. */
export type AccountSession = {
  loginId: string;
  login: Login;
  sid: string;
  amr: readonly string[];
  /** Seconds since 1970 of the last full sign-in. */
  authTime: number;
  /** Whether the sign-in is recent enough for a change of the login (`requireSession` with `fresh`). */
  fresh: boolean;
  /** The token the forms of this session carry (`hiddenToken`); `requireSession` checks it in every POST. */
  csrf: string;
};

export type RequireSession = {
  /** The sign-in must be at most 300 seconds old and, when the person has a second factor, have used it (S8). */
  fresh: boolean;
  /** The page to continue at after a POST that required a new log in: the page of its form. Only paths under `/account` and `/plain`. */
  back?: string;
  /** Posted fields that may be shown again there. Never passwords or codes. */
  keep?: readonly string[];
};

export type AccountSessions = {
  /**
   * The session of a page under `/account`. Null if the request was already answered: by sending the browser to sign in and back, or by refusing a
   * POST without the token of its page.
   */
  requireSession(request: FastifyRequest, reply: FastifyReply, options: RequireSession): Promise<AccountSession | null>;
  /** Returns the session of this browser, if there is one, without redirecting to a log in. */
  sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<AccountSession | null>;
  /** Returns the input typed before this person had to log in again; null if they did not have to. Tell the person that nothing has been changed yet. */
  typedBefore(request: FastifyRequest, session: AccountSession): Promise<Readonly<Record<string, string>> | null>;
  /** GET `/account/return`: where the provider sends the browser back to. Its code is never redeemed; the session cookie is the proof. */
  routes(app: FastifyInstance): void;
};

export type AccountSessionOptions = {
  db: Database;
  config: Config;
  forms: Forms;
  pages: SignInPages;
  provider: () => Provider;
};

/** Maximum age in seconds of a sign-in for a change of the login. */
const FRESH_SECONDS = 300;
const DRAFT_SECONDS = 1800;

/** Authenticates the login's pages: the provider's own session cookie, valid for these pages only. */
export function accountSessions({ db, config, forms, pages, provider }: AccountSessionOptions): AccountSessions {
  const states = returnStates(derivedKeys(config, 'account return')[0]);
  const tokens = formTokens(forms);
  const drafts = new OidcPayloads(db, 'AccountDraft');

  /** Sends the browser to sign in and back to the path. */
  const logIn = (reply: FastifyReply, path: string, more: Record<string, string> = {}): null => {
    const query = new URLSearchParams({
      client_id: config.clientId,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `${config.appUrl}/account/return`,
      code_challenge: randomBytes(32).toString('base64url'),
      code_challenge_method: 'S256',
      nonce: randomBytes(16).toString('base64url'),
      state: states.of(path),
      ...more,
    });
    void reply.redirect(`${config.issuerUri}/auth?${query.toString()}`, 303);
    return null;
  };

  /** The signed-in person at the provider, if the session is still open. */
  const openSession = async (request: FastifyRequest, reply: FastifyReply) => {
    const open = await provider().Session.get(provider().createContext(request.raw, reply.raw));
    const sid = open.accountId ? open.sidFor(config.clientId) : undefined;
    if (!open.accountId || !sid) return null;
    const [login, row] = await Promise.all([
      loginById(db.read, open.accountId),
      db.read.selectFrom('session').select(['loginId', 'endedAt']).where('sid', '=', sid).executeTakeFirst(),
    ]);
    if (!login || login.disabledAt !== null || login.frozenAt !== null || row?.endedAt !== null || row.loginId !== login.loginId)
      return null;
    const amr = open.amr ?? [];
    const enrolled = await hasSecondFactor(db.read, login.loginId);
    // Uses the provider's own clock, or the two would redirect the browser back and forth.
    const old = open.past(FRESH_SECONDS);
    const fresh = !old && (!enrolled || amr.includes('mfa'));
    const session = { loginId: login.loginId, login, sid, amr, authTime: open.loginTs!, fresh, csrf: tokens.of(sid, login.loginId) };
    return { session, old, enrolled };
  };

  const requireSession: AccountSessions['requireSession'] = async (request, reply, { fresh, back = '/account', keep = [] }) => {
    const posted = request.method === 'POST';
    const found = await openSession(request, reply);
    if (found && posted && !same(forms.field(request, 'csrf'), found.session.csrf)) {
      const words = 'The form is invalid or has expired. No changes were made.';
      void forms.answer(reply, 403, pages.problem(forms.context(request), 'This couldn’t be done', words));
      return null;
    }
    const returnPath = async (): Promise<string> => {
      if (!posted) return request.url;
      // There is no session left to identify the author, and a stranger's form is discarded.
      const loginId = found?.session.loginId ?? tokens.writerOf(request);
      if (loginId === null) return back;
      const typed = Object.fromEntries(keep.map(name => [name, forms.field(request, name)]));
      const id = randomBytes(16).toString('base64url');
      await drafts.upsert(id, { loginId, typed } as never, DRAFT_SECONDS);
      const target = new URL(back, config.appUrl);
      target.searchParams.set('again', id);
      return target.pathname + target.search;
    };
    if (!found) return logIn(reply, await returnPath());
    const { session, old, enrolled } = found;
    if (!fresh || session.fresh) return session;
    return logIn(reply, await returnPath(), {
      login_hint: session.login.username,
      ...(old && { max_age: '0' }),
      ...(enrolled && { acr_values: acrOf('mfa') }),
    });
  };

  return {
    requireSession,
    sessionOf: async (request, reply) => (await openSession(request, reply))?.session ?? null,
    typedBefore: async (request, session) => {
      const { again } = request.query as Record<string, string | undefined>;
      if (!again) return null;
      const draft = (await drafts.find(again)) as { loginId: string; typed: Record<string, string> } | undefined;
      return draft?.loginId === session.loginId ? draft.typed : null;
    },
    routes: app => {
      app.get('/account/return', async (request, reply) => {
        const { state = '', error } = request.query as Record<string, string | undefined>;
        const path = states.pathIn(state);
        const refused = path === null ? ['Unknown link', 'Start again from your login page.'] : undefined;
        const ended = error ? ['You didn’t log in', 'No changes were made.'] : undefined;
        const problem = refused ?? ended;
        if (problem) return forms.answer(reply, 400, pages.problem(forms.context(request), problem[0]!, problem[1]!));
        return reply.redirect(path!, 303);
      });
    },
  };
}

/** The `state` of a sign-in that leads back to a path, signed. */
function returnStates(key: Parameters<typeof createHmac>[1]) {
  const signatureOf = (path: string): string => createHmac('sha256', key).update(path).digest('base64url');
  return {
    of: (path: string): string => `${Buffer.from(path).toString('base64url')}.${signatureOf(path)}`,
    /** The path in a `state` of ours; null for a state we didn't write. */
    pathIn(state: string): string | null {
      const [encoded = '', given = ''] = state.split('.');
      const path = Buffer.from(encoded, 'base64url').toString();
      return same(given, signatureOf(path)) ? accountPath(path) : null;
    },
  };
}

/** Tokens of forms. Each is bound to the session. It also names the author of the form, which is trusted without the session too. */
function formTokens(forms: Forms) {
  const whose = (loginId: string): string => `${loginId}.${forms.tokenOf(`form of ${loginId}`)}`;
  return {
    of: (sid: string, loginId: string): string => `${forms.tokenOf(boundTo(sid))}.${whose(loginId)}`,
    /** The author of the form, by the token our page gave it; null if it came from no page of ours. */
    writerOf(request: FastifyRequest): string | null {
      const [, loginId = '', signature = ''] = forms.field(request, 'csrf').split('.');
      return same(`${loginId}.${signature}`, whose(loginId)) ? loginId : null;
    },
  };
}

const same = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
const boundTo = (sid: string): string => `account ${sid}`;

/** Returns the path if it is one of the login's pages, or one that is read without scripts. */
function accountPath(path: string): string | null {
  const base = 'http://portal.invalid';
  if (!path.startsWith('/') || !URL.canParse(path, base)) return null;
  const { origin, pathname, search } = new URL(path, base);
  const within = /^\/(account|plain)(\/|$)/.test(pathname);
  return origin === base && within && pathname !== '/account/return' ? pathname + search : null;
}
