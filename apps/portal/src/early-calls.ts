import { storeEarlyAnswer } from '@portal/app-kit/calls/early-answers';
import { firstReadsOf } from '@portal/app-kit/calls/first-reads';
import { copiedToken, storedUser, userIdOf } from '@portal/app-kit/auth/stored-user';
import { settleSession } from '@portal/app-kit/auth/early-session';
import { openEarlyFrame } from '@portal/app-kit/frame/early-frame';
import { reloadOnce } from '@portal/app-kit/place/load-code';
import { environmentInPage } from '@portal/app-kit/session/environment';
import { newTraceparent } from '@portal/contract/trace';

/** Loads the page again when the line broke while the portal's own code was on its way; once a minute, then the browser's words stay. */
function watchStart(): void {
  window.addEventListener('load', () => {
    if (!('started' in document.documentElement.dataset)) reloadOnce('portal');
  });
}

/**
 * Sends the reads of the first screen, and asks for the document of its frame, while the portal's own code is still on its way: this script
 * is small and the first to run. First it settles who is signed in in this tab. Without a signed-in person it does nothing, nor in other documents that share its file.
 */
async function askEarly(): Promise<void> {
  if (!document.querySelector('script[data-early]')) return;
  watchStart();
  const environment = environmentInPage();
  if (!environment) return;
  const address = await settleSession(environment);
  const user = storedUser(environment);
  const token = copiedToken();
  if (!user || token !== user.idToken) return;
  const pathname = address.replace(/\?.*/, '');
  openEarlyFrame();
  const userId = userIdOf(user.claims);
  const paths = new Set(['/api/me', '/api/accounts', '/api/contextual-nav-data', ...firstReadsOf(userId, address)]);
  const account = localStorage.getItem(`selected-account:${userId}`);
  if (account && pathname === '/') paths.add(`/api/${encodeURIComponent(account)}/home`);
  for (const path of paths) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, traceparent: newTraceparent() };
    storeEarlyAnswer(path, headers.authorization, fetch(path, { headers }));
  }
}

/** Settled once this tab knows as whom it is signed in; the portal starts then. */
export const earlyCalls = askEarly().catch(() => undefined);
