import {
  frameAddress,
  type FrameMessage,
  PageSkeleton,
  scrollToPoint,
  topBarHeight,
  useMaybeSession,
  usePageTitle,
  usePreferences,
} from '@portal/app-kit';
import type { SitePage } from '@portal/contract/pages';
import { type RefObject, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Portal } from '../portal.ts';
import { useFrameElement, useSilence } from './frame-element.ts';
import styles from './FrameHost.module.css';
import { around, type Hole, holeOf, useWindowLook } from './frame-hole.ts';
import { type FrameLine, useFrameLine, useFrameMessages } from './frame-line.ts';
import { onPortalMessage } from './portal-messages.ts';
import { WaitingPage } from './Waiting.tsx';

type Shown = { page: SitePage; href: string };

/**
 * The resource manager in its frame. There is one frame for as long as the portal is open: the next framed page is shown in it by
 * message, other pages only hide it. It is as high as its content and speaks the protocol of the app kit. A page of RESOURCE_MANAGER_URL that doesn't
 * speak this protocol is as high as the window and is reloaded for each address.
 */
export function FrameHost({ portal, shown }: { portal: Portal; shown: Shown | null }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const base = portal.environment.resourceManagerUrl;
  const origin = new URL(base || '/', window.location.href).origin;
  const isForeign = origin !== window.location.origin;
  const { user } = useSyncExternalStore(portal.auth.subscribe, portal.auth.state);
  const [first] = useState(() => frameAddress(shown?.href ?? portal.intended.get() ?? '/', base));
  const [ready, setReady] = useState(false);
  const [height, setHeight] = useState(0);
  /** The frame shows the head of its page, while the rest is loading. */
  const [showsHead, setShowsHead] = useState(false);
  const reported = useRef(0);
  const [hole, setHole] = useState<Hole | null>(null);
  const { silent, hear, waitForWord } = useSilence(base !== '');
  const [{ theme = 'system' }] = usePreferences();
  const session = useMaybeSession();
  const line = useFrameLine({ portal, frame, origin, isForeign, session, theme, href: shown?.href ?? null });
  const sendViewport = () => {
    line.sendViewport();
    setHole(before => before && holeOf(frame.current));
  };
  const receive = (message: FrameMessage) => {
    switch (message.type) {
      case 'ready':
        hear();
        setHole(null);
        setReady(true);
        line.sendSession();
        line.sendPlace();
        sendViewport();
        break;
      case 'whole':
        portal.frameWhole.set(true);
        setShowsHead(false);
        setHeight(reported.current);
        break;
      case 'height':
        reported.current = message.height;
        // Below its head the page is still loading.
        setHeight(before => (showsHead ? Math.max(before, message.height) : message.height));
        break;
      case 'scroll':
        if (frame.current) scrollToPoint(frame.current.getBoundingClientRect().top + window.scrollY + message.top, topBarHeight);
        break;
      case 'dims':
        setHole(message.dims ? holeOf(frame.current) : null);
        break;
      default:
        onPortalMessage({ portal, session, line, isForeign, isShown: shown !== null }, message);
    }
  };
  const painted = silent || ((ready || showsHead) && height > 0);
  useFrameElement({
    stage,
    look: { title: shown?.page.title ?? 'Resource manager', painted, silent, height },
    onFrame: element => {
      frame.current = element;
    },
    base,
    first,
    onLoad: waitForWord,
    onEarly: early => {
      line.noteThere(early.href);
      setShowsHead(early.height > 0);
      setHeight(early.height);
    },
  });
  useFrameMessages({ frame, origin }, receive, () => {
    if (base === '') line.send({ type: 'ask' });
  });
  useFrameUpdates({
    frame,
    base,
    line,
    isReady: ready,
    isSilent: silent,
    session,
    theme,
    token: isForeign ? user : null,
    href: shown?.href ?? null,
  });
  useWindowLook(sendViewport);
  usePortalNews({ portal, frame, base, line, isReady: ready, shown, onReload: () => setReady(false) });
  // Like every page it waits for the session and the banners above it, so that nothing that was drawn is pushed down.
  const waits = session === null && !showsHead;
  return (
    <>
      {shown && <FrameTitle title={shown.page.title} />}
      {shown && waits && <WaitingPage title={shown.page.title} />}
      <div hidden={!shown || waits}>
        <div ref={stage} className={styles.stage} data-drawing={painted ? undefined : ''} />
        {shown && !painted && <PageSkeleton title={shown.page.title} />}
        {shown && hole && <div className={styles.dim} style={{ clipPath: around(hole) }} />}
      </div>
    </>
  );
}

type Updates = {
  frame: RefObject<HTMLIFrameElement | null>;
  base: string;
  line: FrameLine;
  isReady: boolean;
  isSilent: boolean;
  session: unknown;
  theme: string;
  /** Changes with each new token. */
  token: unknown;
  href: string | null;
};

/** Tells the framed page of a new session and of the page to show; one that says nothing in this protocol is loaded at its address. */
function useFrameUpdates({ frame, base, line, isReady, isSilent, session, theme, token, href }: Updates): void {
  const update = useEffectEvent((what: 'session' | 'place') => (what === 'session' ? line.sendSession() : line.sendPlace()));
  const loadPlace = useEffectEvent(() => {
    if (href === null || line.isThere(href)) return;
    line.noteThere(href);
    // The portal owns the history: the frame must not add an entry.
    frame.current?.contentWindow?.location.replace(frameAddress(href, base));
  });
  useEffect(() => {
    if (isReady) update('session');
    // A new token comes with a new user.
  }, [isReady, session, theme, token]);
  useEffect(() => {
    if (isReady) update('place');
    else if (isSilent) loadPlace();
  }, [isReady, isSilent, href]);
}

type News = {
  portal: Portal;
  frame: RefObject<HTMLIFrameElement | null>;
  base: string;
  line: FrameLine;
  isReady: boolean;
  shown: Shown | null;
  onReload: () => void;
};

/** Loads the framed page anew when the portal's page is, and says which page the person is about to open. */
function usePortalNews({ portal, frame, base, line, isReady, shown, onReload }: News): void {
  const intend = useEffectEvent(() => {
    const href = portal.intended.get();
    if (isReady && href) line.send({ type: 'ahead', href });
  });
  const reload = useEffectEvent(() => {
    if (!shown) return;
    onReload();
    // A foreign page's location can be replaced, not reloaded.
    if (base === '') frame.current?.contentWindow?.location.reload();
    else frame.current?.contentWindow?.location.replace(frameAddress(shown.href, base));
  });
  useEffect(() => portal.reloads.subscribe(() => reload()), [portal]);
  useEffect(() => portal.intended.subscribe(() => intend()), [portal]);
  const forget = useEffectEvent(() => {
    if (isReady && portal.confirmations.get().length === 0) line.send({ type: 'confirmations-ended' });
  });
  useEffect(() => portal.confirmations.subscribe(() => forget()), [portal]);
}

/** The site map's title is shown until the framed page sends its own. */
function FrameTitle({ title }: { title: string }) {
  usePageTitle(title);
  return null;
}
