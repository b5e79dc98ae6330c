import { traceIdOf } from '@portal/contract/trace';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type ClientMetadata, type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { acrOf, type Config } from '../../config.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import { rankAsked, rankOf } from './acr.ts';
import { loginById } from './logins.ts';
import { OidcPayloads } from './oidc-payloads.ts';
import type { SignInPages } from './pages/sign-in-pages.ts';
import { derivedKeys } from '../../platform/secret-box.ts';
import { endSessionOfGrant, recordSession } from './sessions.ts';
import { manageSessionState } from './session-state.ts';
import type { SigningKey } from './signing-keys.ts';

export type ProviderOptions = {
  db: Database;
  config: Config;
  keys: readonly SigningKey[];
  pages: SignInPages;
  log: Log;
  clock: () => Date;
  /** The portal's own end of back-channel logout, called in process: the provider refuses to call private addresses. */
  receiveLogout: (body: URLSearchParams) => Promise<Response>;
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
        // Whoever has just signed in without one saw that it is missing and chose to go on; the token says so.
        if (wanted === 0 || !oidc.session?.accountId || oidc.result?.login) return Check.NO_NEED_TO_PROMPT;
        return rankOf(oidc.session.acr) >= wanted ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
      },
      ({ oidc }) => ({ acr_values: oidc.params!.acr_values }),
    ),
  );
  prompts.add(new Prompt({ name: 'create', requestable: true }), 0);
  return prompts;
}

/** The OpenID provider of the registry (identity.md section 5), for the one client there is: the portal. */
export function createProvider({ db, config, keys, pages, log, clock, receiveLogout }: ProviderOptions): Provider {
  const seconds = (): number => Math.floor(clock().getTime() / 1000);
  const { appUrl, issuerUri: issuer } = config;
  const secure = issuer.startsWith('https:');
  const logoutUri = `${appUrl}/auth/backchannel-logout`;
  const portal: ClientMetadata = {
    client_id: config.clientId,
    token_endpoint_auth_method: 'none',
    application_type: 'web',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    // The last is where the pages of one's login (`/account`) come back to after they had somebody sign in; they redeem no code.
    redirect_uris: [`${appUrl}/auth-callback`, `${appUrl}/silent-renew-oidc.html`, `${appUrl}/account/return`],
    post_logout_redirect_uris: [`${appUrl}/`],
    backchannel_logout_uri: logoutUri,
    backchannel_logout_session_required: true,
  };
  const configuration: Configuration = {
    adapter: model => new OidcPayloads(db, model),
    clients: [portal],
    jwks: { keys: keys.map(({ privateJwk }) => privateJwk) as never },
    cookies: {
      keys: derivedKeys(config, 'cookies').map(key => key.toString('base64url')),
      names: secure
        ? { session: '__Host-op_session', interaction: '__Secure-op_interaction', resume: '__Secure-op_resume' }
        : { session: 'op_session', interaction: 'op_interaction', resume: 'op_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: '/', secure },
      short: { httpOnly: true, sameSite: 'lax', signed: true, secure },
    },
    claims: {
      acr: null,
      amr: null,
      auth_time: null,
      iss: null,
      sid: null,
      openid: ['sub', 'azp', 'amr', 'acr', 'auth_time'],
      profile: ['userid', 'nickname', 'display_name', 'full_name', 'name', 'updated_at'],
      email: ['email', 'email_verified'],
    },
    scopes: ['openid', 'profile', 'email'],
    acrValues: [acrOf('1fa'), acrOf('mfa')],
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin) => origin === new URL(appUrl).origin,
    discovery: {
      prompt_values_supported: ['none', 'login', 'consent', 'create'],
      check_session_iframe: `${issuer}/session/check`,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      userinfo: { enabled: true },
      claimsParameter: { enabled: false },
      pushedAuthorizationRequests: { enabled: true },
      dPoP: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          const hint = ctx.oidc.entities.IdTokenHint?.payload;
          // Only the portal of this very person may sign out without asking: a foreign page has no valid hint (S11).
          const certain = hint !== undefined && hint.sub === ctx.oidc.session?.accountId;
          const xsrf = /name="xsrf" value="([0-9a-f]+)"/.exec(form)![1]!;
          ctx.body = pages.signOut(pageContext(ctx), { action: ctx.oidc.urlFor('end_session_confirm'), xsrf, certain });
        },
        postLogoutSuccessSource: ctx => {
          ctx.body = pages.signedOut(pageContext(ctx));
        },
      },
    },
    ttl: {
      AccessToken: config.tokenSeconds,
      IdToken: config.tokenSeconds,
      AuthorizationCode: 60,
      Interaction: 900,
      PushedAuthorizationRequest: 60,
      Grant: config.sessionAbsoluteSeconds + 3600,
      // Renewal slides the idle end; nothing moves the absolute one (S9).
      Session: (_ctx, session) =>
        Math.max(1, Math.min(config.sessionIdleSeconds, (session.loginTs ?? seconds()) + config.sessionAbsoluteSeconds - seconds())),
    },
    interactions: { policy: policy(), url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
    findAccount: async (_ctx, sub) => {
      const login = await loginById(db.read, sub);
      if (!login || login.disabledAt !== null) return undefined;
      return {
        accountId: sub,
        claims: async use => ({
          sub,
          userid: login.username,
          nickname: login.nickname,
          display_name: login.displayName,
          full_name: login.fullName,
          name: login.displayName,
          email: login.email,
          email_verified: login.emailVerified,
          updated_at: Math.floor(new Date(login.createdAt).getTime() / 1000),
          ...(use === 'id_token' && { azp: config.clientId }),
        }),
      };
    },
    // The portal is the registry's own: nobody is asked whether it may know their name.
    loadExistingGrant: async ctx => {
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
    },
    fetch: async (url, init) => {
      const target = new Request(url).url;
      if (target !== logoutUri) throw new Error(`The provider calls nobody but the portal, and not ${target}.`);
      return receiveLogout(init?.body as URLSearchParams);
    },
    renderError: (ctx, answer, error) => {
      if (!(error instanceof errors.OIDCProviderError)) log.error('sign-in failed', { traceId: traceOf(ctx), path: ctx.path, error });
      ctx.type = 'html';
      ctx.body = pages.providerError(pageContext(ctx), answer.error, answer.error_description);
    },
  };
  const provider = new Provider(issuer, configuration);
  // The middleware below writes these headers itself, from the configured issuer.
  provider.proxy = true;
  answerDefects(provider, { pages, log });
  recordSignIns(provider, { db, config, pages, log });
  manageSessionState(provider, {
    issuer,
    key: derivedKeys(config, 'session state')[0],
    maxAgeSeconds: config.sessionAbsoluteSeconds,
    checkPage: pages.checkSession,
    clientOrigins: [new URL(appUrl).origin],
  });
  // Koa's own channel; without a listener it prints.
  (provider as NodeJS.EventEmitter).on('error', (error: unknown) => log.error('the OpenID provider failed', { error }));
  provider.on('backchannel.error', (ctx, error) => log.error('a session could not be ended', { traceId: traceOf(ctx), error }));
  provider.on('server_error', (ctx, error) => log.error('the OpenID provider failed', { traceId: traceOf(ctx), path: ctx.path, error }));
  return provider;
}

/** Trace id of a request at the provider: the caller's, or one made for it by `providerMiddleware`. */
const traceOf = (ctx: { get(name: string): string }): string => traceIdOf(ctx.get('traceparent')) ?? '0'.repeat(32);

const pageContext = (ctx: KoaContextWithOIDC): { cookie: string | undefined; traceId: string } => ({
  cookie: ctx.headers.cookie,
  traceId: traceOf(ctx),
});

/** A page for what the provider does not catch itself: Koa would answer without any of the security headers. */
function answerDefects(provider: Provider, { pages, log }: Pick<ProviderOptions, 'pages' | 'log'>): void {
  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC;
    try {
      await next();
    } catch (error) {
      log.error('the OpenID provider failed', { traceId: traceOf(ctx), path: ctx.path, error });
      ctx.status = 500;
      ctx.type = 'html';
      ctx.body = pages.providerError(pageContext(ctx), 'server_error', undefined);
    }
  });
}

/** Leaves the line of a sign-in, and its `sid`, before the code reaches the browser; and ends the session whose code came twice. */
function recordSignIns(provider: Provider, { db, config, pages, log }: Pick<ProviderOptions, 'db' | 'config' | 'pages' | 'log'>): void {
  provider.on('authorization.success', ctx => {
    ctx.state.admitted = true;
  });
  provider.on('grant.revoked', (ctx, grantId) => {
    ctx.state.revokedGrant = grantId;
  });
  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC;
    await next();
    const { admitted, revokedGrant } = ctx.state as { admitted?: boolean; revokedGrant?: string };
    try {
      if (admitted) await record(ctx);
      if (revokedGrant && ctx.oidc.route === 'token') {
        const line = {
          action: 'identity.codeReused',
          summary: 'Ended a session whose sign-in code was used twice',
          traceId: traceOf(ctx),
          address: addressOf(ctx),
        };
        await db.change(line, change => endSessionOfGrant(change, revokedGrant, 'code used twice'));
      }
    } catch (error) {
      log.error('a sign-in could not be recorded', { traceId: traceOf(ctx), error });
      ctx.status = 503;
      ctx.remove('location');
      ctx.type = 'html';
      ctx.body = pages.providerError(pageContext(ctx), 'server_error', undefined);
    }
  });

  const record = async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { session, client, result } = ctx.oidc;
    const loginId = session!.accountId!;
    const sid = session!.sidFor(client!.clientId)!;
    const signedIn = result?.login !== undefined;
    if (!signedIn) {
      const known = await db.read.selectFrom('session').select('sid').where('sid', '=', sid).executeTakeFirst();
      if (known) return;
    }
    const amr = session!.amr ?? [];
    const address = addressOf(ctx);
    const line = {
      action: 'identity.signIn',
      summary: amr.includes('mfa') ? 'Signed in with a second factor' : 'Signed in',
      traceId: traceOf(ctx),
      login: { issuer: config.issuerUri, subject: loginId },
      sid,
      amr,
      address,
    };
    const until = new Date((session!.loginTs! + config.sessionAbsoluteSeconds) * 1000).toISOString();
    await db.change(line, change =>
      recordSession(change, { sid, loginId, grantId: session!.grantIdFor(client!.clientId) ?? null, amr, address, until }),
    );
  };
}

const addressOf = (ctx: KoaContextWithOIDC): string | null => ctx.get('x-forwarded-for') || null;

export type ProviderMiddleware = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Puts a provider at the path of its issuer in a raw Node server. The provider builds its addresses from the Host header; here it only
 * ever sees the configured one, whatever the caller sent.
 */
export function providerMiddleware(
  provider: () => Provider,
  config: Config,
  headers: (response: ServerResponse) => void,
): ProviderMiddleware {
  const { host, protocol, pathname } = new URL(config.issuerUri);
  let callback: { provider: Provider; handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> } | undefined;
  return (request, response) => {
    const current = provider();
    if (callback?.provider !== current) callback = { provider: current, handle: current.callback() };
    const original = (request as { originalUrl?: string }).originalUrl ?? request.url!;
    const address = peerAddress(request, config.behindProxy);
    request.headers.host = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    if (address === null) delete request.headers['x-forwarded-for'];
    else request.headers['x-forwarded-for'] = address;
    delete request.headers['x-forwarded-host'];
    if (traceIdOf(request.headers.traceparent as string | undefined) === undefined)
      request.headers.traceparent = `00-${crypto.randomUUID().replaceAll('-', '')}-${crypto.randomUUID().replaceAll('-', '').slice(16)}-01`;
    const rest = original.slice(pathname.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    Object.assign(request, { originalUrl: original });
    headers(response);
    void callback.handle(request, response);
  };
}

/** The caller's address: the peer's, or behind a proxy the first the proxies name. */
function peerAddress(request: IncomingMessage, behindProxy: boolean): string | null {
  const forwarded = behindProxy
    ? String(request.headers['x-forwarded-for'] ?? '')
        .split(',')[0]!
        .trim()
    : '';
  return forwarded || request.socket.remoteAddress || null;
}
