import type { Environment } from '@portal/contract/shell/shell';
import { withRetries } from '@portal/ui/code/with-retries';
import { type AuthState, createAuthStore } from './auth-store.ts';
import type { PortalUserManager } from './portal-user-manager.ts';
import { createProviderLibrary } from './provider-library.ts';
import { createRedirects, type Redirects } from './redirects.ts';
import { createSessionLife } from './session-life.ts';
import { createSignOut, notifyOtherTabs } from './sign-out.ts';
import { signOutChannel } from './sign-out-channel.ts';
import { answerOtherTabs } from './tab-session.ts';
import { clearToken, copiedToken, copyToken, sessionOf, signedInUser, storedUser, userIdOf } from './stored-user.ts';

export type { AuthState } from './auth-store.ts';

export type Auth = Redirects & {
  state: () => AuthState;
  subscribe: (listener: () => void) => () => void;
  /**
   * Ends the session here and at the provider, in every tab. A guest's session at the provider is asked about there. If the person signs out
   * themselves, this device also forgets what they typed and looked at.
   */
  signOut: (options?: { byPerson?: boolean }) => Promise<void>;
  /** One silent renewal; true when there is a new token. */
  renew: () => Promise<boolean>;
  /** This document finished the sign-in. */
  isNew: () => boolean;
  /** Ends the session here; the provider is not notified. */
  forget: () => Promise<void>;
  /** Reports activity: the session stays awake. */
  noteInput: () => void;
  /** Starts renewal and the watch over the provider's session; the sign-in library loads for it once the first screen has what it reads. */
  watch: (firstScreen: Promise<void>) => void;
};

export type AuthOptions = {
  onError: (error: unknown) => void;
  /** Answers to the person that this tab keeps for its next load, and those that it has asked for in advance. */
  answers: { dropKept: () => void; dropAhead: () => void };
  /** Removes what this device stores about a person. */
  forgetPerson: (userId: string) => void;
};

/**
 * Sign-in of the portal. The stored user is read without the library, which loads after the first screen; from then on it renews,
 * watches and reports.
 */
export function createAuth(environment: Environment, { onError, answers, forgetPerson }: AuthOptions): Auth {
  const store = createAuthStore(storedUser(environment));
  const library = createProviderLibrary(environment, prepare);
  let isNew = false;
  let stopWatching: (() => void) | undefined;
  const { isLeaving, signOut } = createSignOut(environment, {
    store,
    library,
    onLeave(byPerson) {
      const { user } = store.get();
      if (byPerson && user) forgetPerson(userIdOf(user.claims));
      stopWatching?.();
      answers.dropKept();
      answers.dropAhead();
    },
    onError,
  });
  const redirects = createRedirects(environment, {
    store,
    library,
    onFinished() {
      isNew = true;
      // What the person may do can have changed with it.
      answers.dropKept();
    },
  });
  const life = createSessionLife({ store, library, isLeaving, signOut });
  meetOtherTabs();

  /** Takes and gives sessions among tabs. */
  function meetOtherTabs(): void {
    const { user } = store.get();
    if (user) copyToken(user.idToken);
    else clearToken();
    answerOtherTabs(environment, () => {
      const { user: now, expired } = store.get();
      return now !== null && !expired && !isLeaving() && copiedToken() === now.idToken;
    });
    notifyOtherTabs();
    // From the start, long before the event stream is open: a new tab must not miss the end of its session.
    new BroadcastChannel(signOutChannel).onmessage = ({ data }: MessageEvent<{ signedOut?: string }>) => {
      const { user: now } = store.get();
      if (now && data.signedOut === sessionOf(now.claims)) void signOut();
    };
  }

  function prepare(opened: PortalUserManager): void {
    opened.events.addUserLoaded(loaded => {
      const user = signedInUser(loaded, environment.claimNames);
      if (!user) return;
      copyToken(user.idToken);
      store.set({ user, expired: false, endsIn: null });
    });
    opened.events.addUserUnloaded(() => {
      clearToken();
      if (!isLeaving()) store.set({ user: null, endsIn: null });
    });
    life.follow(opened);
    opened.events.addUserSignedOut(() => void signOut());
  }

  /** Waits for the registry to report that the session is over, wherever it was ended. */
  async function listen(): Promise<void> {
    const { user } = store.get();
    if (!user || isLeaving()) return;
    const { watchSession } = await withRetries(() => import('./session-events.ts'))();
    stopWatching = watchSession({ session: sessionOf(user.claims), token: copiedToken, onSignedOut: () => void signOut() });
  }

  return {
    ...redirects,
    state: store.get,
    subscribe: store.subscribe,
    signOut,
    renew: life.renew,
    isNew: () => isNew,
    async forget() {
      answers.dropKept();
      stopWatching?.();
      const opened = await library.open();
      opened.stopSilentRenew();
      await opened.removeUser();
    },
    noteInput: life.noteInput,
    watch(firstScreen) {
      setInterval(life.tick, 1000);
      for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const) {
        window.addEventListener(kind, life.noteInput, { passive: true });
      }
      if (store.get().user)
        firstScreen
          .then(library.open)
          .then(opened => opened.getUser())
          .then(listen)
          .catch(onError);
    },
  };
}
