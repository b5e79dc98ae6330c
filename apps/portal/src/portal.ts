import { type BrowserApp, createBrowserApp, createWatched, type Watched } from '@portal/app-kit';
import { MINUTE_MS } from '@portal/contract/days';
import { loadDocument } from '@portal/app-kit/place/load-document';
import { findPage, isDeskPath, pagePath } from '@portal/contract/pages';
import type { Environment } from '@portal/contract/shell/shell';
import { newTraceparent, traceIdOf } from '@portal/contract/trace';
import { type SignInFailure, signInFailure, type SignInProblem } from '@portal/app-kit/auth/sign-in-error';
import { tabStorage } from '@portal/app-kit/auth/stored-user';
import { guard } from '@portal/app-kit/auth/guard';
import { fetchOrTake, takeReadAhead } from '@portal/app-kit/first/reads-ahead';
import { createErrorReporting, type ErrorReporting } from './shell/error-reporting.ts';

const failedAtKey = 'sign-in-failed-at';
const soonMs = MINUTE_MS;

/** The parts of the portal: those of every application, and those of sign-in, which only the portal shows. */
export type Portal = BrowserApp & {
  reporting: ErrorReporting;
  /** A sign-in that failed, shown in place of the page. */
  problem: Watched<SignInProblem | null>;
  /** Shows and reports a failed sign-in. */
  failSignIn: (failure: SignInFailure) => void;
  /** Incremented to reload the current page. */
  reloads: Watched<number>;
  palette: Watched<boolean>;
  /** When the shown answers of the last load were read, until they are refetched; `failed` if that did not succeed. */
  shownFrom: Watched<{ at: number; failed: boolean } | null>;
  /** True once the reads of the first screen, and of its frame, are answered. */
  whole: Watched<boolean>;
  /** True once the reads of the first framed page are answered. */
  frameWhole: Watched<boolean>;
  /** The framed page that the person is about to open. */
  intended: Watched<string | null>;
  /** Sends the person to sign-in and reports if that could not even be started. */
  signIn: (options?: { create?: boolean }) => void;
  /** True when the page at the place may be shown; otherwise sign-in has been started. */
  admits: () => boolean;
};

/** Creates the parts of the portal and redirects from an address that shows nothing itself. */
export function createPortal(environment: Environment): Portal {
  const { product } = environment;
  const reporting = createErrorReporting(environment.errorReporting);
  const problem = createWatched<SignInProblem | null>(null);
  const reloads = createWatched(0);
  const palette = createWatched(false);
  const whole = createWatched(false);
  const shownFrom = createWatched<{ at: number; failed: boolean } | null>(null);
  const frameWhole = createWatched(false);
  const intended = createWatched<string | null>(null);

  const failSignIn = (failure: SignInFailure): void => problem.set(noted(failure, reporting));

  // A token the registry has never accepted comes from a failed sign-in; signing out and in again would only repeat it.
  let accepted = false;
  const refuseSession = (): void => {
    if (accepted || !auth.isNew()) return void auth.signOut();
    auth.forget().then(() => failSignIn(signInFailure(new Error('The registry refused the identity token'))), reporting.reportDefect);
  };

  const app = createBrowserApp(environment, {
    async fetch(url, init) {
      const response = await fetchOrTake(url, init);
      if (response.ok) accepted = true;
      return response;
    },
    answered(url, authorization) {
      const ahead = takeReadAhead(url, authorization);
      if (ahead) accepted = true;
      return ahead;
    },
    reportErrors: reporting.reportErrors,
    reportDefect: reporting.reportDefect,
    refuseSession,
    isFramed: ({ path }) => findPage(path, product).page.app === 'resource-manager',
    arrive(place, arrival) {
      if (leadsElsewhere()) return 'nothing';
      if (problem.get()) problem.set(null);
      if (arrival.by === 'replace') return 'nothing';
      if (arrival.by === 'reload') reloads.set(reloads.get() + 1);
      if (!admits()) return 'nothing';
      return findPage(place.path, product).page.app === 'resource-manager' ? 'frame' : 'page';
    },
  });
  const { auth, router } = app;

  const signIn: Portal['signIn'] = options => {
    auth.signIn(options).catch((error: unknown) => failSignIn(signInFailure(error)));
  };

  const admits = (): boolean => {
    const { name, page } = findPage(router.place().path, product);
    if (name === 'logout') return true;
    if (name === 'home' && new URLSearchParams(router.place().search).has('guest')) return true;
    const authenticated = auth.state().user !== null;
    // The stored user was looked for when the portal started.
    const verdict = guard({ isPublic: page.access.who === 'anyone', issuerKnown: true, authenticated, storedUser: authenticated });
    if (verdict === 'sign-in') signIn();
    return verdict === 'allow';
  };

  /**
   * Redirects from pages that show nothing: redirects, those of the desk, and the sign-out. A guest may still have a session at the provider, which
   * asks before ending it.
   */
  const leadsElsewhere = (): boolean => {
    const { path, search, hash } = router.place();
    // The desk is a separate document: its address is complete, so it is loaded.
    if (isDeskPath(path)) {
      loadDocument({ path, search, hash });
      return true;
    }
    const { name, page } = findPage(path, product);
    if (name === 'logout') void auth.signOut({ byPerson: true });
    if (!page.redirectTo) return false;
    router.go(pagePath(page.redirectTo, product) + search + hash, { replace: true });
    return true;
  };
  leadsElsewhere();

  return {
    ...app,
    reporting,
    problem,
    failSignIn,
    reloads,
    palette,
    shownFrom,
    whole,
    frameWhole,
    intended,
    signIn,
    admits,
  };
}

/** Reports a failed sign-in, and returns it with whether another has failed shortly before. */
function noted(failure: SignInFailure, reporting: ErrorReporting): SignInProblem {
  const traceId = traceIdOf(newTraceparent())!;
  const before = Number(tabStorage()?.getItem(failedAtKey) ?? 0);
  try {
    tabStorage()?.setItem(failedAtKey, String(Date.now()));
  } catch {
    // Full storage is itself a reason why sign-ins fail.
  }
  reporting.reportSignIn(failure, traceId);
  return { failure, traceId, repeated: Date.now() - before < soonMs };
}
