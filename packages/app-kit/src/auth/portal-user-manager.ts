import { constants } from '@portal/contract/constants';
import { SECOND_MS } from '@portal/contract/days';
import type { Environment } from '@portal/contract/shell/shell';
import { isOwnProvider, ownEndpoints, type RedirectAsJson, redirectAsJson } from '@portal/contract/shell/own-provider';
import { signedOutUrl } from '@portal/contract/shell/signed-out-url';
import {
  type CreateSigninRequestArgs,
  ErrorTimeout,
  type QuerySessionStatusArgs,
  type SessionStatus,
  type SigninRedirectArgs,
  type SigninSilentArgs,
  User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { checkIdentityToken } from './identity-token.ts';
import { createSharedRenewal, type SharedRenewal } from './shared-renewal.ts';
import { answerIn } from './provider-answer.ts';
import { signedInUser } from './stored-user.ts';

const nonce = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Checks what the library's iframe renewal omits: same azp, and auth_time not older than before. */
export function renewalMismatch(before: User['profile'], after: User['profile']): string | null {
  if (before.sub !== after.sub) return 'subject does not match the one signed in';
  if (before['azp'] !== after['azp']) return 'azp does not match the one signed in';
  const [was, is] = [before.auth_time, after.auth_time];
  // A newer one comes from a step-up in another tab.
  return typeof was === 'number' && (typeof is !== 'number' || is < was) ? 'auth_time does not match the one signed in' : null;
}

/**
 * Returns whether a failed request may succeed in a moment: no answer in time, no network, a server in trouble (5xx, or the page of a proxy
 * instead). An error answer of the provider (login_required, invalid_grant) is final.
 */
function isPassing(error: unknown): boolean {
  const { error: code, message = '' } = (error ?? {}) as { error?: unknown; message?: string };
  if (code) return code === 'server_error' || code === 'temporarily_unavailable';
  return error instanceof ErrorTimeout || error instanceof TypeError || /\(5\d\d\)|^Invalid response Content-Type/.test(message);
}

/** True when the provider's session can be watched from here: cookies reach a frame only on the same site. */
export function watchesSession({
  monitorSession,
  issuerUri,
  appUrl,
}: Pick<Environment, 'monitorSession' | 'issuerUri' | 'appUrl'>): boolean {
  if (monitorSession !== 'auto') return monitorSession === 'on';
  return siteOf(issuerUri) === siteOf(appUrl);
}

/** Scheme and the last two labels of the host: close enough to a registrable domain to decide about watching. */
function siteOf(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${/^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.')}`;
}

const usesRefreshTokens = ({ renewMode }: Pick<Environment, 'renewMode'>): boolean => renewMode === 'refresh-token';

/** Returns the scopes of a request: `offline_access` only where refresh tokens are used (a foreign provider on another site). */
function scopeOf(environment: Environment): string {
  const scopes = environment.scopes.split(',').filter(scope => scope !== 'offline_access');
  return [...scopes, ...(usesRefreshTokens(environment) ? ['offline_access'] : [])].join(' ');
}

export function settingsOf(environment: Environment): UserManagerSettings {
  const { appUrl } = environment;
  return {
    authority: environment.issuerUri,
    ...(isOwnProvider(environment) && { metadata: ownEndpoints(environment.issuerUri) }),
    client_id: environment.clientId,
    scope: scopeOf(environment),
    redirect_uri: `${appUrl}/auth-callback`,
    silent_redirect_uri: `${appUrl}/silent-renew-oidc.html`,
    post_logout_redirect_uri: signedOutUrl(environment),
    response_type: 'code',
    // Our own puts its answer behind the # (OAuth 2.0 Multiple Response Types, 2.1): the document of the way back then has one address for all
    // sign-ins, and is in the browser's store before the form is sent. Others answer in the query, as most do.
    response_mode: isOwnProvider(environment) ? 'fragment' : 'query',
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: localStorage, prefix: constants.stateStorePrefix }),
    automaticSilentRenew: true,
    silentRequestTimeoutInSeconds: constants.silentRequestTimeoutSeconds,
    requestTimeoutInSeconds: constants.silentRequestTimeoutSeconds,
    checkSessionIntervalInSeconds: constants.sessionCheckIntervalSeconds,
    staleStateAgeInSeconds: constants.staleSignInStateSeconds,
    accessTokenExpiringNotificationTimeInSeconds: constants.accessTokenExpiringNotificationSeconds,
    monitorSession: watchesSession(environment),
    validateSubOnSilentRenew: true,
    // The defaults drop amr, acr, auth_time and azp, which the portal needs.
    filterProtocolClaims: ['nbf', 'jti', 'nonce', 'at_hash'],
    // Other providers may require the hint for a silent request (OpenID Connect Core 3.1.2.1); for our own the bearer stays out of URLs.
    includeIdTokenInSilentRenew: !isOwnProvider(environment),
    revokeTokenAdditionalContentTypes: ['text/plain'],
    // The portal redirects; a sign-in by popup gets this height. The library fixes how often it is polled.
    popupWindowFeatures: { location: false, toolbar: false, height: constants.popupHeight },
  };
}

/**
 * The sign-in library with what it leaves out: a nonce in every request, the silent timeout on the
 * refresh path as well, the provider's own name in its description, the identity token of every sign-in and renewal checked, azp and
 * auth_time compared on renewal, renewals repeated while the trouble may pass, and one use of a refresh token in all tabs.
 */
export class PortalUserManager extends UserManager {
  readonly #environment: Environment;
  readonly #shared: SharedRenewal | null;
  #renewal: Promise<User | null> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Called with the result of each silent renewal; the library does not report timeouts. */
  onRenewal: (succeeded: boolean) => void = () => undefined;
  /** Asked before a failed renewal is tried again. */
  wantsRenewal: () => boolean = () => true;

  constructor(environment: Environment, changes: Partial<UserManagerSettings> = {}) {
    super({ ...settingsOf(environment), ...changes });
    this.#environment = environment;
    this.#shared = usesRefreshTokens(environment)
      ? createSharedRenewal({
          clientId: environment.clientId,
          holds: async () => (await this._loadUser())?.refresh_token ?? null,
          current: async () => (await this._loadUser())?.toStorageString() ?? null,
          adopt: async kept => {
            const user = new User(JSON.parse(kept) as ConstructorParameters<typeof User>[0]);
            await this.storeUser(user);
            await this.events.load(user);
          },
        })
      : null;
    // The library retries timeouts; other failures are retried here.
    this.events.addSilentRenewError(error => this.#retryAfter(error));
    this.events.addUserUnloaded(() => clearTimeout(this.#retry));
  }

  override async signinRedirect(args: SigninRedirectArgs = {}): Promise<void> {
    await this.#meetProvider();
    await super.signinRedirect({ nonce: nonce(), ...args });
  }

  /** Stores the state of a sign-in as `signinRedirect` does, and returns the address at the provider where it begins. */
  async prepareSignIn(args: Partial<CreateSigninRequestArgs> = {}): Promise<string> {
    await this.#meetProvider();
    return (await this._client.createSigninRequest({ request_type: 'si:r', nonce: nonce(), ...args })).url;
  }

  /**
   * Signs in silently at our own provider, on this origin: one request in place of a hidden frame, which would load a document and its script.
   * The provider answers with the address to which it would lead.
   * @throws ErrorResponse login_required and its like, when there is no session
   */
  async signInByFetch(): Promise<User> {
    const { silent_redirect_uri } = this.settings;
    // A browser that sends no Fetch Metadata gets a redirect, and doesn't reveal its fragment.
    const request = await this.prepareSignIn({ prompt: 'none', redirect_uri: silent_redirect_uri, response_mode: 'query' });
    const answer = await fetch(request, { headers: { accept: redirectAsJson } });
    const { location } = answer.redirected ? { location: answer.url } : ((await answer.json()) as RedirectAsJson);
    return this.signinRedirectCallback(location);
  }

  override async signinRedirectCallback(url?: string): Promise<User> {
    await this.#meetProvider();
    return super.signinRedirectCallback(url);
  }

  /** The library expects the answer where its settings say, not where the request asked for it. */
  protected override _signinEnd(url: string, subject?: string): Promise<User> {
    const { origin, pathname, search, hash } = new URL(url);
    const sign = this.settings.response_mode === 'fragment' ? '#' : '?';
    return super._signinEnd(`${origin}${pathname}${sign}${answerIn({ search, hash })}`, subject);
  }

  /** One renewal at a time: concurrent callers share it. */
  override signinSilent(args: SigninSilentArgs = {}): Promise<User | null> {
    this.#renewal ??= this.#renew(args).finally(() => (this.#renewal = null));
    return this.#renewal;
  }

  async #renew(args: SigninSilentArgs): Promise<User | null> {
    try {
      await this.#meetProvider();
      const before = await this._loadUser();
      let user = await this.#renewOnce(args);
      // If the provider omits the identity token in a refresh, our bearer expires before the access token.
      const soon = nowSeconds() + constants.accessTokenExpiringNotificationSeconds + constants.silentRenewRetrySeconds;
      if (user && user.id_token === before?.id_token && (user.expires_at ?? 0) < soon)
        user = await this.#renewOnce({ ...args, forceIframeAuth: true });
      clearTimeout(this.#retry);
      this.onRenewal(user !== null);
      return user;
    } catch (error) {
      this.onRenewal(false);
      throw error;
    }
  }

  async #renewOnce(args: SigninSilentArgs): Promise<User | null> {
    const request = { nonce: nonce(), silentRequestTimeoutInSeconds: constants.silentRequestTimeoutSeconds, ...args };
    if (!this.#shared || args.forceIframeAuth || !(await this._loadUser())?.refresh_token) return super.signinSilent(request);
    let user: User | null = null;
    const refreshed = await this.#shared.renew(async () => (user = await super.signinSilent(request)));
    return refreshed ? user : this._loadUser();
  }

  #retryAfter(error: unknown): void {
    clearTimeout(this.#retry);
    if (!isPassing(error)) return;
    this.#retry = setTimeout(() => {
      if (this.wantsRenewal()) this.signinSilent().catch((again: unknown) => this.#retryAfter(again));
    }, constants.silentRenewRetrySeconds * SECOND_MS);
  }

  /** Stops renewing and listening. */
  close(): void {
    this.stopSilentRenew();
    this.#shared?.close();
  }

  override stopSilentRenew(): void {
    clearTimeout(this.#retry);
    super.stopSilentRenew();
  }

  /** Returns whether the provider's session is still open. Temporary failures are retried until there is an answer. */
  override async querySessionStatus(args: QuerySessionStatusArgs = {}): Promise<SessionStatus | null> {
    for (;;) {
      try {
        return await super.querySessionStatus({
          nonce: nonce(),
          silentRequestTimeoutInSeconds: constants.silentRequestTimeoutSeconds,
          ...args,
        });
      } catch (error) {
        if (!isPassing(error) || !(await this._loadUser())) throw error;
        await new Promise(resolve => setTimeout(resolve, constants.silentRenewRetrySeconds * SECOND_MS));
      }
    }
  }

  override async storeUser(user: User | null): Promise<void> {
    if (user) await this.#admit(user, await this._loadUser());
    await super.storeUser(user);
  }

  /** Checks a user before it is stored, and shortens its expiry to that of the identity token. */
  async #admit(user: User, before: User | null): Promise<void> {
    if (!this.#shared) delete user.refresh_token;
    const token = user.id_token ?? '';
    if (!token || !user.profile?.sub) throw new Error('The provider answered without an identity token or subject');
    if (token === before?.id_token) user.profile.exp = before.profile.exp;
    else {
      await checkIdentityToken(token, {
        issuer: this.settings.authority,
        clientId: this.settings.client_id,
        keys: async again => {
          if (again) this.metadataService.resetSigningKeys();
          return (await this.metadataService.getSigningKeys()) ?? [];
        },
        now: nowSeconds,
        registryNow: () => registryNow(this.#environment.appUrl),
      });
      const { exp, iat } = user.profile;
      // By this device's clock, like the access token's end: the provider's may differ.
      if (typeof iat === 'number' && iat < exp) user.profile.exp = nowSeconds() + exp - iat;
      const mismatch = this.#renewal && before && renewalMismatch(before.profile, user.profile);
      if (mismatch) throw new Error(`Silent renewal refused: ${mismatch}`);
    }
    user.expires_at = Math.min(user.expires_at ?? Infinity, user.profile.exp);
    if (!signedInUser(user)) throw new Error('The provider answered without an identity token or subject');
  }

  /**
   * Reads the provider's metadata once and checks that they are those of the configured issuer (OpenID Connect Discovery 4.3). For a provider
   * other than our own, whose identity token is complete, the claims at its userinfo endpoint are read too, if the page may reach it.
   */
  async #meetProvider(): Promise<void> {
    const { issuer, userinfo_endpoint: userinfo } = await this.metadataService.getMetadata();
    const { issuerUri } = this.#environment;
    if (issuer?.replace(/\/$/, '') !== issuerUri.replace(/\/$/, ''))
      throw new Error('issuer of the provider does not match the one configured');
    const readsClaims =
      !isOwnProvider(this.#environment) && userinfo !== undefined && new URL(userinfo).origin === new URL(issuerUri).origin;
    Object.assign(this._client.settings, { loadUserInfo: readsClaims });
  }
}

/** Seconds since 1970 by the clock of the registry's server; null when it does not answer. */
async function registryNow(appUrl: string): Promise<number | null> {
  try {
    const { headers } = await fetch(`${appUrl}/env.json`, { method: 'HEAD', cache: 'no-store' });
    const date = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(date) ? null : date / 1000;
  } catch {
    return null;
  }
}
