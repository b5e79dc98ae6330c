import type { SignedInUser } from './stored-user.ts';

export type AuthState = {
  user: SignedInUser | null;
  /** The access token expired: the message is shown, then the person is sent to sign-out. */
  expired: boolean;
  /** Seconds until the session ends, while a warning is shown. */
  endsIn: number | null;
};

/** The state of sign-in, for those who watch it. */
export type AuthStore = {
  get: () => AuthState;
  set: (change: Partial<AuthState>) => void;
  subscribe: (listener: () => void) => () => void;
};

export function createAuthStore(user: SignedInUser | null): AuthStore {
  let state: AuthState = { user, expired: false, endsIn: null };
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
