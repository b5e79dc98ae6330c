import type { Challenge } from '@portal/api-client';
import { newTraceId } from '@portal/contract/trace';
import type { Environment } from '@portal/contract/shell/shell';
import { countdown, isIdle, secondsLeft, sessionEnd } from './expiry.ts';
import { takeEarlySignIn } from './early-session.ts';
import { dropKeptAnswers } from '../calls/kept-answers.ts';
import { dropReadsAhead } from '../calls/reads-ahead.ts';
import { withRetries } from '@portal/ui/code/with-retries';
import type { PortalUserManager } from './portal-user-manager.ts';
import { broadcastSignOut, signOutChannel } from './sign-out-channel.ts';
import { returnPath } from './return-path.ts';
import { answerOtherTabs } from './tab-session.ts';
import {
  copiedToken,
  copyToken,
  sessionOf,
  type SignedInUser,
  userIdOf,
  signedInUser,
  storedUser,
  tabStorage,
  clearToken,
} from './stored-user.ts';
import { forgetPerson } from '../session/forget-person.ts';
import type { StepUpPurpose } from './step-up-purpose.ts';

export type AuthState = {
  user: SignedInUser | null;
  /** The access token expired: the message is shown, then the person is sent to sign-out. */
  expired: boolean;
  /** Seconds until the session ends, while a warning is shown. */
  endsIn: number | null;
};

type RedirectState = { returnTo?: unknown; expectedSub?: unknown; redirect?: unknown };

export type Auth = {
  state: () => AuthState;
  subscribe: (listener: () => void) => () => void;
  /** Redirects to the provider and back to this page. `create`: to registration. */
  signIn: (options?: { create?: boolean }) => Promise<void>;
  /**
   * Redirects to the provider for a second factor; its page says what for. `onStart` runs before, with the name of this one redirect, which
   * `finishSignIn` gives back.
   * Resolves only if the person comes back to this document as they left it, with the browser's Back button.
   */
  stepUp: (challenge: Challenge, onStart: (redirect: string) => void, purpose?: StepUpPurpose) => Promise<void>;
  /**
   * Ends the session here and at the provider, in every tab. A guest's session at the provider is asked about there. If the person signs out
   * themselves, this device also forgets what they typed and looked at.
   */
  signOut: (options?: { byPerson?: boolean }) => Promise<void>;
  /** One silent renewal; true when there is a new token. */
  renew: () => Promise<boolean>;
  /**
   * Finishes a sign-in.
   * @returns the page the person came from, whether another person signed in than before the step-up, and the name of the step-up's redirect.
   */
  finishSignIn: () => Promise<{ returnTo: string; otherPerson: boolean; redirect: string | null }>;
  /** This document finished the sign-in. */
  isNew: () => boolean;
  /** Ends the session here; the provider is not notified. */
  forget: () => Promise<void>;
  /** Reports activity: the session stays awake. */
  noteInput: () => void;
  /** Starts renewal and the watch over the provider's session; the sign-in library loads for it once the first screen has what it reads. */
  watch: (firstScreen: Promise<void>) => void;
};

/** How long, in ms, the session-expired message is shown before sign-out begins. */
const expiredMessageMs = 4000;
/** How long, in ms, sign-out waits for the provider to revoke tokens. */
const revocationMs = 5000;
/** The session this tab has just signed out of, until it is back from the provider. */
const leftKey = 'signed-out-of';

/** Resolves if this document, once left, is shown again as it was: a browser may keep it for the Back button. */
const restoredFromMemory = (): Promise<void> =>
  new Promise(resolve => {
    window.addEventListener('pageshow', ({ persisted }) => persisted && resolve());
  });

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
  let isNew = false;
  let stopWatching: (() => void) | undefined;

  if (state.user) copyToken(state.user.idToken);
  else clearToken();
  answerOtherTabs(environment, () => {
    const { user, expired } = state;
    return user !== null && !expired && !leaving && copiedToken() === user.idToken;
  });
  notifyOtherTabs();
  // From the start, long before the event stream is open: a new tab must not miss the end of its session.
  new BroadcastChannel(signOutChannel).onmessage = ({ data }: MessageEvent<{ signedOut?: string }>) => {
    if (state.user && data.signedOut === sessionOf(state.user.claims)) void signOut();
  };

  let loading: Promise<PortalUserManager> | undefined;
  const manager = (): Promise<PortalUserManager> =>
    (loading ??= open().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));

  async function open(): Promise<PortalUserManager> {
    const { PortalUserManager: Manager } = await withRetries(() => import('./portal-user-manager.ts'))();
    const opened = new Manager(environment);
    opened.events.addUserLoaded(loaded => {
      const user = signedInUser(loaded, environment.claimNames);
      if (!user) return;
      copyToken(user.idToken);
      set({ user, expired: false, endsIn: null });
    });
    opened.events.addUserUnloaded(() => {
      clearToken();
      if (!leaving) set({ user: null, endsIn: null });
    });
    opened.onRenewal = succeeded => {
      lastRenewalFailed = !succeeded;
    };
    opened.wantsRenewal = () => !idle && !leaving && state.user !== null && secondsLeft(state.user.expiresAt, Date.now()) > 0;
    opened.events.addAccessTokenExpired(() => void expire());
    opened.events.addUserSignedOut(() => void signOut());
    void opened.clearStaleState();
    return opened;
  }

  /** After returning from the provider, where the session was ended: notifies the other tabs, whatever the provider reports. */
  function notifyOtherTabs(): void {
    const left = tabStorage()?.getItem(leftKey);
    if (!left) return;
    tabStorage()?.removeItem(leftKey);
    broadcastSignOut(left);
  }

  let expiring = false;
  async function expire(): Promise<void> {
    if (expiring || leaving) return;
    expiring = true;
    // Timers fire late on a sleeping device or in a background tab; the provider's session may still be valid.
    const saved = !idle && !lastRenewalFailed && (await renew());
    expiring = saved === false;
    if (saved) return;
    clearToken();
    set({ expired: true, endsIn: null });
    void manager().then(opened => opened.stopSilentRenew());
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

  async function signOut({ byPerson = false } = {}): Promise<void> {
    if (leaving) return;
    leaving = true;
    if (byPerson && state.user) forgetPerson(userIdOf(state.user.claims));
    stopWatching?.();
    dropKeptAnswers();
    dropReadsAhead();
    const { user } = state;
    try {
      const opened = await manager();
      if (user) tabStorage()?.setItem(leftKey, sessionOf(user.claims));
      await releaseTokens(opened);
      await opened.signoutRedirect();
    } catch (error) {
      // The provider is unreachable: end the session at least here. The next sign-in may find it still open there.
      onError(error);
      tabStorage()?.removeItem(leftKey);
      await manager()
        .then(opened => opened.removeUser())
        .catch(() => undefined);
      clearToken();
      window.location.assign('/?guest');
    }
  }

  /** Refresh tokens outlive a session the provider forgets to end, so they are revoked; the sign-out does not depend on it. */
  async function releaseTokens(opened: PortalUserManager): Promise<void> {
    if (environment.renewMode !== 'refresh-token' || !(await opened.getUser())?.refresh_token) return;
    const patience = new Promise<void>(resolve => setTimeout(resolve, revocationMs));
    await Promise.race([opened.revokeTokens(['refresh_token', 'access_token']).catch(onError), patience]);
  }

  async function redirect(args: Parameters<PortalUserManager['signinRedirect']>[0], returns: RedirectState = {}): Promise<void> {
    const { pathname, search, hash } = window.location;
    const state = { returnTo: pathname + search + hash, ...returns } satisfies RedirectState;
    try {
      await (await manager()).signinRedirect({ ...args, state });
    } catch (error) {
      // The provider's metadata in the library may be wrong: the next attempt reads them again.
      if (!auth.state().user) {
        void loading?.then(opened => opened.close());
        loading = undefined;
      }
      throw error;
    }
  }

  /** Waits for the registry to report that the session is over, wherever it was ended. */
  async function listen(): Promise<void> {
    const { user } = state;
    if (!user || leaving) return;
    const { watchSession } = await withRetries(() => import('./session-events.ts'))();
    stopWatching = watchSession({ session: sessionOf(user.claims), token: copiedToken, onSignedOut: () => void signOut() });
  }

  const tick = () => {
    const { user } = state;
    if (!user || state.expired) return;
    const now = Date.now();
    if (!idle && isIdle(lastInput, now)) {
      idle = true;
      void manager().then(opened => opened.stopSilentRenew());
    }
    const expiresAt = sessionEnd(user.expiresAt, { idle, lastInputMs: lastInput });
    if (secondsLeft(expiresAt, now) === 0) return void expire();
    const endsIn = countdown({ expiresAt, lastRenewalFailed, idle }, now);
    if (endsIn !== state.endsIn) set({ endsIn });
  };

  // Activity in one tab keeps the session of all tabs awake: an idle one would end it for all.
  const tabs = new BroadcastChannel('portal-input');
  tabs.onmessage = () => wake();
  let reportedAt = 0;
  const wake = () => {
    lastInput = Date.now();
    if (!idle) return;
    idle = false;
    void manager().then(opened => {
      opened.startSilentRenew();
      // Too late for the notice that starts an automatic renewal.
      if (state.endsIn !== null) void renew();
    });
    set({ endsIn: null });
  };
  const noteInput = () => {
    wake();
    if (lastInput - reportedAt < 10_000) return;
    reportedAt = lastInput;
    tabs.postMessage('input');
  };

  const auth: Auth = {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signIn: ({ create = false } = {}) => redirect(create ? { prompt: 'create' } : {}),
    async stepUp({ acrValues, maxAgeSeconds }, onStart, purpose) {
      const { user } = state;
      const name = newTraceId();
      onStart(name);
      const restored = restoredFromMemory();
      await redirect(
        {
          acr_values: acrValues ?? environment.stepUpAcr,
          ...(maxAgeSeconds !== null && { max_age: maxAgeSeconds }),
          ...(user?.claims.email && { login_hint: user.claims.email }),
          ...(purpose && { extraQueryParams: purpose }),
        },
        { expectedSub: user?.claims.sub, redirect: name },
      );
      // The page is leaving; callers wait until it is gone.
      await restored;
    },
    signOut,
    renew,
    async finishSignIn() {
      const early = takeEarlySignIn();
      const before = early ? early.before : copiedToken();
      const user = await (early?.user ?? manager().then(opened => opened.signinRedirectCallback())).catch(async (error: unknown) => {
        const opened = await manager();
        // A half-finished sign-in must not remain: remove a user stored before the failure.
        if ((await opened.getUser())?.id_token !== before) await opened.removeUser();
        throw error;
      });
      isNew = true;
      // What the person may do can have changed with it.
      dropKeptAnswers();
      const { returnTo, expectedSub, redirect: name } = (user.state ?? {}) as RedirectState;
      return {
        returnTo: returnPath(returnTo),
        otherPerson: typeof expectedSub === 'string' && expectedSub !== user.profile.sub,
        redirect: typeof name === 'string' ? name : null,
      };
    },
    isNew: () => isNew,
    async forget() {
      dropKeptAnswers();
      stopWatching?.();
      const opened = await manager();
      opened.stopSilentRenew();
      await opened.removeUser();
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
          .then(listen)
          .catch(onError);
    },
  };
  return auth;
}
