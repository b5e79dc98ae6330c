import type { AuthStore } from './auth-store.ts';
import { countdown, secondsLeft, sessionEnd } from './expiry.ts';
import { type Idleness, watchIdleness } from './idleness.ts';
import type { PortalUserManager } from './portal-user-manager.ts';
import type { ProviderLibrary } from './provider-library.ts';
import type { SignOut } from './sign-out.ts';
import { clearToken } from './stored-user.ts';

/** How long, in ms, the session-expired message is shown before sign-out begins. */
const expiredMessageMs = 4000;

export type SessionLife = Pick<Idleness, 'noteInput'> & {
  /** One silent renewal; true when there is a new token. */
  renew: () => Promise<boolean>;
  /** Follows what the library reports of renewals. */
  follow: (opened: PortalUserManager) => void;
  /** Looks, every second, whether the session ends soon or has ended. */
  tick: () => void;
};

/** Renews the session while the person is there, counts down its end, and signs out when it comes. */
export function createSessionLife({
  store,
  library,
  isLeaving,
  signOut,
}: { store: AuthStore; library: ProviderLibrary } & SignOut): SessionLife {
  let lastRenewalFailed = false;
  let expiring = false;
  const { isIdle, lastInputMs, noteInput, look } = watchIdleness({
    onIdle: () => void library.open().then(opened => opened.stopSilentRenew()),
    onAwake() {
      void library.open().then(opened => {
        opened.startSilentRenew();
        // Too late for the notice that starts an automatic renewal.
        if (store.get().endsIn !== null) void renew();
      });
      store.set({ endsIn: null });
    },
  });

  async function renew(): Promise<boolean> {
    try {
      return (await (await library.open()).signinSilent()) !== null;
    } catch {
      return false;
    }
  }

  async function expire(): Promise<void> {
    if (expiring || isLeaving()) return;
    expiring = true;
    // Timers fire late on a sleeping device or in a background tab; the provider's session may still be valid.
    const saved = !isIdle() && !lastRenewalFailed && (await renew());
    expiring = saved === false;
    if (saved) return;
    clearToken();
    store.set({ expired: true, endsIn: null });
    void library.open().then(opened => opened.stopSilentRenew());
    await new Promise(resolve => setTimeout(resolve, expiredMessageMs));
    await signOut();
  }

  return {
    noteInput,
    renew,
    follow(opened) {
      opened.onRenewal = succeeded => {
        lastRenewalFailed = !succeeded;
      };
      opened.wantsRenewal = () => {
        const { user } = store.get();
        return !isIdle() && !isLeaving() && user !== null && secondsLeft(user.expiresAt, Date.now()) > 0;
      };
      opened.events.addAccessTokenExpired(() => void expire());
    },
    tick() {
      const { user, expired, endsIn: shown } = store.get();
      if (!user || expired) return;
      const now = Date.now();
      look(now);
      const expiresAt = sessionEnd(user.expiresAt, { idle: isIdle(), lastInputMs: lastInputMs() });
      if (secondsLeft(expiresAt, now) === 0) return void expire();
      const endsIn = countdown({ expiresAt, lastRenewalFailed, idle: isIdle() }, now);
      if (endsIn !== shown) store.set({ endsIn });
    },
  };
}
