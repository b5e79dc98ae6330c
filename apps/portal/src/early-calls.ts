import { newTraceparent } from '@portal/contract/trace';
import { storeEarlyAnswer } from './early-answers.ts';
import { copiedToken, storedUser, userIdOf } from '@portal/app-kit/auth/stored-user';
import { environmentInPage } from '@portal/app-kit/session/environment';

/**
 * Requests the first screen's data while the portal's own code is still loading: this script is a few hundred bytes and
 * runs first. Without a signed-in person in this tab it does nothing.
 */
function askEarly(): void {
  const environment = environmentInPage();
  const user = environment && storedUser(environment);
  const token = copiedToken();
  if (!user || token !== user.idToken) return;
  const paths = ['/api/me', '/api/accounts', '/api/contextual-nav-data'];
  const account = localStorage.getItem(`selected-account:${userIdOf(user.claims)}`);
  if (account && window.location.pathname === '/') paths.push(`/api/${encodeURIComponent(account)}/home`);
  for (const path of paths) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, traceparent: newTraceparent() };
    storeEarlyAnswer(path, headers.authorization, fetch(path, { headers }));
  }
}

askEarly();
