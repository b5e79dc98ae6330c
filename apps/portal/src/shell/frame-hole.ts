import { topBarHeight } from '@portal/app-kit';
import { useEffect, useEffectEvent } from 'react';

/** The place of a frame in the window while a dialog of it is open: the rest is dimmed. */
export type Hole = { left: number; top: number; right: number; bottom: number };

/** Returns the part of the window that a frame shows below the top bar, in px. */
export function holeOf(frame: HTMLIFrameElement | null): Hole | null {
  if (!frame) return null;
  const { left, top, right, bottom } = frame.getBoundingClientRect();
  return { left, top: Math.max(top, topBarHeight), right, bottom };
}

/** Returns a shape of the whole window without the hole: out along the edge, in along the hole. */
export const around = ({ left, top, right, bottom }: Hole): string =>
  `polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, ${left}px ${top}px, ${right}px ${top}px, ${right}px ${bottom}px, ${left}px ${bottom}px, ${left}px ${top}px)`;

/** Calls `look` once a frame of the screen while the window scrolls or changes its size. */
export function useWindowLook(look: () => void): void {
  const looked = useEffectEvent(look);
  useEffect(() => {
    let asked = 0;
    const lookSoon = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(() => looked());
    };
    window.addEventListener('scroll', lookSoon, { passive: true });
    window.addEventListener('resize', lookSoon, { passive: true });
    return () => {
      cancelAnimationFrame(asked);
      window.removeEventListener('scroll', lookSoon);
      window.removeEventListener('resize', lookSoon);
    };
  }, []);
}
