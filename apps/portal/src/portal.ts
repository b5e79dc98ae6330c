import {
  AppLink,
  type Arrival,
  type Client,
  createAnswers,
  createBrowserRouter,
  createClient,
  createPreferences,
  dropInterruptedCall,
  keepInterruptedCall,
  localPreferences,
  type Notice,
  type Place,
  type Preferences,
  reading,
  type Router,
  scrollOnArrival,
} from '@portal/app-kit';
import { findPage, isDeskPath, pagePath } from '@portal/contract/pages';
import { people, type Person, type PreferenceChange } from '@portal/contract/people';
import type { Environment } from '@portal/contract/shell';
import { newTraceparent, traceIdOf } from '@portal/contract/trace';
import { createToasts, type Toasts } from '@portal/ui';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { type Auth, createAuth } from '@portal/app-kit/auth/auth';
import { type SignInFailure, signInFailure, type SignInProblem } from '@portal/app-kit/auth/sign-in-error';
import { copiedToken, tabStorage } from '@portal/app-kit/auth/stored-user';
import { guard } from '@portal/app-kit/auth/guard';
import { takeEarlyAnswer } from './early-answers.ts';
import { createErrorList, type ErrorList } from '@portal/app-kit/page/error-list';
import { createErrorReporting, type ErrorReporting } from './shell/error-reporting.ts';

/** Height of the top bar, which covers the upper edge of the page. */
export const topBarHeight = 48;

const failedAtKey = 'sign-in-failed-at';
const soonMs = 60_000;

/** A value that components watch. */
export type Watched<T> = { get: () => T; set: (value: T) => void; subscribe: (listener: () => void) => () => void };

function createWatched<T>(value: T): Watched<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The parts of the portal that live as long as the page. */
export type Portal = {
  environment: Environment;
  auth: Auth;
  call: Client;
  answers: QueryClient;
  router: Router;
  errors: ErrorList;
  reporting: ErrorReporting;
  toasts: Toasts;
  notify: (notice: Notice) => void;
  setTitle: (title: string) => void;
  /** The personal settings of somebody, one store a person. */
  preferencesOf: (person: Person) => Preferences;
  /** A sign-in that failed, shown in place of the page. */
  problem: Watched<SignInProblem | null>;
  /** Shows and reports a failed sign-in. */
  failSignIn: (failure: SignInFailure) => void;
  /** Rises when the page at the place is to be shown anew. */
  reloads: Watched<number>;
  palette: Watched<boolean>;
  /** Sends the person to sign-in and tells when that could not even be started. */
  signIn: (options?: { create?: boolean }) => void;
  stepUp: (challenge: Parameters<Auth['stepUp']>[0], call: { endpoint: string; input: unknown }) => Promise<void>;
  /** True when the page at the place may be shown; otherwise sign-in has been started. */
  admits: () => boolean;
};

export function createPortal(environment: Environment): Portal {
  const { product } = environment;
  const reporting = createErrorReporting(environment.errorReporting);
  const auth = createAuth(environment, { onError: reporting.reportDefect });
  const errors = createErrorList(() => window.scrollTo({ top: 0, behavior: 'smooth' }));
  const toasts = createToasts();
  const problem = createWatched<SignInProblem | null>(null);
  const reloads = createWatched(0);
  const palette = createWatched(false);
  const answers = createAnswers();

  const stepUp: Portal['stepUp'] = (challenge, { endpoint, input }) =>
    auth
      .stepUp(challenge, () => {
        // The page that repeats it knows the person as the registry does, not by the claims of the token.
        const person = answers.getQueryData(reading(call, people.getMe, {}).queryKey);
        const isChange = input !== null && typeof input === 'object' && 'body' in input;
        if (person && isChange) keepInterruptedCall({ endpoint, input, userId: person.userId, path: router.place().path, at: Date.now() });
      })
      .catch((error: unknown) => {
        dropInterruptedCall();
        reporting.reportDefect(error);
      });

  const failSignIn = (failure: SignInFailure): void => {
    const traceId = traceIdOf(newTraceparent())!;
    const before = Number(tabStorage()?.getItem(failedAtKey) ?? 0);
    try {
      tabStorage()?.setItem(failedAtKey, String(Date.now()));
    } catch {
      // A full storage is itself a reason why sign-ins fail.
    }
    reporting.reportSignIn(failure, traceId);
    problem.set({ failure, traceId, repeated: Date.now() - before < soonMs });
  };

  // A token the registry has never accepted came from a sign-in that failed; to sign out and in again would only repeat it.
  let accepted = false;
  const refusedSession = (): void => {
    if (accepted || !auth.isNew()) return void auth.signOut();
    auth.forget().then(() => failSignIn(signInFailure(new Error('Identity token refused by the registry'))), reporting.reportDefect);
  };

  const call = createClient({
    baseUrl: '',
    token: () => copiedToken(),
    fetch: async (url, init) => {
      const response = await (takeEarlyAnswer(url, init) ?? fetch(url, init));
      if (response.ok) accepted = true;
      return response;
    },
    report: reporting.reportErrors,
    renew: auth.renew,
    signOut: refusedSession,
    stepUp,
  });

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

  /** Pages that only lead on: redirects, those of the desk, and the sign-out. A guest may still have a session at the provider, which asks before it ends it. */
  const settle = (): boolean => {
    const { path, search, hash } = router.place();
    // The desk has a document of its own: the address is right already, it is loaded.
    if (isDeskPath(path)) {
      window.location.replace(path + search + hash);
      return true;
    }
    const { name, page } = findPage(path, product);
    if (name === 'logout') void auth.signOut();
    if (!page.redirectTo) return false;
    router.go(pagePath(page.redirectTo, product) + router.place().search, { replace: true });
    return true;
  };

  const router: Router = createBrowserRouter((place: Place, arrival: Arrival) => {
    if (settle()) return;
    if (problem.get()) problem.set(null);
    if (arrival.by === 'replace') return;
    if (arrival.by === 'reload') reloads.set(reloads.get() + 1);
    if (!admits()) return;
    const framed = findPage(place.path, product).page.app === 'resource-manager';
    // A framed page says itself where the element of its hash stands.
    scrollOnArrival(framed ? '' : place.hash, arrival.by === 'history' ? arrival.top : null, topBarHeight);
    if (arrival.by === 'step' && !framed && !place.hash) document.getElementById('main')?.focus({ preventScroll: true });
  });
  settle();

  const kept = new Map<string, Preferences>();
  const preferencesOf = ({ userId, preferences }: Person): Preferences => {
    let own = kept.get(userId);
    if (!own) {
      const save = (change: PreferenceChange) => call(people.savePreferences, { body: change });
      own = createPreferences({ userId, initial: localPreferences(userId) ?? preferences, save });
      kept.set(userId, own);
    }
    return own;
  };

  return {
    environment,
    preferencesOf,
    auth,
    call,
    answers,
    router,
    errors,
    reporting,
    toasts,
    notify: ({ kind, text, link }) =>
      toasts.show({ ...(kind && { kind }), text, ...(link && { action: createElement(AppLink, { href: link.href }, link.label) }) }),
    setTitle: title => {
      document.title = `${title} · My${product}`;
    },
    problem,
    failSignIn,
    reloads,
    palette,
    signIn,
    stepUp,
    admits,
  };
}
