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

/** Time, in ms, in which the last page leaves the screen, on slow machines too. */
const LEAVING_MS = 5_000;

/** A page that was opened by a link inside the frame has the focus at its heading when that link is gone with the last page. */
export function watchPage(router: ReturnType<typeof createEmbeddedRouter>, load: (path: string) => Promise<void>): void {
  let { path } = router.place();
  const focusOnceGone = (opened: string, link: Element | null, until: number): void => {
    const now = document.activeElement;
    if (router.place().path !== opened || performance.now() > until) return;
    if (document.hasFocus() && now === document.body) focusHeading();
    else if (now === link) requestAnimationFrame(() => focusOnceGone(opened, link, until));
  };
  router.subscribe(() => {
    const opened = router.place().path;
    if (opened === path) return;
    path = opened;
    const link = document.activeElement;
    void load(path).then(() => requestAnimationFrame(() => focusOnceGone(opened, link, performance.now() + LEAVING_MS)));
  });
}

export function focusHeading(): void {
  const heading = document.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
