import { type FrameMessage, postMessage, readFrameMessage, type Session, type ShellMessage, topBarHeight } from '@portal/app-kit';
import { copiedToken } from '@portal/app-kit/auth/stored-user';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Portal } from '../portal.ts';

type Line = {
  portal: Portal;
  frame: RefObject<HTMLIFrameElement | null>;
  origin: string;
  isForeign: boolean;
  session: Session | null;
  theme: Extract<ShellMessage, { type: 'session' }>['theme'];
  /** Address of the page that is shown; null while the frame is hidden. */
  href: string | null;
};

export type FrameLine = ReturnType<typeof useFrameLine>;

/** Returns what the portal says to the page in its frame: who the person is, which page to show, which part of it the window shows. */
export function useFrameLine({ portal, frame, origin, isForeign, session, theme, href }: Line) {
  /** The address the frame shows, as far as known. */
  const there = useRef(href ?? portal.intended.get() ?? '');
  /** A step-up for a read of a page that isn't shown yet. */
  const heldAsk = useRef<(() => void) | null>(null);
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
    if (href === null) return;
    const ask = heldAsk.current;
    heldAsk.current = null;
    if (href === there.current) return ask?.();
    there.current = href;
    send({ type: 'navigate', href });
    send({ type: 'focus' });
  };
  const sendViewport = () => {
    const top = frame.current?.getBoundingClientRect().top ?? 0;
    const covered = Math.max(0, topBarHeight - top);
    send({ type: 'viewport', top: covered, height: window.innerHeight - Math.max(top, topBarHeight) });
  };
  return {
    send,
    sendSession,
    sendPlace,
    sendViewport,
    isThere: (address: string): boolean => address === there.current,
    noteThere: (address: string): void => {
      there.current = address;
    },
    /** A read of a preloaded page must not lead away from the page that is shown: it asks when its page is opened. */
    askWhenShown: (ask: () => void): void => {
      if (href === null) heldAsk.current = ask;
      else ask();
    },
  };
}

/** Listens to the page in a frame. @param onListening called when it begins: the frame may have said that it is ready before anybody listened */
export function useFrameMessages(
  { frame, origin }: Pick<Line, 'frame' | 'origin'>,
  onMessage: (message: FrameMessage) => void,
  onListening: () => void,
): void {
  const receive = useEffectEvent(onMessage);
  const begin = useEffectEvent(onListening);
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const message = readFrameMessage(event, frame.current?.contentWindow, origin);
      if (message) receive(message);
    };
    window.addEventListener('message', listen);
    begin();
    return () => window.removeEventListener('message', listen);
  }, [frame, origin]);
}
