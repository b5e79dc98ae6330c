import {
  frameAddress,
  type FrameMessage,
  hrefOf,
  PageSkeleton,
  placeOf,
  postMessage,
  readFrameMessage,
  scrollToPoint,
  type ShellMessage,
  topBarHeight,
  useMaybeSession,
  usePreferences,
  usePageTitle,
} from '@portal/app-kit';
import type { SitePage } from '@portal/contract/pages';
import { copiedToken } from '@portal/app-kit/auth/stored-user';
import { takeEarlyFrame } from '@portal/app-kit/frame/early-frame';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Portal } from '../portal.ts';
import styles from './FrameHost.module.css';
import { WaitingPage } from './Waiting.tsx';

/** How long, in ms, a page of another host may take after loading to say that it is ready. */
const silenceMs = 500;

type Shown = { page: SitePage; href: string };

/**
 * The resource manager in its frame. There is one frame for as long as the portal is open: the next framed page is shown in it by
 * message, other pages only hide it. It is as high as its content and speaks the protocol of the app kit. A page of RESOURCE_MANAGER_URL that
 * says nothing in this protocol is as high as the window and is loaded anew for each address.
 */
export function FrameHost({ portal, shown }: { portal: Portal; shown: Shown | null }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const base = portal.environment.resourceManagerUrl;
  const origin = new URL(base || '/', window.location.href).origin;
  const isForeign = origin !== window.location.origin;
  const { user } = useSyncExternalStore(portal.auth.subscribe, portal.auth.state);
  const tokenOf = isForeign ? user : null;
  const [first] = useState(() => frameAddress(shown?.href ?? portal.intended.get() ?? '/', base));
  /** A second factor that a page asked for before it was shown. */
  const heldAsk = useRef<(() => void) | null>(null);
  /** The address the frame shows, as far as known. */
  const there = useRef(shown?.href ?? portal.intended.get() ?? '');
  const [ready, setReady] = useState(false);
  const [height, setHeight] = useState(0);
  /** The frame shows the head of its page, while the rest is on its way. */
  const [showsHead, setShowsHead] = useState(false);
  const reported = useRef(0);
  const [silent, setSilent] = useState(false);
  /** The frame’s place in the window while a dialog of it is open: the rest is dimmed here. */
  const [hole, setHole] = useState<Hole | null>(null);
  /** The page in the frame has said that it is ready, which may happen before or after the frame's load event. */
  const spoke = useRef(false);
  const silenceTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [{ theme = 'system' }] = usePreferences();
  const session = useMaybeSession();

  const send = (message: ShellMessage) => {
    const receiver = frame.current?.contentWindow;
    if (receiver) postMessage(receiver, origin, message);
  };
  const sendSession = () => {
    if (!session) return;
    const { person, accounts, closedAccounts, account, environment } = session;
    const token = isForeign ? copiedToken() : null;
    const returned = portal.returnedInFrame.get();
    const more = { ...(token && { token }), ...(returned && { returned }) };
    send({ type: 'session', person, accounts, closedAccounts, account, environment, theme, ...more });
  };
  const sendPlace = () => {
    const ask = shown ? heldAsk.current : null;
    if (shown) heldAsk.current = null;
    if (shown?.href === there.current) ask?.();
    if (!shown || shown.href === there.current) return;
    there.current = shown.href;
    send({ type: 'navigate', href: shown.href });
    send({ type: 'focus' });
  };
  const sendViewport = () => {
    const top = frame.current?.getBoundingClientRect().top ?? 0;
    const covered = Math.max(0, topBarHeight - top);
    send({ type: 'viewport', top: covered, height: window.innerHeight - Math.max(top, topBarHeight) });
    setHole(before => before && holeOf(frame.current));
  };

  const receive = useEffectEvent((message: FrameMessage) => {
    switch (message.type) {
      case 'ready':
        spoke.current = true;
        clearTimeout(silenceTimer.current);
        setSilent(false);
        setHole(null);
        setReady(true);
        sendSession();
        sendPlace();
        sendViewport();
        break;
      case 'whole':
        portal.frameWhole.set(true);
        setShowsHead(false);
        setHeight(reported.current);
        break;
      case 'location':
        there.current = message.href;
        if (shown) portal.router.go(message.href, { replace: message.replace });
        break;
      case 'navigate':
        if (hrefOf(placeOf(message.href, portal.router.place())) === hrefOf(portal.router.place())) portal.router.reload();
        else portal.router.go(message.href);
        break;
      case 'reload':
        portal.router.reload();
        break;
      case 'title':
        if (shown) portal.setTitle(message.title);
        break;
      case 'height':
        reported.current = message.height;
        // Below its head the page is still being put together.
        setHeight(before => (showsHead ? Math.max(before, message.height) : message.height));
        break;
      case 'scroll':
        if (frame.current) scrollToPoint(frame.current.getBoundingClientRect().top + window.scrollY + message.top, topBarHeight);
        break;
      case 'errors':
        portal.errors.show(message.errors);
        break;
      case 'report':
        portal.reporting.reportErrors(message.errors, message.call);
        break;
      case 'notice':
        portal.notify(message.notice);
        break;
      case 'palette':
        portal.palette.set(true);
        break;
      case 'dims':
        setHole(message.dims ? holeOf(frame.current) : null);
        break;
      case 'select-account':
        session?.selectAccount(message.accountName);
        break;
      case 'activity':
        portal.auth.noteInput();
        break;
      case 'renew':
        void portal.auth.renew().then(renewed => {
          // The new token first: the call that asked for it is repeated immediately.
          if (isForeign) sendSession();
          send({ type: 'renewed', request: message.request, renewed });
        });
        break;
      case 'step-up': {
        const ask = () => void portal.stepUp(message.challenge, message.call).then(() => send({ type: 'step-up-ended' }));
        // A page that is only being prepared must not lead away from the one that is shown: it asks when it is opened.
        if (shown) ask();
        else heldAsk.current = ask;
        break;
      }
      case 'returned-ended':
        portal.returnedInFrame.set(null);
        break;
      case 'sign-out':
        void portal.auth.signOut();
        break;
    }
  });
  const sendUpdate = useEffectEvent((what: 'session' | 'place') => (what === 'session' ? sendSession() : sendPlace()));
  const looked = useEffectEvent(sendViewport);
  const ask = useEffectEvent(() => send({ type: 'ask' }));
  const intend = useEffectEvent(() => {
    const href = portal.intended.get();
    if (ready && href) send({ type: 'ahead', href });
  });
  const reload = useEffectEvent(() => {
    if (!shown) return;
    setReady(false);
    // A foreign page's location can be replaced, not reloaded.
    if (base === '') frame.current?.contentWindow?.location.reload();
    else frame.current?.contentWindow?.location.replace(frameAddress(shown.href, base));
  });
  const waitForWord = useEffectEvent(() => {
    if (base === '') return;
    clearTimeout(silenceTimer.current);
    if (!spoke.current) silenceTimer.current = setTimeout(() => setSilent(true), silenceMs);
    // The next loaded page has to say so itself.
    spoke.current = false;
  });
  const loadPlace = useEffectEvent(() => {
    if (!shown || shown.href === there.current) return;
    there.current = shown.href;
    // The portal owns the history: the frame must not add an entry.
    frame.current?.contentWindow?.location.replace(frameAddress(shown.href, base));
  });

  useLayoutEffect(() => {
    const early = base === '' ? takeEarlyFrame(stage.current!) : null;
    const element = early?.frame ?? document.createElement('iframe');
    frame.current = element;
    element.className = styles.frame ?? '';
    element.addEventListener('load', () => waitForWord());
    if (early) {
      there.current = early.href;
      setShowsHead(early.height > 0);
      setHeight(early.height);
    } else {
      element.src = first;
      stage.current!.append(element);
    }
    return () => element.remove();
  }, [base, first]);
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const message = readFrameMessage(event, frame.current?.contentWindow, origin);
      if (message) receive(message);
    };
    window.addEventListener('message', listen);
    // The frame may have said that it is ready before anybody listened.
    if (base === '') ask();
    return () => window.removeEventListener('message', listen);
  }, [base, origin]);
  useEffect(() => {
    if (ready) sendUpdate('session');
    // A new token comes with a new user.
  }, [ready, session, theme, tokenOf]);
  useEffect(() => {
    if (ready) sendUpdate('place');
    else if (silent) loadPlace();
  }, [ready, silent, shown?.href]);
  useEffect(() => () => clearTimeout(silenceTimer.current), []);
  useEffect(() => {
    let asked = 0;
    const look = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(() => looked());
    };
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look, { passive: true });
    return () => {
      cancelAnimationFrame(asked);
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, []);
  useEffect(() => portal.reloads.subscribe(() => reload()), [portal]);
  useEffect(() => portal.intended.subscribe(() => intend()), [portal]);

  const painted = silent || ((ready || showsHead) && height > 0);
  const title = shown?.page.title ?? 'Resource manager';
  useLayoutEffect(() => {
    const element = frame.current!;
    element.title = title;
    element.toggleAttribute('data-painted', painted);
    element.toggleAttribute('data-silent', silent);
    element.style.height = silent ? '' : `${painted ? height : 0}px`;
  }, [title, painted, silent, height]);
  // Like every page it waits until it is known whose it is, and with it what stands above it: nothing that was drawn is pushed down.
  const waits = session === null && !showsHead;
  return (
    <>
      {shown && <FrameTitle title={shown.page.title} />}
      {shown && waits && <WaitingPage title={shown.page.title} />}
      <div hidden={!shown || waits}>
        {shown && !painted && <PageSkeleton title={shown.page.title} />}
        {shown && hole && <div className={styles.dim} style={{ clipPath: around(hole) }} />}
        <div ref={stage} />
      </div>
    </>
  );
}

type Hole = { left: number; top: number; right: number; bottom: number };

/** The part of the window that a frame shows below the top bar, in px. */
function holeOf(frame: HTMLIFrameElement | null): Hole | null {
  if (!frame) return null;
  const { left, top, right, bottom } = frame.getBoundingClientRect();
  return { left, top: Math.max(top, topBarHeight), right, bottom };
}

/** A shape of the whole window without the hole: out along the edge, in along the hole. */
const around = ({ left, top, right, bottom }: Hole): string =>
  `polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, ${left}px ${top}px, ${right}px ${top}px, ${right}px ${bottom}px, ${left}px ${bottom}px, ${left}px ${top}px)`;

/** The site map's title is shown until the framed page sends its own. */
function FrameTitle({ title }: { title: string }) {
  usePageTitle(title);
  return null;
}
