import type { Challenge } from '@portal/api-client';
import type { Environment } from '@portal/contract/shell/shell';
import { newTraceId } from '@portal/contract/trace';
import type { AuthStore } from './auth-store.ts';
import { takeEarlySignIn } from './early-session.ts';
import type { PortalUserManager } from './portal-user-manager.ts';
import type { ProviderLibrary } from './provider-library.ts';
import { returnPath } from './return-path.ts';
import type { StepUpPurpose } from './step-up-purpose.ts';
import { copiedToken } from './stored-user.ts';

type RedirectState = { returnTo?: unknown; expectedSub?: unknown; redirect?: unknown };

/** The ways to the provider, and back. */
export type Redirects = {
  /** Redirects to the provider and back to this page. `create`: to registration. */
  signIn: (options?: { create?: boolean }) => Promise<void>;
  /**
   * Redirects to the provider for a second factor; its page says what for. `onStart` runs before, with the name of this one redirect, which
   * `finishSignIn` gives back.
   * Resolves only if the person comes back to this document as they left it, with the browser's Back button.
   */
  stepUp: (challenge: Challenge, onStart: (redirect: string) => void, purpose?: StepUpPurpose) => Promise<void>;
  /**
   * Finishes a sign-in.
   * @returns the page the person came from, whether another person signed in than before the step-up, and the name of the step-up's redirect.
   */
  finishSignIn: () => Promise<{ returnTo: string; otherPerson: boolean; redirect: string | null }>;
};

/** Resolves if this document, once left, is shown again as it was: a browser may keep it for the Back button. */
const restoredFromMemory = (): Promise<void> =>
  new Promise(resolve => {
    window.addEventListener('pageshow', ({ persisted }) => persisted && resolve());
  });

/** @param onFinished called once a sign-in is finished */
export function createRedirects(
  environment: Environment,
  { store, library, onFinished }: { store: AuthStore; library: ProviderLibrary; onFinished: () => void },
): Redirects {
  async function redirect(args: Parameters<PortalUserManager['signinRedirect']>[0], returns: RedirectState = {}): Promise<void> {
    const { pathname, search, hash } = window.location;
    const state = { returnTo: pathname + search + hash, ...returns } satisfies RedirectState;
    try {
      await (await library.open()).signinRedirect({ ...args, state });
    } catch (error) {
      // The provider's metadata in the library may be wrong: the next attempt reads them again.
      if (!store.get().user) library.discard();
      throw error;
    }
  }

  return {
    signIn: ({ create = false } = {}) => redirect(create ? { prompt: 'create' } : {}),
    async stepUp({ acrValues, maxAgeSeconds }, onStart, purpose) {
      const { user } = store.get();
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
    async finishSignIn() {
      const early = takeEarlySignIn();
      const before = early ? early.before : copiedToken();
      const user = await (early?.user ?? library.open().then(opened => opened.signinRedirectCallback())).catch(async (error: unknown) => {
        const opened = await library.open();
        // A half-finished sign-in must not remain: remove a user stored before the failure.
        if ((await opened.getUser())?.id_token !== before) await opened.removeUser();
        throw error;
      });
      onFinished();
      const { returnTo, expectedSub, redirect: name } = (user.state ?? {}) as RedirectState;
      return {
        returnTo: returnPath(returnTo),
        otherPerson: typeof expectedSub === 'string' && expectedSub !== user.profile.sub,
        redirect: typeof name === 'string' ? name : null,
      };
    },
  };
}
