import { onPaletteKey } from '../place/shortcut.ts';
import { elementOf } from '../place/scroll.ts';
import type { FrameMessage } from '../frame/frame-protocol.ts';
import type { createEmbeddedRouter } from './embedded-router.ts';

/** The frame is as high as what it shows, so that there is no second scroll bar. */
export function watchHeight(send: (message: FrameMessage) => void): void {
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
export function watchHash(router: ReturnType<typeof createEmbeddedRouter>, send: (message: FrameMessage) => void): void {
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
export function watchInput(send: (message: FrameMessage) => void): void {
  onPaletteKey(() => send({ type: 'palette' }));
  let reportedAt = 0;
  const active = () => {
    if (Date.now() - reportedAt < 10_000) return;
    reportedAt = Date.now();
    send({ type: 'activity' });
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const) window.addEventListener(kind, active, { passive: true });
}

export function keepViewport({ top, height }: { top: number; height: number }): void {
  const { style } = document.documentElement;
  style.setProperty('--view-top', `${top}px`);
  style.setProperty('--view-height', `${height}px`);
}

/** Time, in ms, in which a page replaces the last one and its own placeholders, on slow machines too. */
const ARRIVAL_MS = 10_000;

/**
 * A page that was opened by a link inside the frame has the focus at its heading when that link is gone with the last page, and again when its heading is drawn anew with what it
 * reads. Where the person puts the focus meanwhile, it stays.
 */
export function watchPage(router: ReturnType<typeof createEmbeddedRouter>, load: (path: string) => Promise<void>): void {
  let { path } = router.place();
  let end = (): void => undefined;
  router.subscribe(() => {
    const opened = router.place().path;
    if (opened === path) return;
    path = opened;
    end();
    const link = document.activeElement;
    void load(path).then(() => {
      if (path === opened) end = focusWhenLost(link);
    });
  });
}

/** Gives the focus to the heading whenever what had it is gone. @param link what had it first @returns a function that ends it */
function focusWhenLost(link: Element | null): () => void {
  let heading: Element | null = null;
  const look = (): void => {
    const now = document.activeElement;
    if (now === document.body) {
      if (document.hasFocus()) focusHeading();
      heading = document.activeElement;
    } else if (now !== link && now !== heading) end();
  };
  const observer = new MutationObserver(look);
  const timer = setTimeout(() => end(), ARRIVAL_MS);
  const end = (): void => {
    observer.disconnect();
    clearTimeout(timer);
  };
  observer.observe(document.body, { childList: true, subtree: true });
  requestAnimationFrame(look);
  return end;
}

export function focusHeading(): void {
  const heading = document.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
