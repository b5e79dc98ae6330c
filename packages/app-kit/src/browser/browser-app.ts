import { type Challenge, type Client, type ClientOptions, createClient, type StoppedCall } from '@portal/api-client';
import type { Person } from '@portal/contract/identity/people';
import { releaseHeader } from '@portal/contract/shell/release-header';
import type { Environment } from '@portal/contract/shell/shell';
import { createToasts, type Toasts } from '@portal/ui';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { type Auth, createAuth } from '../auth/auth.ts';
import { copiedToken, sessionOf } from '../auth/stored-user.ts';
import { createAnswers } from '../calls/answer.ts';
import { dropKeptAnswers } from '../first/kept-answers.ts';
import { dropReadsAhead } from '../first/reads-ahead.ts';
import { retryPause, retryNotice } from '../calls/retry-pause.ts';
import { unsettledChanges } from '../calls/unsettled.ts';
import { takeReturnedCall } from '../calls/interrupted-call.ts';
import { createReturnedCalls } from '../calls/returned-calls.ts';
import { AppLink } from '../page/AppLink.tsx';
import { createErrorList, type ErrorList } from '../page/error-list.ts';
import type { Preferences, ReturnedCalls, Notice } from '../kit/kit.ts';
import { type Arrival, createBrowserRouter } from '../place/browser-router.ts';
import { hrefOf, type Place, type Router } from '../kit/place.ts';
import { scrollOnArrival } from '../place/scroll.ts';
import { leftBefore } from '../step-up/left-before.ts';
import { createHeldConfirmations, type HeldConfirmation, type HeldConfirmations } from '../step-up/held-confirmations.ts';
import type { StepUps } from '../step-up/step-ups.ts';
import { withRetries } from '@portal/ui/code/with-retries';
import { createWatched, type Watched } from '../place/watched.ts';
import { forgetPerson } from './forget-person.ts';
import { createPersonPreferences } from '../settings/person-preferences.ts';

/** Height of the top bar, which covers the upper edge of the page. */
export const topBarHeight = 48;

/** The parts of an application with its own document. They live as long as the document. */
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
  /**
   * Asks for a second factor: for a change in a dialog over the page, for a read at the provider. Resolves with the confirmation, and with null if the person
   * gave up, or left the page that made the change. `isForeign`: a page of another origin made it.
   */
  stepUp: (challenge: Challenge, call: StoppedCall, isForeign?: boolean) => Promise<HeldConfirmation | null>;
  /** The changes that wait for their person in a dialog; null until there was one. */
  stepUps: Watched<StepUps | null>;
  /** Confirmations that this document holds. */
  confirmations: HeldConfirmations;
  /** The release of the process that answered last; that of this document before. */
  release: Watched<string>;
  /** The change that was interrupted for a second factor on a page of this document. */
  returned: ReturnedCalls;
  /** The same for the framed page of this document. */
  returnedInFrame: ReturnedCalls;
  /**
   * Checks whether this document was opened by the return from a step-up, and drops changes that another redirect interrupted. Called once, when the
   * first address is known.
   */
  resume: () => void;
};

/** Options in which applications differ. */
export type BrowserAppOptions = {
  /**
   * Returns what happens at a new place: `page` if a page is shown there, `frame` if that is a framed one, which scrolls itself, and
   * `nothing` if the person is redirected.
   */
  arrive: (place: Place, arrival: Arrival) => 'page' | 'frame' | 'nothing';
  /** Whether the page at a place is shown in a frame, which asks about its changes itself. */
  isFramed?: (place: Place) => boolean;
  /** Called with sign-in failures that no page shows. Without it they are dropped: the server has them with their trace ids. */
  reportDefect?: (error: unknown) => void;
  /** Called with errors that calls were answered with. */
  reportErrors?: ClientOptions['report'];
  /** Makes the calls in place of `fetch`. */
  fetch?: ClientOptions['fetch'];
  /** Answers that have already arrived. */
  answered?: ClientOptions['answered'];
  /** Called when the registry no longer accepts the token. Without it the person is signed out. */
  refuseSession?: () => void;
};

/** The router of the address bar: at a new place it scrolls, and moves the focus to a new page. */
const createRouterTo = (arrive: BrowserAppOptions['arrive']) =>
  createBrowserRouter((place, arrival) => {
    const shown = arrive(place, arrival);
    if (shown === 'nothing' || arrival.by === 'replace' || arrival.by === 'in-place') return;
    const hash = shown === 'frame' ? '' : place.hash;
    scrollOnArrival(hash, arrival.by === 'history' ? arrival.top : null, topBarHeight);
    if (arrival.by === 'step' && shown === 'page' && !hash) focusPage();
  });

/** Frames of the browser for which a window is waited for: a second. */
const SHUTTING_FRAMES = 60;

/**
 * Moves the focus to the page. A window that leads on, such as the palette, keeps the focus until it is gone, and then gives it back to an element of the page before, which is gone as
 * well: the page gets it afterwards, unless something else has it.
 */
function focusPage(): void {
  const focus = (): void => document.getElementById('main')?.focus({ preventScroll: true });
  const isWindowOpen = (): boolean => document.querySelector('[role=dialog], [role=alertdialog]') !== null;
  focus();
  if (!isWindowOpen()) return;
  const look = (left: number): void => {
    if (isWindowOpen()) {
      if (left > 0) requestAnimationFrame(() => look(left - 1));
    } else if (document.activeElement === document.body || document.activeElement === null) focus();
    // It gives the focus back a frame after it is gone.
    else requestAnimationFrame(() => document.activeElement === document.body && focus());
  };
  requestAnimationFrame(() => look(SHUTTING_FRAMES));
}

/** Returns the session of the person who is signed in. */
const sessionNow = (auth: BrowserApp['auth']): string | null => {
  const { user, expired } = auth.state();
  return user && !expired ? sessionOf(user.claims) : null;
};

/** Calls back when another session begins, and when one ends. */
function onOtherSession(auth: BrowserApp['auth'], run: () => void): void {
  let session = sessionNow(auth);
  auth.subscribe(() => {
    if (sessionNow(auth) === session) return;
    session = sessionNow(auth);
    run();
  });
}

/** Calls that were interrupted for a second factor at the provider: those of pages, and those of framed ones. */
function createReturned(
  router: BrowserApp['router'],
  isFramed: (place: Place) => boolean,
): Pick<BrowserApp, 'returned' | 'returnedInFrame' | 'resume'> {
  const [returned, returnedInFrame] = [createReturnedCalls(router), createReturnedCalls(router)];
  return {
    returned,
    returnedInFrame,
    resume: () => {
      const place = router.place();
      const interrupted = takeReturnedCall(hrefOf(place));
      (isFramed(place) ? returnedInFrame : returned).set(interrupted);
    },
  };
}

/**
 * Creates the parts of an application that signs in itself and owns the address bar: the portal and the desk. The framed application gets all of this
 * from the portal (embedded-app.tsx).
 */
export function createBrowserApp(environment: Environment, options: BrowserAppOptions): BrowserApp {
  const { arrive, isFramed = () => false, reportDefect = () => undefined, reportErrors } = options;
  const auth = createAuth(environment, {
    onError: reportDefect,
    answers: { dropKept: dropKeptAnswers, dropAhead: dropReadsAhead },
    forgetPerson,
  });
  const errors = createErrorList(() => window.scrollTo({ top: 0, behavior: 'smooth' }));
  const toasts = createToasts();
  const answers = createAnswers();

  const notify: BrowserApp['notify'] = ({ kind, text, link }) =>
    toasts.show({ ...(kind && { kind }), text, ...(link && { action: createElement(AppLink, { href: link.href }, link.label) }) });

  /** Leads to the provider for a second factor. */
  const leave = (challenge: Challenge, stopped: StoppedCall, isForeign?: boolean): Promise<void> =>
    withRetries(() => import('../step-up/lead-away.ts'))()
      .then(({ leadAway }) => leadAway({ environment, auth, answers, router, call }, challenge, stopped, isForeign))
      .catch(reportDefect);

  const confirmations = createHeldConfirmations();
  const release = createWatched(environment.errorReporting.release);
  const stepUps = createWatched<StepUps | null>(null);
  /** The question loads with the first change that needs it. */
  const ask: BrowserApp['stepUp'] = async (challenge, stopped, isForeign) => {
    const [address, asking] = [hrefOf(router.place()), sessionNow(auth)];
    const { createStepUps } = await withRetries(() => import('../step-up/step-ups.ts'))();
    // Meanwhile the person may have gone on, or another one come.
    if (hrefOf(router.place()) !== address || sessionNow(auth) !== asking) return null;
    if (!stepUps.get()) stepUps.set(createStepUps({ router, confirmations, leadAway: leave }));
    return stepUps.get()!.ask(challenge, stopped, isForeign);
  };
  const stepUp: BrowserApp['stepUp'] = async (challenge, stopped, isForeign) => {
    if (stopped.sentWith !== undefined) confirmations.drop(stopped.sentWith);
    if (stopped.endpoint.method !== 'GET')
      return ask(challenge, stopped, isForeign).catch(() => {
        notify({ kind: 'error', text: 'This couldn’t be loaded. Check your connection and try again.' });
        return null;
      });
    await leave(challenge, stopped, isForeign);
    return null;
  };
  /** A question belongs to the page whose person pressed: a change of a page that was left is not asked about on the next one. */
  const stepUpHere: NonNullable<ClientOptions['stepUp']> = async (challenge, stopped) => {
    if (stopped.endpoint.method !== 'GET' && stopped.from !== hrefOf(router.place())) {
      notify(leftBefore);
      return false;
    }
    return (await stepUp(challenge, stopped)) !== null;
  };

  const call = createClient({
    baseUrl: '',
    token: () => copiedToken(),
    async fetch(url, init) {
      const answer = await (options.fetch ?? fetch)(url, init);
      const said = answer.headers.get(releaseHeader);
      if (said && said !== release.get()) release.set(said);
      return answer;
    },
    ...(options.answered && { answered: options.answered }),
    ...(reportErrors && { report: reportErrors }),
    pause: retryPause(() => toasts.show({ kind: 'info', text: retryNotice })),
    ...unsettledChanges(notify),
    renew: auth.renew,
    signOut: options.refuseSession ?? (() => void auth.signOut()),
    stepUp: stepUpHere,
    place: () => hrefOf(router.place()),
    confirmationOf: (endpoint, input) => confirmations.of(endpoint, input)?.confirmation,
  });

  const router = createRouterTo(arrive);

  // Of one session: the next one, or the next person, confirms again.
  onOtherSession(auth, () => {
    confirmations.end();
    stepUps.get()?.cancel();
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
      document.title = `${title} · ${environment.portalName}`;
    },
    preferencesOf: createPersonPreferences(call),
    stepUp,
    stepUps,
    confirmations,
    release,
    ...createReturned(router, isFramed),
  };
}
