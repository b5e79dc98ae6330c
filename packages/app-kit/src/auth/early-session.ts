import type { Environment } from '@portal/contract/shell/shell';
import type { User } from 'oidc-client-ts';
import { answerIn } from './provider-answer.ts';
import { copiedToken, copyToken, storedUser } from './stored-user.ts';
import { withRetries } from '@portal/ui/code/with-retries';
import { joinOtherTabs } from './tab-session.ts';

type SignInCode = typeof import('./portal-user-manager.ts');
/** A sign-in that the first script has completed, successfully or not; the tab's previous token. */
type EarlySignIn = { before: string | null; user: Promise<User> };
declare global {
  interface Window {
    /** Set by first-script.ts, which is inlined in the HTML; consumed once by the portal. */
    earlySignIn?: EarlySignIn | undefined;
    /** Set by the same: settles once this tab knows who is signed in, and what it asks for is asked for. Never rejects. */
    earlyCalls?: Promise<void>;
  }
}

/** Facts of the server about this page's session, at our own provider: the code of sign-in, and whether the page needs a session or ends a sign-in. */
function sessionOfPage(): { code: () => Promise<SignInCode>; session: string } | null {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="sign-in-code"]');
  if (!meta) return null;
  return {
    code: withRetries(() => import(/* @vite-ignore */ meta.content) as Promise<SignInCode>),
    session: meta.dataset['session'] ?? '',
  };
}

/** Requests public data of the provider ahead of the sign-in library, which then finds it. */
function requestEarlyReads(...addresses: readonly string[]): void {
  for (const href of addresses)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href }));
}

/**
 * Determines who is signed in in this tab while the portal's code is still loading: completes a sign-in that returns from our own provider; in a tab
 * without a user asks the other tabs, then the provider, silently. With another provider only tabs are asked.
 * @returns the address that the person sees when it is done: the page they came from
 */
export async function settleSession(environment: Environment): Promise<string> {
  const { pathname, search } = window.location;
  const here = pathname + search;
  const page = sessionOfPage();
  if (page?.session === 'begins') return answerIn(window.location).has('code') ? finishSignIn(environment, page.code, here) : here;
  // Addresses of sign-in and sign-out concern this tab.
  if (/^\/(auth-callback|logout)$/.test(pathname) || new URLSearchParams(search).has('guest')) return here;
  const asks = page?.session === 'needed' && !storedUser(environment) && environment.renewMode === 'iframe';
  const joining = joinOtherTabs(environment);
  if (!asks) {
    await joining;
    return here;
  }
  // Another tab answers sooner, if there is one.
  let joined = false;
  await Promise.race([joining.then(() => (joined = true)), new Promise(resolve => setTimeout(resolve, otherTabsMs))]);
  if (joined && storedUser(environment)) return here;
  requestEarlyReads('/oidc/jwks');
  const code = page.code();
  code.catch(() => undefined);
  await joining;
  if (!storedUser(environment)) await signInSilently(environment, code);
  return here;
}

/** After this long without an answer of another tab, what a silent sign-in needs is asked for as well. */
const otherTabsMs = 80;
const withoutMonitoring = { automaticSilentRenew: false, monitorSession: false };

async function finishSignIn(environment: Environment, code: () => Promise<SignInCode>, here: string): Promise<string> {
  const before = copiedToken();
  const user = code().then(({ PortalUserManager }) =>
    new PortalUserManager(environment, withoutMonitoring).signinRedirectCallback(window.location.href),
  );
  window.earlySignIn = { before, user };
  try {
    const { id_token: token, state } = await user;
    if (token) copyToken(token);
    const { returnTo } = (state ?? {}) as { returnTo?: unknown };
    return typeof returnTo === 'string' && returnTo.startsWith('/') ? returnTo.replace(/#.*/, '') : here;
  } catch {
    // The portal gets the same failure and shows what is wrong.
    return here;
  }
}

/** Asks the provider silently for this tab's session; without one the portal leads to sign-in. */
async function signInSilently(environment: Environment, code: Promise<SignInCode>): Promise<void> {
  try {
    const { PortalUserManager } = await code;
    const { id_token: token } = await new PortalUserManager(environment, withoutMonitoring).signInByFetch();
    if (token) copyToken(token);
  } catch {
    // No session, or no connection: the portal finds out which.
  }
}

/** The sign-in that the first script has finished in this document; undefined when there is none, or it was taken already. */
export function takeEarlySignIn(): EarlySignIn | undefined {
  const early = window.earlySignIn;
  window.earlySignIn = undefined;
  return early;
}
