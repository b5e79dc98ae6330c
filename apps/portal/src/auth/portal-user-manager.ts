import { constants } from '@portal/contract/constants';
import type { Environment } from '@portal/contract/shell';
import {
  type SessionStatus,
  type SigninRedirectArgs,
  type SigninSilentArgs,
  type QuerySessionStatusArgs,
  type User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { signedInUser } from './stored-user.ts';

const nonce = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/** What the iframe path does not check by itself (domain/identity.md section 3): same azp, and auth_time not older than before. */
export function renewalMismatch(before: User['profile'], after: User['profile']): string | null {
  if (before.sub !== after.sub) return 'subject does not match the one signed in';
  if (before['azp'] !== after['azp']) return 'azp does not match the one signed in';
  const [was, is] = [before.auth_time, after.auth_time];
  // A newer one comes from a step-up in another tab.
  return typeof was === 'number' && (typeof is !== 'number' || is < was) ? 'auth_time does not match the one signed in' : null;
}

/** True when the provider's session can be watched from here: cookies reach a frame only on the same site (identity.md finding 9). */
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

export function settingsOf(environment: Environment): UserManagerSettings {
  const { appUrl } = environment;
  return {
    authority: environment.issuerUri,
    client_id: environment.clientId,
    scope: environment.scopes.split(',').join(' '),
    redirect_uri: `${appUrl}/auth-callback`,
    silent_redirect_uri: `${appUrl}/silent-renew-oidc.html`,
    post_logout_redirect_uri: `${appUrl}/`,
    response_type: 'code',
    response_mode: 'query',
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
    includeIdTokenInSilentRenew: false,
    revokeTokenAdditionalContentTypes: ['text/plain'],
  };
}

/**
 * The sign-in library with what it leaves out (domain/identity.md section 4): a nonce in every request, the silent timeout on the
 * refresh path as well, azp and auth_time compared on renewal, and no user without identity token and subject.
 */
export class PortalUserManager extends UserManager {
  #renewing = 0;
  /** Told how each silent renewal ended; the library keeps timeouts to itself. */
  onRenewal: (succeeded: boolean) => void = () => undefined;

  override signinRedirect(args: SigninRedirectArgs = {}): Promise<void> {
    return super.signinRedirect({ nonce: nonce(), ...args });
  }

  override async signinSilent(args: SigninSilentArgs = {}): Promise<User | null> {
    this.#renewing += 1;
    try {
      const user = await super.signinSilent({
        nonce: nonce(),
        silentRequestTimeoutInSeconds: constants.silentRequestTimeoutSeconds,
        ...args,
      });
      // A provider that leaves the identity token out of a refresh lets our bearer run out before the access token does.
      const soon = Date.now() / 1000 + constants.accessTokenExpiringNotificationSeconds;
      if (user?.refresh_token && (user.profile.exp ?? 0) < soon && !args.forceIframeAuth)
        return await this.signinSilent({ ...args, forceIframeAuth: true });
      this.onRenewal(user !== null);
      return user;
    } catch (error) {
      this.onRenewal(false);
      throw error;
    } finally {
      this.#renewing -= 1;
    }
  }

  override querySessionStatus(args: QuerySessionStatusArgs = {}): Promise<SessionStatus | null> {
    return super.querySessionStatus({ nonce: nonce(), ...args });
  }

  override async storeUser(user: User | null): Promise<void> {
    if (user && !signedInUser(user)) throw new Error('The provider answered without an identity token or subject');
    if (user && this.#renewing > 0) {
      const before = await this._loadUser();
      const mismatch = before && renewalMismatch(before.profile, user.profile);
      if (mismatch) throw new Error(`Silent renewal refused: ${mismatch}`);
    }
    await super.storeUser(user);
  }
}
