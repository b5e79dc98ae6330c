import type { Environment } from '@portal/contract/shell/shell';
import type { AuthStore } from './auth-store.ts';
import type { PortalUserManager } from './portal-user-manager.ts';
import type { ProviderLibrary } from './provider-library.ts';
import { broadcastSignOut } from './sign-out-channel.ts';
import { clearToken, sessionOf, tabStorage } from './stored-user.ts';

/** How long, in ms, sign-out waits for the provider to revoke tokens. */
const revocationMs = 5000;
/** The session this tab has just signed out of, until it is back from the provider. */
const leftKey = 'signed-out-of';

export type SignOutOptions = {
  store: AuthStore;
  library: ProviderLibrary;
  /** Called first. */
  onLeave: (byPerson: boolean) => void;
  onError: (error: unknown) => void;
};

export type SignOut = {
  /** This tab is on its way to the provider. */
  isLeaving: () => boolean;
  signOut: (options?: { byPerson?: boolean }) => Promise<void>;
};

/** Ends the session here and at the provider, in every tab. */
export function createSignOut(environment: Environment, { store, library, onLeave, onError }: SignOutOptions): SignOut {
  let leaving = false;
  return {
    isLeaving: () => leaving,
    async signOut({ byPerson = false } = {}) {
      if (leaving) return;
      leaving = true;
      onLeave(byPerson);
      const { user } = store.get();
      try {
        const opened = await library.open();
        if (user) tabStorage()?.setItem(leftKey, sessionOf(user.claims));
        if (environment.renewMode === 'refresh-token') await revokeTokens(opened, onError);
        await opened.signoutRedirect();
      } catch (error) {
        // The provider is unreachable: end the session at least here. The next sign-in may find it still open there.
        onError(error);
        tabStorage()?.removeItem(leftKey);
        await library
          .open()
          .then(opened => opened.removeUser())
          .catch(() => undefined);
        clearToken();
        window.location.assign('/?guest');
      }
    },
  };
}

/** Refresh tokens outlive a session the provider forgets to end, so they are revoked; the sign-out does not depend on it. */
async function revokeTokens(opened: PortalUserManager, onError: (error: unknown) => void): Promise<void> {
  if (!(await opened.getUser())?.refresh_token) return;
  const patience = new Promise<void>(resolve => setTimeout(resolve, revocationMs));
  await Promise.race([opened.revokeTokens(['refresh_token', 'access_token']).catch(onError), patience]);
}

/** After returning from the provider, where the session was ended: notifies the other tabs, whatever the provider reports. */
export function notifyOtherTabs(): void {
  const left = tabStorage()?.getItem(leftKey);
  if (!left) return;
  tabStorage()?.removeItem(leftKey);
  broadcastSignOut(left);
}
