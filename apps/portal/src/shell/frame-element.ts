import { takeEarlyFrame } from '@portal/app-kit/first/early-frame';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import styles from './FrameHost.module.css';

/** How long, in ms, a page of another host may take after loading to report that it is ready. */
const silenceMs = 500;

/** Notices that a page of another host says nothing in the protocol of the frame. */
export function useSilence(isElsewhere: boolean) {
  const [silent, setSilent] = useState(false);
  /** The page in the frame has reported that it is ready, which may happen before or after the frame's load event. */
  const spoke = useRef(false);
  const silenceTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(silenceTimer.current), []);
  return {
    silent,
    hear: (): void => {
      spoke.current = true;
      clearTimeout(silenceTimer.current);
      setSilent(false);
    },
    waitForWord: (): void => {
      if (!isElsewhere) return;
      clearTimeout(silenceTimer.current);
      if (!spoke.current) silenceTimer.current = setTimeout(() => setSilent(true), silenceMs);
      // The next loaded page has to report it itself.
      spoke.current = false;
    },
  };
}

/** Puts the frame on its stage: the one that the first HTML began, or a new one at its first address. */
export function useFrameElement({
  stage,
  look: { title, painted, silent, height },
  onFrame,
  base,
  first,
  onLoad,
  onEarly,
}: {
  stage: RefObject<HTMLDivElement | null>;
  /** Address of a resource manager elsewhere; empty for the own one. */
  base: string;
  first: string;
  look: { title: string; painted: boolean; silent: boolean; height: number };
  /** Gets the element before it loads. */
  onFrame: (frame: HTMLIFrameElement) => void;
  onLoad: () => void;
  onEarly: (early: { href: string; height: number }) => void;
}): void {
  const own = useRef<HTMLIFrameElement>(null);
  const made = useEffectEvent(onFrame);
  const loaded = useEffectEvent(onLoad);
  const begunEarly = useEffectEvent(onEarly);
  useLayoutEffect(() => {
    const early = base === '' ? takeEarlyFrame(stage.current!) : null;
    const element = early?.frame ?? document.createElement('iframe');
    own.current = element;
    made(element);
    element.className = styles.frame ?? '';
    element.addEventListener('load', () => loaded());
    if (early) begunEarly(early);
    else {
      element.src = first;
      stage.current!.append(element);
    }
    return () => element.remove();
  }, [base, first, stage]);
  useLayoutEffect(() => {
    const element = own.current!;
    element.title = title;
    element.toggleAttribute('data-painted', painted);
    element.toggleAttribute('data-silent', silent);
    // Not drawn to its end, nothing in it takes the focus or is read out.
    element.inert = !painted;
    element.style.height = silent || !painted ? '' : `${height}px`;
  }, [title, painted, silent, height]);
}
