import { storeEarlyAnswer } from '@portal/app-kit/calls/early-answers';
import { firstReadsOf } from '@portal/app-kit/calls/first-reads';
import { copiedToken, storedUser, userIdOf } from '@portal/app-kit/auth/stored-user';
import { openEarlyFrame } from '@portal/app-kit/frame/early-frame';
import { environmentInPage } from '@portal/app-kit/session/environment';
import { newTraceparent } from '@portal/contract/trace';

/**
 * What the first screen reads is asked for while the portal's own code is still on its way, and so is the document of its frame: this script
 * is small and the first to run. Without a signed-in person in this tab it does nothing, nor in other documents that share its file.
 */
function askEarly(): void {
  if (!document.querySelector('script[data-early]')) return;
  const environment = environmentInPage();
  const user = environment && storedUser(environment);
  const token = copiedToken();
  if (!user || token !== user.idToken) return;
  openEarlyFrame();
  const userId = userIdOf(user.claims);
  const { pathname, search } = window.location;
  const paths = new Set(['/api/me', '/api/accounts', '/api/contextual-nav-data', ...firstReadsOf(userId, pathname + search)]);
  const account = localStorage.getItem(`selected-account:${userId}`);
  if (account && pathname === '/') paths.add(`/api/${encodeURIComponent(account)}/home`);
  for (const path of paths) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, traceparent: newTraceparent() };
    storeEarlyAnswer(path, headers.authorization, fetch(path, { headers }));
  }
}

askEarly();
