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
import { type Auth, createAuth } from '@portal/app-kit/auth/auth';
import { copiedToken } from '@portal/app-kit/auth/stored-user';
import { createErrorList, type ErrorList } from '@portal/app-kit/page/error-list';
import { isDeskPath, pages } from '@portal/contract/pages';
import { people, type Person, type PreferenceChange } from '@portal/contract/people';
import type { Environment } from '@portal/contract/shell';
import { createToasts, type Toasts } from '@portal/ui';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';

/** Height of the top bar, which covers the upper edge of the page. */
const topBarHeight = 48;

/** The parts of the desk that live as long as its document. */
export type Desk = {
  environment: Environment;
  auth: Auth;
  call: Client;
  answers: QueryClient;
  router: Router;
  errors: ErrorList;
  toasts: Toasts;
  notify: (notice: Notice) => void;
  setTitle: (title: string) => void;
  /** The personal settings of somebody, kept as long as the document. */
  preferencesOf: (person: Person) => Preferences;
};

export function createDesk(environment: Environment): Desk {
  // What fails in the desk stands in its banner; the server has it with its trace id.
  const auth = createAuth(environment, { onError: () => undefined });
  const errors = createErrorList(() => window.scrollTo({ top: 0, behavior: 'smooth' }));
  const toasts = createToasts();
  const answers = createAnswers();

  const call = createClient({
    baseUrl: '',
    token: () => copiedToken(),
    fetch: (url, init) => fetch(url, init),
    renew: auth.renew,
    signOut: () => void auth.signOut(),
    stepUp: (challenge, { endpoint, input }) =>
      auth
        .stepUp(challenge, () => {
          const person = answers.getQueryData(reading(call, people.getMe, {}).queryKey);
          const isChange = input !== null && typeof input === 'object' && 'body' in input;
          if (person && isChange)
            keepInterruptedCall({ endpoint, input, userId: person.userId, path: router.place().path, at: Date.now() });
        })
        .catch(() => dropInterruptedCall()),
  });

  const router: Router = createBrowserRouter((place: Place, arrival: Arrival) => {
    if (leaves(place)) return;
    if (arrival.by === 'replace') return;
    scrollOnArrival(place.hash, arrival.by === 'history' ? arrival.top : null, topBarHeight);
    if (arrival.by === 'step' && !place.hash) document.getElementById('main')?.focus({ preventScroll: true });
  });
  if (router.place().path === '/desk') router.go(pages.deskRequests.path, { replace: true });

  let kept: { userId: string; preferences: Preferences } | null = null;
  const preferencesOf = ({ userId, preferences }: Person): Preferences => {
    const save = (change: PreferenceChange) => call(people.savePreferences, { body: change });
    if (kept?.userId !== userId)
      kept = { userId, preferences: createPreferences({ userId, initial: localPreferences(userId) ?? preferences, save }) };
    return kept.preferences;
  };

  return {
    environment,
    auth,
    call,
    answers,
    router,
    errors,
    toasts,
    notify: ({ kind, text, link }) =>
      toasts.show({ ...(kind && { kind }), text, ...(link && { action: createElement(AppLink, { href: link.href }, link.label) }) }),
    setTitle: title => {
      document.title = `${title} · My${environment.product}`;
    },
    preferencesOf,
  };
}

/** Pages of the portal have another document: the address is right already, it is loaded. */
function leaves({ path, search, hash }: Place): boolean {
  if (isDeskPath(path)) return false;
  window.location.replace(path + search + hash);
  return true;
}
