import { type Challenge, type Client, type ClientOptions, createClient } from '@portal/api-client';
import type { Method } from '@portal/contract';
import { people, type Person } from '@portal/contract/identity/people';
import type { Environment } from '@portal/contract/shell/shell';
import { createToasts, type Toasts } from '@portal/ui';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { type Auth, createAuth } from '../auth/auth.ts';
import { purposeOf } from '../auth/step-up-purpose.ts';
import { copiedToken } from '../auth/stored-user.ts';
import { createAnswers, reading } from '../calls/answer.ts';
import { retryPause, retryNotice } from '../calls/retry-pause.ts';
import { unsettledChanges } from '../calls/unsettled.ts';
import { dropInterruptedCall, storeInterruptedCall } from '../calls/interrupted-call.ts';
import { AppLink } from '../page/AppLink.tsx';
import { createErrorList, type ErrorList } from '../page/error-list.ts';
import type { Notice } from '../page/kit.ts';
import { type Arrival, createBrowserRouter } from '../place/browser-router.ts';
import type { Place, Router } from '../place/place.ts';
import { scrollOnArrival } from '../place/scroll.ts';
import { createPersonPreferences } from '../settings/person-preferences.ts';
import type { Preferences } from '../settings/preferences.ts';

/** Height of the top bar, which covers the upper edge of the page. */
export const topBarHeight = 48;

/** The parts of an application that is a document of its own. They live as long as the document. */
export type BrowserApp = {
  environment: Environment;
  auth: Auth;
  call: Client;
  answers: QueryClient;
  router: Router;
  errors: ErrorList;
  toasts: Toasts;
  notify: (notice: Notice) => void;
  setTitle: (title: string) => void;
  /** Returns a person's settings, one store per person. */
  preferencesOf: (person: Person) => Preferences;
  /** Leads to the provider for a second factor; a change that was refused for want of it is repeated afterwards. */
  stepUp: (challenge: Challenge, call: { endpoint: string; method: Method; input: unknown }) => Promise<void>;
};

/** Options in which applications differ. */
export type BrowserAppOptions = {
  /**
   * Returns what happens at a new place: `page` if a page is shown there, `frame` if that is a framed one, which scrolls itself, and
   * `nothing` if the person is redirected.
   */
  arrive: (place: Place, arrival: Arrival) => 'page' | 'frame' | 'nothing';
  /** Called with sign-in failures that no page shows. Without it they are dropped: the server has them with their trace ids. */
  reportDefect?: (error: unknown) => void;
  /** Called with errors that calls were answered with. */
  reportErrors?: ClientOptions['report'];
  /** Makes the calls in place of `fetch`. */
  fetch?: ClientOptions['fetch'];
  /** Answers that have come already. */
  answered?: ClientOptions['answered'];
  /** Runs when the registry takes the token no longer. Without it the person is signed out. */
  refuseSession?: () => void;
};

/**
 * Creates the parts of an application that signs in itself and owns the address bar: the portal and the desk. The framed application
 * asks the portal for all of this (embedded-app.tsx).
 */
export function createBrowserApp(environment: Environment, options: BrowserAppOptions): BrowserApp {
  const { arrive, reportDefect = () => undefined, reportErrors } = options;
  const auth = createAuth(environment, { onError: reportDefect });
  const errors = createErrorList(() => window.scrollTo({ top: 0, behavior: 'smooth' }));
  const toasts = createToasts();
  const answers = createAnswers();

  const notify: BrowserApp['notify'] = ({ kind, text, link }) =>
    toasts.show({ ...(kind && { kind }), text, ...(link && { action: createElement(AppLink, { href: link.href }, link.label) }) });

  const stepUp: BrowserApp['stepUp'] = (challenge, { endpoint, method, input }) =>
    auth
      .stepUp(
        challenge,
        () => {
          // The page that repeats it knows the person as the registry does, not by the claims of the token.
          const person = answers.getQueryData(reading(call, people.getMe, {}).queryKey);
          if (person && method !== 'GET')
            storeInterruptedCall({ endpoint, input, userId: person.userId, path: router.place().path, at: Date.now() });
        },
        purposeOf(endpoint, input) ?? undefined,
      )
      .catch((error: unknown) => {
        dropInterruptedCall();
        reportDefect(error);
      });

  const call = createClient({
    baseUrl: '',
    token: () => copiedToken(),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    ...(options.answered && { answered: options.answered }),
    ...(reportErrors && { report: reportErrors }),
    pause: retryPause(() => toasts.show({ kind: 'info', text: retryNotice })),
    ...unsettledChanges(notify),
    renew: auth.renew,
    signOut: options.refuseSession ?? (() => void auth.signOut()),
    stepUp,
  });

  const router = createBrowserRouter((place, arrival) => {
    const shown = arrive(place, arrival);
    if (shown === 'nothing' || arrival.by === 'replace' || arrival.by === 'in-place') return;
    const hash = shown === 'frame' ? '' : place.hash;
    scrollOnArrival(hash, arrival.by === 'history' ? arrival.top : null, topBarHeight);
    if (arrival.by === 'step' && shown === 'page' && !hash) document.getElementById('main')?.focus({ preventScroll: true });
  });

  return {
    environment,
    auth,
    call,
    answers,
    router,
    errors,
    toasts,
    notify,
    setTitle: title => {
      document.title = `${title} · My${environment.product}`;
    },
    preferencesOf: createPersonPreferences(call),
    stepUp,
  };
}
