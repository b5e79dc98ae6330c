import { findPage, type PageName, type PageOf, pages, type SitePage } from '@portal/contract/pages';
import { watchDimming } from '@portal/ui/overlay/dimming';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { copiedToken } from '../auth/stored-user.ts';
import { createAnswers } from '../calls/answer.ts';
import { keepAnswers } from '../first/kept-answers.ts';
import { createReturnedCalls } from '../calls/returned-calls.ts';
import { whenComplete } from '../first/whole.ts';
import { type FrameMessage, postMessage, readShellMessage, shellOrigin, type ShellMessage } from '../frame/frame-protocol.ts';
import type { Kit } from '../kit/kit.ts';
import { hrefOf } from '../kit/place.ts';
import { createPageViews, type ViewLoader } from '../page/page-views.ts';
import { loadAhead, watchIntent } from '../first/ahead.ts';
import { hasHighLatency } from '../first/connection.ts';
import { framedPath, framedSearch } from '../first/early-frame.ts';
import { showTypeface } from '../first/typeface.ts';
import { createWatched } from '../place/watched.ts';
import { endPicture } from '../first/shown-picture.ts';
import { environmentInPage } from '../session/environment.ts';
import { showTheme } from '../settings/theme.ts';
import { createEmbeddedRouter } from './embedded-router.ts';
import { EmbeddedApp } from './EmbeddedApp.tsx';
import { frameKits, type SessionMessage } from './frame-kit.ts';
import { frameReads, standsBeside } from './frame-reads.ts';
import { focusHeading, keepViewport, watchHash, watchHeight, watchInput, watchPage } from './frame-watch.ts';
import { keepWhenLeft } from './kept-page.ts';
import { createShellClient } from './shell-client.ts';

/** A view for every page of the resource manager; a missing one does not compile. Each is loaded when it is first shown. */
export type Views = Record<PageOf<'resource-manager'>, ViewLoader>;

/** Starts the framed application inside the shell. If opened directly, it leads to the shell's page of the same name. */
export function startEmbeddedApp(loaders: Views): void {
  const shell = window.parent;
  const portal = shellOrigin(environmentInPage(), window.location.origin);
  if (shell === window) return leadToShell(portal);
  const send = (message: FrameMessage) => postMessage(shell, portal, message);
  const session = createWatched<SessionMessage | null>(null);
  const productNow = (): string => session.get()?.environment.product ?? '';
  const tokenNow = (): string | null => session.get()?.token ?? copiedToken();
  const router = createEmbeddedRouter(productNow, send);
  const client = createShellClient(send, tokenNow, () => hrefOf(router.place()));
  const returned = createReturnedCalls(router, () => send({ type: 'returned-ended' }));
  const answers = createAnswers();
  // A page of another origin stores nothing, because it isn't told of a sign-out.
  const kept = portal === window.location.origin ? keepAnswers(answers, 'frame') : null;
  const views = createPageViews(loaders);
  const loadView = (path: string): Promise<void> => views.load(findPage(path, productNow()).name);
  const reads = frameReads({ session: session.get, token: tokenNow, hasRead: client.hasRead });
  const kitOf = frameKits({ call: client.call, router, returned }, send);

  let lastReturned: string | undefined;
  let kit: Kit | null = null;
  const receive = (message: SessionMessage): void => {
    const { person } = message;
    const samePerson = session.get()?.person.userId === person.userId;
    if (!samePerson) client.endConfirmations();
    showTheme(message.theme);
    if (!kit || !samePerson) {
      if (!person.staff) kept?.restore(person.userId, message.account?.accountName ?? null);
      kit = kitOf(message);
    }
    // Repeated with every session until the person decides.
    if (message.returned && message.returned.redirect !== lastReturned) {
      lastReturned = message.returned.redirect;
      returned.set(message.returned);
    }
    session.set(message);
    show();
  };
  const hear = (message: ShellMessage): void => {
    if (message.type === 'session') receive(message);
    else if (message.type === 'navigate') {
      reads.ahead(message.href);
      router.show(message.href);
    } else if (message.type === 'theme') showTheme(message.theme);
    else if (message.type === 'viewport') keepViewport(message);
    else if (message.type === 'ask') send({ type: 'ready' });
    else if (message.type === 'ahead') {
      void loadView(message.href.replace(/[?#].*$/s, ''));
      if (hasHighLatency()) reads.ahead(message.href);
    } else if (message.type === 'focus') focusHeading();
    else if (message.type === 'confirmations-ended') client.endConfirmations();
    else if (message.type === 'stepped-up') client.steppedUp(message);
    else client.renewed(message);
  };
  window.addEventListener('message', event => {
    const message = readShellMessage(event, shell, portal);
    if (message) hear(message);
  });
  watchHash(router, send);
  watchPage(router, path => loadView(path));
  watchInput(send);
  watchDimming(dims => send({ type: 'dims', dims }));
  const leaving = keepWhenLeft(kept, { session, router, answers });

  // Load the view while the shell is still being asked who is signed in.
  const firstView = loadView(router.place().path);
  watchIntent(link => void loadView(link.pathname));
  const drawn = Promise.withResolvers<void>();
  const onDrawn = (): void => {
    endPicture();
    drawn.resolve();
  };
  let shown = false;
  /** Replaces the page's head in the HTML once the person is known and the code of the page has arrived. */
  function show(): void {
    if (shown) return;
    shown = true;
    void firstView.then(() => {
      const parts = { session, kit: () => kit, router, views, answers, send, onDrawn };
      const root = createRoot(document.getElementById('root')!);
      // In parts, between which the browser scrolls and answers.
      startTransition(() => root.render(<EmbeddedApp {...parts} />));
      // The head in the HTML is not a page yet: banners may still appear above it.
      watchHeight(send);
    });
  }
  send({ type: 'ready' });
  void whenComplete(answers, wholeMs, drawn.promise).then(() => {
    send({ type: 'whole' });
    showTypeface();
    leaving.loadPictures();
    const beside = () => reads.beside(router.place().path, Object.keys(loaders) as PageOf<'resource-manager'>[]);
    const next = likelyNext(findPage(router.place().path, '').page, Object.keys(loaders));
    return loadAhead([beside, ...next.map(name => () => views.load(name))]);
  });
}

/** A page that was opened directly leads to the shell's page of the same name. */
function leadToShell(portal: string): void {
  const { pathname, search, hash } = window.location;
  window.location.replace((portal === window.location.origin ? '' : portal) + framedPath(pathname) + framedSearch(search) + hash);
}

/** How long the first page may take until the shell no longer waits for it. */
const wholeMs = 15_000;

/** The other pages: neighbours in the navigation first, pages that aren't in it last. */
function likelyNext(page: SitePage, names: readonly string[]): string[] {
  const distance = (name: string): number => {
    const other: SitePage = pages[name as PageName];
    return other.nav === undefined ? 2 : standsBeside(other, page) ? 0 : 1;
  };
  return names.toSorted((one, other) => distance(one) - distance(other));
}
