import Provider, { type AccountClaims, type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { acrOf, type Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { rankAsked, rankOf } from '../sign-in/acr.ts';
import type { Clients } from '../sessions/clients.ts';
import { type Login, loginById } from '../logins/logins.ts';
import { logFailedCalls, logoutCalls, logoutPages } from './logout.ts';
import { OidcPayloads, takeLogin } from '../protocol/oidc-payloads.ts';
import type { SignInPages } from '../sign-in/sign-in-pages.ts';
import { derivedKeys } from '../../../platform/secret-box.ts';
import { unavailability } from '../../../platform/unavailability.ts';
import { addressOf, pageContextOf, traceOf } from '../protocol/provider-mount.ts';
import { SIGN_IN_MINUTES, type SignInStarts, TooManyStarts } from '../sign-in/sign-in-starts.ts';
import { recordSignIns } from '../sign-in/recorded-sign-ins.ts';
import { manageSessionState } from './session-state.ts';
import type { SigningKey } from '../sessions/signing-keys.ts';

export type ProviderOptions = {
  db: Database;
  config: Config;
  clients: Clients;
  keys: readonly SigningKey[];
  pages: SignInPages;
  log: Log;
  clock: () => Date;
  /** The portal's own end of back-channel logout, called in process: the provider refuses to call private addresses. */
  receiveLogout: (body: URLSearchParams) => Promise<Response>;
  starts: SignInStarts;
};

/** The prompts: sign in; a higher level than the session has; `create` for people without a login. */
function policy(): interactionPolicy.DefaultPolicy {
  const { base, Check, Prompt } = interactionPolicy;
  const prompts = base();
  prompts.get('login')!.checks.add(
    new Check(
      'acr_unmet',
      'a second factor is required',
      'login_required',
      ({ oidc }) => {
        const wanted = rankAsked(oidc.params!);
        // A person who has just signed in without one saw that it is missing and chose to continue; the token says so.
        if (wanted === 0 || !oidc.session?.accountId || oidc.result?.login) return Check.NO_NEED_TO_PROMPT;
        return rankOf(oidc.session.acr) >= wanted ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
      },
      ({ oidc }) => ({ acr_values: oidc.params!.acr_values }),
    ),
  );
  prompts.add(new Prompt({ name: 'create', requestable: true }), 0);
  return prompts;
}

/** Claims of tokens, by scope. */
export const claimsOfScopes: NonNullable<Configuration['claims']> = {
  acr: null,
  amr: null,
  auth_time: null,
  iss: null,
  sid: null,
  openid: ['sub', 'azp', 'amr', 'acr', 'auth_time'],
  profile: ['userid', 'nickname', 'display_name', 'full_name', 'name', 'updated_at'],
  email: ['email', 'email_verified'],
};

/** Returns the claims about a person; an identity token also has its audience. */
export const claimsOf = (login: Login, use: string, clientId: string): AccountClaims => ({
  sub: login.loginId,
  userid: login.username,
  nickname: login.nickname,
  display_name: login.displayName,
  full_name: login.fullName,
  name: login.displayName,
  email: login.email,
  email_verified: login.emailVerified,
  updated_at: Math.floor(new Date(login.createdAt).getTime() / 1000),
  ...(use === 'id_token' && { azp: clientId }),
});

/** The OpenID provider of the registry: for the portal, and for the other systems of CLIENTS_FILE. */
export function createProvider(options: ProviderOptions): Provider {
  const { db, config, clients, pages, log, clock, starts } = options;
  /** Counts a sign-in; a refusal says when to try again. @throws TooManyStarts */
  const begin: Begin = ctx => {
    try {
      starts.begin(addressOf(ctx));
    } catch (error) {
      if (error instanceof TooManyStarts) ctx.set('retry-after', String(error.waitSeconds));
      throw error;
    }
  };
  const provider = new Provider(config.issuerUri, configurationOf(options, begin));
  // The middleware below writes these headers itself, from the configured issuer.
  provider.proxy = true;
  answerFailures(provider, { pages, log });
  // Pushed authorization requests leave a row too.
  provider.use(async (context, next) => {
    try {
      if (context.path === '/request') begin(context);
    } catch (error) {
      if (!(error instanceof TooManyStarts)) throw error;
      context.status = error.statusCode;
      context.body = { error: error.error, error_description: error.error_description };
      return;
    }
    await next();
  });
  recordSignIns(provider, { db, config, clients, pages, log, clock });
  manageSessionState(provider, {
    issuer: config.issuerUri,
    key: derivedKeys(config, 'session state')[0],
    maxAgeSeconds: config.sessionAbsoluteSeconds,
    checkPage: pages.checkSession,
    clientOrigins: clients.frameAncestors,
  });
  // Koa's own channel; without a listener it prints.
  (provider as NodeJS.EventEmitter).on('error', (error: unknown) => log.error('the OpenID provider failed', { error }));
  logFailedCalls(provider, { clients, log });
  provider.on('server_error', (ctx, error) => {
    ctx.state.failure = error;
    log.error('the OpenID provider failed', { traceId: traceOf(ctx), path: ctx.path, error });
  });
  return provider;
}

type Begin = (ctx: Pick<KoaContextWithOIDC, 'get' | 'set'>) => void;

function configurationOf(options: ProviderOptions, begin: Begin): Configuration {
  const { db, config, clients, keys, pages, log, clock, receiveLogout } = options;
  return {
    adapter: model => new OidcPayloads(db, model),
    clients: [...clients.metadata],
    jwks: { keys: keys.map(({ privateJwk }) => privateJwk) as never },
    cookies: cookiesOf(config),
    claims: claimsOfScopes,
    scopes: ['openid', 'profile', 'email'],
    acrValues: [acrOf('1fa'), acrOf('mfa')],
    // The reason for a second factor: an endpoint and its object, shown on its page.
    extraParams: ['purpose', 'purpose_object'],
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin, client) => clients.originsOf(client.clientId).includes(origin),
    // A code used twice is invalid, and so is everything obtained with it.
    rotateRefreshToken: () => true,
    // Bound to the session: logging out revokes the refresh tokens too.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    discovery: {
      prompt_values_supported: ['none', 'login', 'consent', 'create'],
      check_session_iframe: `${config.issuerUri}/session/check`,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      userinfo: { enabled: true },
      claimsParameter: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: logoutPages(pages),
    },
    ttl: lifetimes(config, { clock, begin }),
    interactions: { policy: policy(), url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
    findAccount: async (ctx, sub) => {
      const login = takeLogin(sub) ?? (await loginById(db.read, sub));
      if (!login || login.disabledAt !== null || login.frozenAt !== null) return undefined;
      return {
        accountId: sub,
        claims: async use => claimsOf(login, use, ctx.oidc.client!.clientId),
      };
    },
    loadExistingGrant: grantOf,
    fetch: logoutCalls({ clients, receiveLogout, log }),
    renderError: (ctx, answer, error) => renderError(options, ctx, answer, error),
  };
}

function cookiesOf(config: Config): NonNullable<Configuration['cookies']> {
  const secure = config.issuerUri.startsWith('https:');
  return {
    keys: derivedKeys(config, 'cookies').map(key => key.toString('base64url')),
    names: secure
      ? { session: '__Host-op_session', interaction: '__Secure-op_interaction', resume: '__Secure-op_resume' }
      : { session: 'op_session', interaction: 'op_interaction', resume: 'op_resume' },
    long: { httpOnly: true, sameSite: 'lax', signed: true, path: '/', secure },
    short: { httpOnly: true, sameSite: 'lax', signed: true, secure },
  };
}

function lifetimes(config: Config, { clock, begin }: { clock: () => Date; begin: Begin }): NonNullable<Configuration['ttl']> {
  const seconds = (): number => Math.floor(clock().getTime() / 1000);
  return {
    AccessToken: config.tokenSeconds,
    IdToken: config.tokenSeconds,
    AuthorizationCode: 60,
    // Asked for before the row is written.
    Interaction: ctx => {
      begin(ctx);
      return SIGN_IN_MINUTES * 60;
    },
    PushedAuthorizationRequest: 60,
    RefreshToken: config.sessionAbsoluteSeconds,
    Grant: config.sessionAbsoluteSeconds + 3600,
    // Renewal slides the idle end; nothing moves the absolute one (S9).
    Session: (_ctx, session) =>
      Math.max(1, Math.min(config.sessionIdleSeconds, (session.loginTs ?? seconds()) + config.sessionAbsoluteSeconds - seconds())),
  };
}

/** Returns the grant of a session to a client. All clients are the registry's own: there is no consent page. */
async function grantOf(ctx: KoaContextWithOIDC) {
  const { oidc } = ctx;
  const { clientId } = oidc.client!;
  const scope = typeof oidc.params!.scope === 'string' ? oidc.params!.scope : 'openid';
  const known = oidc.session!.grantIdFor(clientId);
  const found = known ? await oidc.provider.Grant.find(known) : undefined;
  const grant =
    found?.accountId === oidc.session!.accountId ? found! : new oidc.provider.Grant({ clientId, accountId: oidc.session!.accountId! });
  if (grant.getOIDCScopeFiltered(new Set(scope.split(' '))) !== scope || !found) {
    grant.addOIDCScope(scope);
    await grant.save();
  }
  return grant;
}

const renderError = (
  { pages, log }: Pick<ProviderOptions, 'pages' | 'log'>,
  ctx: KoaContextWithOIDC,
  answer: { error: string; error_description?: string | undefined },
  error: Error,
): void => {
  if (!(error instanceof errors.OIDCProviderError)) log.error('sign-in failed', { traceId: traceOf(ctx), path: ctx.path, error });
  ctx.type = 'html';
  if (error instanceof TooManyStarts) {
    ctx.body = pages.tooManyStarts(pageContextOf(ctx), Math.ceil(error.waitSeconds / 60));
    return;
  }
  ctx.body = pages.providerError(pageContextOf(ctx), answer.error, answer.error_description);
};

/** Paths whose answers people see; everything else is requested by programs. */
const personPaths = /^\/(auth|session\/end)(\/|$)/;

/**
 * Answers what the provider does not catch itself (Koa's answer would have none of the security headers), and says 503 where the database is away or
 * cannot be written to, which the provider takes for a defect: in JSON to programs, on a page to people.
 */
function answerFailures(provider: Provider, { pages, log }: Pick<ProviderOptions, 'pages' | 'log'>): void {
  const answerFailure = (ctx: KoaContextWithOIDC, status: number, error: string, page: () => string): void => {
    ctx.remove('location');
    ctx.status = status;
    if (personPaths.test(ctx.path)) {
      ctx.type = 'html';
      ctx.body = page();
    } else ctx.body = { error };
  };
  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC;
    try {
      await next();
    } catch (error) {
      log.error('the OpenID provider failed', { traceId: traceOf(ctx), path: ctx.path, error });
      ctx.state.failure = error;
      answerFailure(ctx, 500, 'server_error', () => pages.providerError(pageContextOf(ctx), 'server_error', undefined));
    }
    const unavailable = unavailability(ctx.state.failure);
    if (unavailable) {
      const { paused, retrySeconds } = unavailable;
      answerFailure(ctx, 503, 'temporarily_unavailable', () => pages.unavailable(pageContextOf(ctx), { paused, again: null }));
      ctx.set('retry-after', String(retrySeconds));
    }
  });
}
