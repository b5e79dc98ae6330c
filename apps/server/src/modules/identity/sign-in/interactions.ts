import { firstAccountCookie } from '@portal/contract/shell/own-provider';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errors, type Interaction, type InteractionResults } from 'oidc-provider';
import { acrOf, type Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import { rankAsked, rankOf } from './acr.ts';
import type { Forms } from '../pages/forms.ts';
import { type Login, loginById } from '../logins/logins.ts';
import { OidcPayloads } from '../protocol/oidc-payloads.ts';
import { passwordGivenAt } from './given-password.ts';
import type { ProviderMiddleware } from '../protocol/provider-mount.ts';
import { proven } from './proven.ts';

/** A request of a sign-in page. */
export type Call = FastifyRequest<{
  Params: { uid: string };
  Body: Record<string, string> | undefined;
  Querystring: Record<string, string | undefined>;
}>;

/** State of a sign-in between two pages. */
export type Progress = {
  loginId: string;
  /** Number of times all sessions of the person had been ended at the first proof: if it grows, the proof is void. */
  sessionsEnded: number;
  /** Methods proven so far (RFC 8176). */
  amr: readonly string[];
  /** When the password was typed in this sign-in, milliseconds since 1970; absent in a step-up. */
  passwordAt?: number;
  /** Seconds since 1970 of the last full sign-in, which a step-up by one factor does not renew. */
  since?: number;
  /** Why a second factor is enrolled first, beyond the policy. */
  enrols?: 'wanted to' | 'used a recovery code';
  /** A second factor was enrolled in this sign-in; what is left is to save the recovery codes. */
  enrolled?: true;
};

/** A sign-in between the provider's request and our answer (an interaction of oidc-provider). */
export type SignIn = {
  uid: string;
  interaction: Interaction;
  /** The proven person; null before the password. */
  progress: Progress | null;
  login: Login | null;
  /** The session belongs to this person and the password isn't required again: only the second factor is missing. */
  stepUp: boolean;
  /** True if the request needs a second factor. */
  needsSecondFactor: boolean;
  /** The token the forms of this sign-in carry. */
  csrf: string;
};

export type Interactions = {
  /**
   * The sign-in of a request by its cookie.
   * @throws SessionNotFound when it has ended, belongs to another browser, or a form came without the token of its page.
   */
  of(request: Call, reply: FastifyReply): Promise<SignIn>;
  /** Remembers how far a sign-in has come. */
  advance(uid: string, progress: Progress): Promise<void>;
  /** Completes the sign-in of this person, with the methods proven so far and these; `create` answers that prompt too. */
  admit(
    request: Call,
    reply: FastifyReply,
    progress: Progress,
    more?: { methods?: readonly string[]; create?: { username: string } },
  ): Promise<FastifyReply>;
  /** Ends it with another answer; earlier answers stay. */
  finish(request: Call, reply: FastifyReply, result: InteractionResults): Promise<FastifyReply>;
  /** The `sid` of the session in which this sign-in was requested, if it is this person's; null otherwise. */
  sidOf(interaction: Interaction, loginId: string): Promise<string | null>;
  /** Returns whether the browser of a request has a session; its sign-in succeeded then. */
  hasSession(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
};

/** Signs cookies of the provider. */
type Keys = { sign: (cookie: string) => string };

/** A sign-in is remembered as long as the provider remembers its interaction. */
const PROGRESS_SECONDS = 900;

type InteractionsOptions = {
  db: Database;
  config: Pick<Config, 'appUrl' | 'clientId'>;
  forms: Forms;
  provider: () => Provider;
  atProvider: ProviderMiddleware;
  /** Returns the account that the portal shows a person first; null for none. */
  firstAccountOf: (loginId: string) => Promise<string | null>;
};

/** Sign-ins under way, as the provider's cookies name them. */
export function openInteractions({ db, config, forms, provider, atProvider, firstAccountOf }: InteractionsOptions): Interactions {
  const progresses = new OidcPayloads(db, 'SignInProgress');

  /** Proofs of the session of a step-up; null if it has ended. */
  const provenBySession = async ({ prompt, session }: Interaction): Promise<Progress | null> => {
    const [reason, ...others] = prompt.reasons;
    if (prompt.name !== 'login' || reason !== 'acr_unmet' || others.length > 0 || !session?.accountId) return null;
    // In this order: an end of the session after this read raises the count above the one read before.
    const login = await loginById(db.read, session.accountId);
    const open = login && (await provider().Session.findByUid(session.uid));
    if (open?.accountId !== session.accountId) return null;
    const { loginId, sessionsEnded } = login!;
    const amr = (session.amr ?? []).filter(method => method !== 'mfa');
    const passwordAt = await passwordGivenIn(open, loginId);
    // With the password again it is a full sign-in, and the person has already asked for a factor.
    if (passwordAt !== null) return { loginId, sessionsEnded, amr: [...new Set([...amr, 'pwd'])], passwordAt, enrols: 'wanted to' };
    return { loginId, sessionsEnded, amr, ...(open.loginTs !== undefined && { since: open.loginTs }) };
  };

  /** Returns when the person gave the password in the page that asked for this step-up, in ms since 1970; null if they did not. */
  const passwordGivenIn = async (open: { authorizations?: Record<string, { sid?: string }> }, loginId: string): Promise<number | null> => {
    const sid = open.authorizations?.[config.clientId]?.sid;
    return sid === undefined ? null : passwordGivenAt(db, { sid, loginId });
  };

  const finish: Interactions['finish'] = async (request, reply, result) => {
    await progresses.destroy(request.params.uid);
    reply.hijack();
    // Earlier answers are kept, `create` above all: else the provider asks for it again.
    const returnTo = await provider().interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: true });
    carryOn(request, reply, returnTo);
    return reply;
  };

  /**
   * Continues at the provider on the browser's behalf, which saves a redirect on a slow line. The provider's
   * cookie for that address does not come with this request; the cookie of the sign-in, which is checked, names the same.
   */
  const carryOn = ({ raw, params: { uid } }: Call, reply: FastifyReply, returnTo: string): void => {
    const { cookies } = provider().createContext(raw, reply.raw);
    const cookie = `${provider().cookieName('resume')}=${uid}`;
    const signature = `${provider().cookieName('resume')}.sig=${(cookies as unknown as { keys: Keys }).keys.sign(cookie)}`;
    const { 'content-type': _type, 'content-length': _length, ...headers } = raw.headers;
    raw.headers = { ...headers, cookie: [headers.cookie, cookie, signature].filter(Boolean).join('; ') };
    const { pathname } = new URL(returnTo);
    Object.assign(raw, { method: 'GET', url: pathname, originalUrl: pathname });
    atProvider(raw, reply.raw);
  };

  return {
    of: async (request, reply) => {
      const interaction = await provider().interactionDetails(request.raw, reply.raw);
      const { uid } = interaction;
      if (uid !== request.params.uid) throw new errors.SessionNotFound('another sign-in');
      if (request.method === 'POST' && !forms.carriesToken(request, uid)) throw new errors.SessionNotFound('form without its token');
      const session = await provenBySession(interaction);
      const begun = ((await progresses.find(uid)) as Progress | undefined) ?? session;
      const login = begun && (await loginById(db.read, begun.loginId));
      // All sessions of the person were ended: it starts again.
      const isActive = login?.sessionsEnded === begun?.sessionsEnded;
      return {
        uid,
        interaction,
        progress: isActive ? begun : null,
        login: isActive ? login : null,
        stepUp: session !== null,
        needsSecondFactor: rankAsked(interaction.params) > rankOf(acrOf('1fa')),
        csrf: forms.tokenOf(uid),
      };
    },
    advance: (uid, progress) => progresses.upsert(uid, progress as never, PROGRESS_SECONDS),
    admit: async (request, reply, { loginId, sessionsEnded, amr, since }, { methods = [], create } = {}) => {
      const first = await firstAccountOf(loginId);
      const hint = first ? `${first}; max-age=60` : '; max-age=0';
      const secure = config.appUrl.startsWith('https:') ? '; secure' : '';
      // Also replaces the session of the previous person.
      reply.raw.setHeader('set-cookie', `${firstAccountCookie}=${hint}; path=/; samesite=lax${secure}`);
      return finish(request, reply, {
        ...(create && { create }),
        login: {
          accountId: loginId,
          remember: true,
          sessionsEnded,
          ...(since !== undefined && { ts: since }),
          ...proven([...amr, ...methods]),
        },
      });
    },
    finish,
    sidOf: async ({ session }, loginId) => {
      const open = session?.uid ? await provider().Session.findByUid(session.uid) : undefined;
      if (open?.accountId !== loginId) return null;
      return Object.values(open.authorizations ?? {})[0]?.sid ?? null;
    },
    hasSession: async (request, reply) => {
      const session = await provider().Session.get(provider().createContext(request.raw, reply.raw));
      return session.accountId !== undefined;
    },
  };
}
