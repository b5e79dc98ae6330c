import { createClient } from '@portal/api-client';
import { findPage, type PageName, type PageOf, pages, type SitePage } from '@portal/contract/pages';
import { onPaletteKey } from '../place/shortcut.ts';
import { withRetries } from '@portal/ui/code/with-retries';
import { watchDimming } from '@portal/ui/overlay/dimming';
import { startTransition, useEffect, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { copiedToken, signedInHere } from '../auth/stored-user.ts';
import { environmentInPage } from '../session/environment.ts';
import { createAnswers } from '../calls/answer.ts';
import { fetchOrTake, firstReadsOf, requestReads, takeReadAhead } from '../calls/reads-ahead.ts';
import { createReturnedCalls } from '../calls/returned-calls.ts';
import { keepAnswers, showsOnlyKept } from '../calls/kept-answers.ts';
import { whenComplete } from '../calls/whole.ts';
import { loadAhead, watchIntent } from '../place/ahead.ts';
import { anySecondFactor } from '../auth/any-second-factor.ts';
import { retryPause, retryNotice } from '../calls/retry-pause.ts';
import { unsettledChanges } from '../calls/unsettled.ts';
import { newTraceId } from '@portal/contract/trace';
import { createHeldConfirmations } from '../step-up/held-confirmations.ts';
import { createEmbeddedRouter } from './embedded-router.ts';
import { framedPath, framedSearch } from '../frame/early-frame.ts';
import { type FrameMessage, postMessage, readShellMessage, shellOrigin, type ShellMessage } from '../frame/frame-protocol.ts';
import type { Kit } from '../page/kit.ts';
import type { keepPicture as KeepPicture } from '../screen/last-picture.ts';
import { KitProvider } from '../page/KitProvider.tsx';
import { Page, PageFrame } from '../page/Page.tsx';
import { createPageViews, type ViewLoader } from '../page/page-views.ts';
import { refusedBy } from '../page/refusal.ts';
import { dropPicture, endPicture } from '../screen/shown-picture.ts';
import { createPersonPreferences } from '../settings/person-preferences.ts';
import { hasHighLatency, savesData } from '../place/connection.ts';
import { showTypeface } from '../place/typeface.ts';
import { elementOf } from '../place/scroll.ts';
import { showTheme } from '../settings/theme.ts';

/** A view for every page of the resource manager; a missing one does not compile. Each is loaded when it is first shown. */
export type Views = Record<PageOf<'resource-manager'>, ViewLoader>;

type SessionMessage = Extract<ShellMessage, { type: 'session' }>;

/** Starts the framed application inside the shell. If opened directly, it leads to the shell's page of the same name. */
export function startEmbeddedApp(loaders: Views): void {
  const shell = window.parent;
  const portal = shellOrigin(environmentInPage(), window.location.origin);
  if (shell === window) {
    const { pathname, search, hash } = window.location;
    window.location.replace((portal === window.location.origin ? '' : portal) + framedPath(pathname) + framedSearch(search) + hash);
    return;
  }
  const send = (message: FrameMessage) => postMessage(shell, portal, message);
  let session: SessionMessage | null = null;
  const watchers = new Set<() => void>();
  const router = createEmbeddedRouter(() => session?.environment.product ?? '', send);

  /** Reads of this document so far. */
  const readHere = new Set<string>();
  let requests = 0;
  const stepsUp = new Map<string, (confirmed: boolean) => void>();
  const confirmations = createHeldConfirmations();
  const renewals = new Map<number, (renewed: boolean) => void>();
  const call = createClient({
    baseUrl: '',
    token: () => session?.token ?? copiedToken(),
    fetch: (url, init) => {
      if (init.method === 'GET') readHere.add(url);
      return fetchOrTake(url, init);
    },
    answered(url, authorization) {
      const ahead = takeReadAhead(url, authorization);
      if (ahead) readHere.add(url);
      return ahead;
    },
    report: (errors, refused) => send({ type: 'report', errors, call: refused }),
    pause: retryPause(() => send({ type: 'notice', notice: { kind: 'info', text: retryNotice } })),
    ...unsettledChanges(notice => send({ type: 'notice', notice })),
    renew: () =>
      new Promise(resolve => {
        requests += 1;
        renewals.set(requests, resolve);
        send({ type: 'renew', request: requests });
      }),
    signOut: () => send({ type: 'sign-out' }),
    // The shell asks the person over the whole window. Its answer is for this document only: a later one has other requests.
    stepUp: (challenge, interrupted) =>
      new Promise(resolve => {
        const request = newTraceId();
        stepsUp.set(request, resolve);
        send({ type: 'step-up', request, challenge, call: interrupted });
      }),
    confirmationOf: endpoint => confirmations.of(endpoint)?.confirmation,
  });

  const returned = createReturnedCalls(router, () => send({ type: 'returned-ended' }));
  let lastReturned: string | undefined;
  const preferencesOf = createPersonPreferences(call);
  let kit: Kit | null = null;
  const receive = (message: SessionMessage) => {
    const { person, environment } = message;
    const samePerson = session?.person.userId === person.userId;
    if (!samePerson) confirmations.end();
    session = message;
    showTheme(message.theme);
    if (!kit || !samePerson) {
      if (!person.staff) kept?.restore(person.userId, message.account?.accountName ?? null);
      kit = {
        call,
        router,
        environment,
        preferences: preferencesOf(person),
        setTitle(title) {
          document.title = title;
          send({ type: 'title', title });
        },
        showErrors: errors => send({ type: 'errors', errors }),
        notify: notice => send({ type: 'notice', notice }),
        askForSecondFactor: () => send({ type: 'step-up', request: '', challenge: anySecondFactor[0], call: anySecondFactor[1] }),
        returned,
        question: null,
      };
    }
    // Repeated with every session until the person decides.
    if (message.returned && message.returned.redirect !== lastReturned) {
      lastReturned = message.returned.redirect;
      returned.set(message.returned);
    }
    for (const watcher of watchers) watcher();
    show();
  };

  window.addEventListener('message', event => {
    const message = readShellMessage(event, shell, portal);
    if (!message) return;
    if (message.type === 'session') receive(message);
    else if (message.type === 'navigate') {
      readAhead(message.href);
      router.show(message.href);
    } else if (message.type === 'theme') showTheme(message.theme);
    else if (message.type === 'viewport') keepViewport(message);
    else if (message.type === 'ask') send({ type: 'ready' });
    else if (message.type === 'ahead') {
      void loadView(message.href.replace(/[?#].*$/s, ''));
      if (hasHighLatency()) readAhead(message.href);
    } else if (message.type === 'focus') focusHeading();
    else if (message.type === 'confirmations-ended') confirmations.end();
    else if (message.type === 'stepped-up') {
      if (message.confirmation) confirmations.hold(message.confirmation);
      stepsUp.get(message.request)?.(message.confirmation !== null);
      stepsUp.delete(message.request);
    } else {
      renewals.get(message.request)?.(message.renewed);
      renewals.delete(message.request);
    }
  });
  watchHash(router, send);
  watchPage(router, path => loadView(path));
  watchInput(send);
  watchDimming(dims => send({ type: 'dims', dims }));

  const answers = createAnswers();
  // A page of another origin stores nothing, because it isn't told of a sign-out.
  const kept = portal === window.location.origin ? keepAnswers(answers, 'frame') : null;
  const keep = (): void => {
    if (!kept || !session || session.person.staff) return;
    kept.keep(session.person.userId, session.account?.accountName ?? null);
    const { path, search } = router.place();
    // By the token, which is all that the next load has when it begins.
    const here = signedInHere(session.environment);
    if (here && showsOnlyKept(answers)) keepPicture('frame', path + search, here.userId);
    else dropPicture('frame');
  };
  let keepPicture: typeof KeepPicture = () => undefined;
  window.addEventListener('pagehide', keep);
  const views = createPageViews(loaders);
  const loadView = (path: string): Promise<void> => views.load(findPage(path, session?.environment.product ?? '').name);
  const tokenNow = (): string | null => session?.token ?? copiedToken();
  /** Returns the first reads of a page that was not read yet; none of a page that is refused to the person. */
  const unreadOf = (name: PageName): string[] => {
    const account = session?.account?.accountName;
    if (account === undefined || refusedBy(pages[name], session)) return [];
    return firstReadsOf(name, account).filter(path => !readHere.has(path));
  };
  /** Requests the first reads of a page that is about to be shown, before its code has arrived. */
  const readAhead = (href: string): void => {
    const token = tokenNow();
    if (token && !savesData()) requestReads(unreadOf(findPage(href, session?.environment.product ?? '').name), token);
  };
  /** Requests, in one call, the first reads of the neighbouring pages in the navigation: one of them is usually opened next. */
  const readBeside = async (): Promise<void> => {
    const token = tokenNow();
    const { page } = findPage(router.place().path, session?.environment.product ?? '');
    const beside = (Object.keys(loaders) as PageOf<'resource-manager'>[]).filter(name => standsBeside(pages[name], page));
    if (token) requestReads(beside.flatMap(unreadOf), token, true);
  };
  // Load the view while the shell is still being asked who is signed in.
  const firstView = loadView(router.place().path);
  watchIntent(link => void loadView(link.pathname));

  const subscribe = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  const drawn = Promise.withResolvers<void>();
  /** In parallel with what it waits for. */
  function Drawn() {
    useEffect(() => {
      endPicture();
      drawn.resolve();
    }, []);
    return null;
  }
  function EmbeddedApp() {
    const current = useSyncExternalStore(subscribe, () => session);
    const place = useSyncExternalStore(router.subscribe, router.place);
    if (!current || !kit) return null;
    const { name, page } = findPage(place.path, current.environment.product);
    const view = views.elementOf(name);
    return (
      <KitProvider
        kit={kit}
        answers={answers}
        session={{ ...current, selectAccount: accountName => send({ type: 'select-account', accountName }) }}
      >
        <PageFrame page={page} key={`${name} ${current.account?.accountName}`}>
          <Drawn />
          {view ?? <Page title={pages.notFound.title} />}
        </PageFrame>
        {refusedBy(page, current) && <Drawn />}
      </KitProvider>
    );
  }
  let shown = false;
  /** Replaces the page's head in the HTML once the person is known and the code of the page has arrived. */
  function show(): void {
    if (shown) return;
    shown = true;
    void firstView.then(() => {
      const root = createRoot(document.getElementById('root')!);
      // In parts, between which the browser scrolls and answers.
      startTransition(() => root.render(<EmbeddedApp />));
      // The head in the HTML is not a page yet: banners may still appear above it.
      watchHeight(send);
    });
  }
  send({ type: 'ready' });
  void whenComplete(answers, wholeMs, drawn.promise).then(() => {
    send({ type: 'whole' });
    showTypeface();
    if (kept)
      void pictures().then(
        come => (keepPicture = come.keepPicture),
        () => undefined,
      );
    return loadAhead([readBeside, ...likelyNext(findPage(router.place().path, '').page, loaders)]);
  });
}

/** Needed when the page is left, and not before. */
const pictures = withRetries(() => import('../screen/last-picture.ts'));

/** How long the first page may take until the shell no longer waits for it. */
const wholeMs = 15_000;

/** Returns whether two pages are in the same part of the navigation. */
const standsBeside = (one: SitePage, other: SitePage): boolean => one.nav !== undefined && one.nav[1] === other.nav?.[1];

/** The other pages' loaders: neighbours in the navigation first, pages that aren't in it last. */
function likelyNext(page: SitePage, loaders: Views): (() => Promise<unknown>)[] {
  const distance = (name: string): number => {
    const other: SitePage = pages[name as PageName];
    return other.nav === undefined ? 2 : standsBeside(other, page) ? 0 : 1;
  };
  return Object.entries(loaders)
    .toSorted(([one], [other]) => distance(one) - distance(other))
    .map(([, load]) => load);
}

/** The frame is as high as what it shows, so that there is no second scroll bar. */
function watchHeight(send: (message: FrameMessage) => void): void {
  const root = document.getElementById('root')!;
  let last = 0;
  const measure = () => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    send({ type: 'height', height });
  };
  new ResizeObserver(measure).observe(root);
}

/** A hash names an element of the framed page; the shell scrolls to it once it is there. */
function watchHash(router: ReturnType<typeof createEmbeddedRouter>, send: (message: FrameMessage) => void): void {
  let hash = '';
  const follow = (until: number) => {
    const element = elementOf(hash);
    if (element) {
      send({ type: 'scroll', top: element.getBoundingClientRect().top + window.scrollY });
      hash = '';
    } else if (hash && performance.now() < until) requestAnimationFrame(() => follow(until));
  };
  const start = () => {
    if (router.place().hash === hash) return;
    hash = router.place().hash;
    if (hash.length > 1) follow(performance.now() + 2000);
  };
  router.subscribe(start);
  start();
}

/** The shell's shortcuts work in the frame as well, and activity here keeps the session awake. */
function watchInput(send: (message: FrameMessage) => void): void {
  onPaletteKey(() => send({ type: 'palette' }));
  let reportedAt = 0;
  const active = () => {
    if (Date.now() - reportedAt < 10_000) return;
    reportedAt = Date.now();
    send({ type: 'activity' });
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const) window.addEventListener(kind, active, { passive: true });
}

function keepViewport({ top, height }: { top: number; height: number }): void {
  const { style } = document.documentElement;
  style.setProperty('--view-top', `${top}px`);
  style.setProperty('--view-height', `${height}px`);
}

/** A page that was opened by a link inside the frame has the focus at its heading when that link is gone with the last page. */
function watchPage(router: ReturnType<typeof createEmbeddedRouter>, load: (path: string) => Promise<void>): void {
  let { path } = router.place();
  const focus = (): void => {
    if (document.hasFocus() && document.activeElement === document.body) focusHeading();
  };
  router.subscribe(() => {
    const opened = router.place().path;
    if (opened === path) return;
    path = opened;
    void load(path).then(() => requestAnimationFrame(focus));
  });
}

function focusHeading(): void {
  const heading = document.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
