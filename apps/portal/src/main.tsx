import '@portal/ui/tokens.css';
import '@portal/ui/base.css';
import {
  accountToSelect,
  dropInterruptedCall,
  dropKeptAnswers,
  keepAnswers,
  markReturned,
  reading,
  scrollOnArrival,
  selectableAccounts,
  showsOnlyKept,
  showUnavailable,
  startWithEnvironment,
  storedAccountName,
  topBarHeight,
  watchIntent,
  whenComplete,
} from '@portal/app-kit';
import { keepPicture } from '@portal/app-kit/first/last-picture';
import { dropPicture, endPicture } from '@portal/app-kit/first/shown-picture';
import { accounts } from '@portal/contract/accounts/accounts';
import { people } from '@portal/contract/identity/people';
import { findPage, isDeskPath } from '@portal/contract/pages';
import type { Environment } from '@portal/contract/shell/shell';
import { withRetries } from '@portal/ui/code/with-retries';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { userIdOf } from '@portal/app-kit/auth/stored-user';
import { answerIn } from '@portal/app-kit/auth/provider-answer';
import { refreshStoredDocument } from '@portal/app-kit/first/stored-document';
import { cancelledOn } from '@portal/app-kit/auth/return-path';
import { isStaleCallback, signInFailure } from '@portal/app-kit/auth/sign-in-error';
import { showTypeface } from '@portal/app-kit/first/typeface';
import { createPortal, type Portal } from './portal.ts';
import { shellReads } from './session.ts';
import { signalApplicationLoad } from './shell/application-load.ts';
import { themeReading } from './shell/theme-links.ts';
import { views } from './views.ts';

const callbackPath = '/auth-callback';

// The first script checks whether this one has loaded (first-script.ts).
document.documentElement.dataset['started'] = '';

/**
 * Shows the answers stored by this tab's last load, marked with their time, and stores the current ones on unload. @returns a function to call once
 * the first screen has been refetched
 */
function showKeptAnswers({ answers, auth, call, router, shownFrom }: Portal): () => void {
  const kept = keepAnswers(answers, 'portal');
  const idOf = ({ user } = auth.state()): string | null => user && userIdOf(user.claims);
  const userId = idOf();
  const at = userId ? kept.restore(userId, storedAccountName(userId)) : null;
  if (at !== null) shownFrom.set({ at, failed: false });
  /** Keeps the answers. Returns the person and the account that the next load begins with; null when nothing is kept. */
  const keep = (): { now: string; account: string | null } | null => {
    const person = answers.getQueryData(reading(call, people.getMe, {}).queryKey);
    // Registry staff see members' accounts: nothing of those is stored.
    const now = idOf();
    if (now === null || !person || person.staff) return null;
    const own = selectableAccounts(answers.getQueryData(reading(call, accounts.listAccounts, {}).queryKey) ?? []);
    const account = accountToSelect(own, storedAccountName(now))?.accountName ?? null;
    kept.keep(now, account);
    return { now, account };
  };
  window.addEventListener('pagehide', () => {
    const of = keep();
    const { path, search } = router.place();
    if (of && showsOnlyKept(answers, of.account)) keepPicture('portal', path + search, of.now, of.account);
    else dropPicture('portal');
  });
  return () => {
    const shown = shownFrom.get();
    const failed = answers
      .getQueryCache()
      .getAll()
      .some(({ state }) => state.error !== null && state.data !== undefined);
    shownFrom.set(shown && failed ? { ...shown, failed } : null);
    keep();
  };
}

/**
 * Requests everything the first screen reads before React has drawn anything. @returns a promise that resolves once the code of the page has loaded
 */
function readAhead(portal: Portal): Promise<void> {
  const { answers, call, auth, router, environment } = portal;
  const { user } = auth.state();
  void answers.prefetchQuery(themeReading(environment.themeUrl));
  const { name, page } = findPage(router.place().path, environment.product);
  // Staff-only code is loaded once the person is known.
  const view = page.access.who === 'staff' ? Promise.resolve() : views.load(name);
  if (!user) return view;
  for (const { endpoint, input } of shellReads) void answers.prefetchQuery(reading(call, endpoint, input));
  return view;
}

/** How long follow-up work waits for the first screen. */
const wholeMs = 15_000;

/** Resolves once the first screen's reads are answered and drawn, in the frame as well; after fifteen seconds in any case. */
async function firstScreenRead({ answers, router, environment, frameWhole }: Portal): Promise<void> {
  await whenComplete(answers, wholeMs);
  const { page } = findPage(router.place().path, environment.product);
  if (page.app !== 'resource-manager' || frameWhole.get()) return;
  await new Promise<void>(resolve => {
    frameWhole.subscribe(resolve);
    setTimeout(resolve, wholeMs);
  });
}

/** Handles the return from the provider: leads to the page the person was on, or shows what went wrong. */
async function finishSignIn(portal: Portal): Promise<void> {
  try {
    const { returnTo, otherPerson, redirect } = await portal.auth.finishSignIn();
    markReturned(otherPerson ? null : redirect);
    if (otherPerson) {
      dropKeptAnswers();
      portal.answers.clear();
    }
    portal.router.go(returnTo, { replace: true });
  } catch (error) {
    const hadChange = dropInterruptedCall();
    const cancelledPage = cancelledOn(error);
    // A read would only ask for it again.
    if (hadChange && cancelledPage !== null && portal.auth.state().user) {
      portal.router.go(cancelledPage, { replace: true });
      portal.notify({ kind: 'info', text: 'Cancelled. Nothing was sent.' });
      return;
    }
    const secrets = [...answerIn(window.location)].flatMap(([name, value]) => (name.startsWith('error') ? [] : [value]));
    const failure = signInFailure(error, secrets);
    // The code in the address is used up; a reload would only fail again.
    window.history.replaceState(null, '', callbackPath);
    // A signed-in person arrives here only through an old address: the back button, a bookmark.
    if (portal.auth.state().user && isStaleCallback(failure)) portal.router.go('/', { replace: true });
    else portal.failSignIn(failure);
  }
}

/** During the redirect to the provider nothing is drawn, unless it fails. */
function signInFailed({ problem }: Portal): Promise<void> {
  return new Promise(resolve => {
    const stop = problem.subscribe(() => (stop(), resolve()));
  });
}

/** Loaded while this release is still served. Without it the person reloads when they like. */
const watchReleases = (portal: Portal): Promise<void> =>
  withRetries(() => import('@portal/app-kit/browser/new-release'))().then(
    ({ watchRelease }) => watchRelease(portal),
    () => undefined,
  );

async function start(environment: Environment): Promise<void> {
  await window.earlyCalls;
  const portal = createPortal(environment);
  if (window.location.pathname === callbackPath) await finishSignIn(portal);
  // Signed in for the desk, whose document is loading.
  if (isDeskPath(window.location.pathname)) return;
  portal.resume();
  if (!portal.problem.get() && !portal.admits()) await signInFailed(portal);
  const readAgain = showKeptAnswers(portal);
  const view = readAhead(portal);
  // With the answers of the last load the first rendering is the whole page, without them only the shell.
  if (portal.shownFrom.get()) await view;
  const root = createRoot(document.getElementById('root')!, {
    onUncaughtError: portal.reporting.reportDefect,
    onCaughtError: portal.reporting.reportDefect,
  });
  // In parts, between which the browser scrolls and answers.
  startTransition(() => root.render(<App portal={portal} />));
  portal.problem.subscribe(endPicture);
  const whole = firstScreenRead(portal);
  portal.auth.watch(whole);
  void whole.then(() => {
    portal.whole.set(true);
    showTypeface();
    readAgain();
    refreshStoredDocument();
    void watchReleases(portal);
  });
  watchIntent(link => {
    const { name, page } = findPage(link.pathname, environment.product);
    if (page.app === 'resource-manager') portal.intended.set(link.pathname + link.search);
    else if (page.access.who !== 'staff') void views.load(name);
  });
  signalApplicationLoad();
  scrollOnArrival(portal.router.place().hash, null, topBarHeight);
  // After the callback's address was cleaned, so that no code is ever reported.
  portal.reporting.start();
}

// Without an environment no one can sign in, which the HTML already says.
startWithEnvironment(start, () =>
  showUnavailable(document.querySelector('main'), 'The portal can’t be loaded right now. Reload the page in a minute.'),
);
