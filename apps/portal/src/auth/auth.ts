import type { Challenge } from '@portal/app-kit';
import { constants } from '@portal/contract/constants';
import { safeReturnPath } from '@portal/contract/link';
import type { Environment } from '@portal/contract/shell';
import { countdown, isIdle, secondsLeft } from './expiry.ts';
import type { PortalUserManager } from './portal-user-manager.ts';
import { copyToken, type SignedInUser, signedInUser, storedUser, wipeToken } from './stored-user.ts';

export type AuthState = {
  user: SignedInUser | null;
  /** The access token expired: the message stands, then the person is led to sign out. */
  expired: boolean;
  /** Seconds until the session ends, while that is worth a warning. */
  endsIn: number | null;
};

type RedirectState = { returnTo?: unknown; expectedSub?: unknown };

export type Auth = {
  state: () => AuthState;
  subscribe: (listener: () => void) => () => void;
  /** To the provider and back to this page. `create`: to registration. */
  signIn: (options?: { create?: boolean }) => Promise<void>;
  /** To the provider for a second factor; `onStart` runs once the way there is certain. */
  stepUp: (challenge: Challenge, onStart: () => void) => Promise<void>;
  /** Ends the session here and at the provider, in every tab. */
  signOut: () => Promise<void>;
  /** One silent renewal; true when there is a new token. */
  renew: () => Promise<boolean>;
  /**
   * Finishes a sign-in.
   * @returns where the person was, and whether somebody else signed in than before the step-up.
   */
  finishSignIn: () => Promise<{ returnTo: string; otherPerson: boolean }>;
  /** Somebody is at work: the session stays awake. */
  noteInput: () => void;
  /** Starts renewal and the watch over the provider's session; the sign-in library loads for it once the first screen has what it reads. */
  watch: (firstScreen: Promise<void>) => void;
};

/** How long the session-expired message stands before the way to sign-out begins. */
const expiredMessageMs = 4000;

/**
 * Sign-in of the portal. The stored user is read without the library, which loads after the first screen; from then on it renews,
 * watches and reports.
 */
export function createAuth(environment: Environment, { onError }: { onError: (error: unknown) => void }): Auth {
  let state: AuthState = { user: storedUser(environment), expired: false, endsIn: null };
  const listeners = new Set<() => void>();
  const set = (change: Partial<AuthState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };

  let lastRenewalFailed = false;
  let lastInput = Date.now();
  let idle = false;
  let leaving = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  if (state.user) copyToken(state.user.idToken);
  else wipeToken();

  let loading: Promise<PortalUserManager> | undefined;
  const manager = (): Promise<PortalUserManager> => (loading ??= open());

  async function open(): Promise<PortalUserManager> {
    const { PortalUserManager: Manager, settingsOf } = await import('./portal-user-manager.ts');
    const opened = new Manager(settingsOf(environment));
    opened.events.addUserLoaded(loaded => {
      const user = signedInUser(loaded);
      if (!user) return;
      copyToken(user.idToken);
      clearTimeout(retry);
      set({ user, expired: false, endsIn: null });
    });
    opened.events.addUserUnloaded(() => {
      wipeToken();
      if (!leaving) set({ user: null, endsIn: null });
    });
    opened.onRenewal = succeeded => {
      lastRenewalFailed = !succeeded;
    };
    opened.events.addSilentRenewError(error => {
      // An answer of the provider (login_required) is final; the network and 5xx are tried again until the token runs out.
      if (!('error' in error && error.error)) retryRenewal(opened);
    });
    opened.events.addAccessTokenExpired(() => void expire());
    opened.events.addUserSignedOut(() => void signOut());
    void opened.clearStaleState();
    return opened;
  }

  function retryRenewal(opened: PortalUserManager): void {
    clearTimeout(retry);
    retry = setTimeout(() => {
      if (idle || leaving || !state.user || secondsLeft(state.user.expiresAt, Date.now()) === 0) return;
      opened.signinSilent().catch((error: { error?: string }) => {
        if (!error.error) retryRenewal(opened);
      });
    }, constants.silentRenewRetrySeconds * 1000);
  }

  let expiring = false;
  async function expire(): Promise<void> {
    if (expiring || leaving) return;
    expiring = true;
    // The timers of a sleeping device or a tab in the background come too late; the provider's session may still be good.
    const saved = !idle && !lastRenewalFailed && (await renew());
    expiring = saved === false;
    if (saved) return;
    wipeToken();
    set({ expired: true, endsIn: null });
    await new Promise(resolve => setTimeout(resolve, expiredMessageMs));
    await signOut();
  }

  async function renew(): Promise<boolean> {
    try {
      return (await (await manager()).signinSilent()) !== null;
    } catch {
      return false;
    }
  }

  async function signOut(): Promise<void> {
    if (leaving) return;
    leaving = true;
    try {
      await (await manager()).signoutRedirect();
    } catch (error) {
      // The provider cannot be reached: the session is over here at least, and the start page asks to sign in.
      onError(error);
      await (await manager()).removeUser().catch(() => undefined);
      wipeToken();
      window.location.assign('/');
    }
  }

  async function redirect(args: Parameters<PortalUserManager['signinRedirect']>[0], returns: RedirectState = {}): Promise<void> {
    const { pathname, search, hash } = window.location;
    await (await manager()).signinRedirect({ ...args, state: { returnTo: pathname + search + hash, ...returns } satisfies RedirectState });
  }

  const tick = () => {
    const { user } = state;
    if (!user || state.expired) return;
    const now = Date.now();
    if (secondsLeft(user.expiresAt, now) === 0) return void expire();
    if (!idle && isIdle(lastInput, now)) {
      idle = true;
      void manager().then(opened => opened.stopSilentRenew());
    }
    const endsIn = countdown({ expiresAt: user.expiresAt, lastRenewalFailed, idle }, now);
    if (endsIn !== state.endsIn) set({ endsIn });
  };

  // Work in one tab keeps the session of all tabs awake: an idle one would end it for everybody.
  const tabs = new BroadcastChannel('portal-input');
  tabs.onmessage = () => wake();
  let told = 0;
  const wake = () => {
    lastInput = Date.now();
    if (!idle) return;
    idle = false;
    void manager().then(opened => {
      opened.startSilentRenew();
      // Too late for the notice that starts a renewal by itself.
      if (state.endsIn !== null) void renew();
    });
    set({ endsIn: null });
  };
  const noteInput = () => {
    wake();
    if (lastInput - told < 10_000) return;
    told = lastInput;
    tabs.postMessage('input');
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signIn: ({ create = false } = {}) => redirect(create ? { prompt: 'create' } : {}),
    async stepUp({ acrValues, maxAgeSeconds }, onStart) {
      const { user } = state;
      onStart();
      await redirect(
        {
          acr_values: acrValues ?? environment.stepUpAcr,
          ...(maxAgeSeconds !== null && { max_age: maxAgeSeconds }),
          ...(user?.claims.email && { login_hint: user.claims.email }),
        },
        { expectedSub: user?.claims.sub },
      );
      // The page is on its way out; whoever waits for the call waits until it is gone.
      await new Promise(() => undefined);
    },
    signOut,
    renew,
    async finishSignIn() {
      const user = await (await manager()).signinRedirectCallback();
      const { returnTo, expectedSub } = (user.state ?? {}) as RedirectState;
      const path = safeReturnPath(returnTo);
      return {
        returnTo: path.startsWith('/auth-callback') || path === '/logout' ? '/' : path,
        otherPerson: typeof expectedSub === 'string' && expectedSub !== user.profile.sub,
      };
    },
    noteInput,
    watch(firstScreen) {
      setInterval(tick, 1000);
      for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const) {
        window.addEventListener(kind, noteInput, { passive: true });
      }
      if (state.user)
        firstScreen
          .then(manager)
          .then(opened => opened.getUser())
          .catch(onError);
    },
  };
}
