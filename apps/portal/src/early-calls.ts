import { storeEarlyAnswer } from '@portal/app-kit/calls/early-answers';
import { firstReadsOf } from '@portal/app-kit/calls/first-reads';
import { copiedToken, storedUser, userIdOf } from '@portal/app-kit/auth/stored-user';
import { joinOtherTabs } from '@portal/app-kit/auth/tab-session';
import { openEarlyFrame } from '@portal/app-kit/frame/early-frame';
import { environmentInPage } from '@portal/app-kit/session/environment';
import type { Environment } from '@portal/contract/shell/shell';
import { newTraceparent } from '@portal/contract/trace';

const contentOf = (name: string): string | undefined => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/**
 * Sends a stranger to sign-in, when the server says that this is one: its HTML then names the code of sign-in, and not that of the portal. The
 * portal's own code is loaded only if that fails, which it then says, or if this tab is signed in after all.
 */
async function signInFirst(environment: Environment): Promise<void> {
  const [signIn, portal] = [contentOf('sign-in-first'), contentOf('portal-entry')];
  if (!signIn || !portal) return;
  try {
    if (!storedUser(environment)) {
      const { PortalUserManager } = (await import(/* @vite-ignore */ signIn)) as typeof import('@portal/app-kit/auth/portal-user-manager');
      const { pathname, search, hash } = window.location;
      // Ends when the person comes back to this page as it was left.
      await new PortalUserManager(environment).signinRedirect({ state: { returnTo: pathname + search + hash } });
    }
  } catch {
    // The portal tries it again, and shows what is wrong.
  }
  void import(/* @vite-ignore */ portal);
}

/**
 * Sends the reads of the first screen, and asks for the document of its frame, while the portal's own code is still on its way: this script
 * is small and the first to run. A new tab first asks the others who is signed in. Without a signed-in person it does nothing, nor in other documents that share its file.
 */
async function askEarly(): Promise<void> {
  if (!document.querySelector('script[data-early]')) return;
  const environment = environmentInPage();
  if (!environment) return;
  const { pathname, search } = window.location;
  // Addresses of sign-in and sign-out are about this tab.
  if (!/^\/(auth-callback|logout)$/.test(pathname) && !new URLSearchParams(search).has('guest')) await joinOtherTabs(environment);
  await signInFirst(environment);
  const user = storedUser(environment);
  const token = copiedToken();
  if (!user || token !== user.idToken) return;
  openEarlyFrame();
  const userId = userIdOf(user.claims);
  const paths = new Set(['/api/me', '/api/accounts', '/api/contextual-nav-data', ...firstReadsOf(userId, pathname + search)]);
  const account = localStorage.getItem(`selected-account:${userId}`);
  if (account && pathname === '/') paths.add(`/api/${encodeURIComponent(account)}/home`);
  for (const path of paths) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, traceparent: newTraceparent() };
    storeEarlyAnswer(path, headers.authorization, fetch(path, { headers }));
  }
}

/** Settled once this tab knows as whom it is signed in; the portal starts then. */
export const earlyCalls = askEarly().catch(() => undefined);
