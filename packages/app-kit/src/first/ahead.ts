import { isSlowConnection, savesData } from './connection.ts';

/** Runs when the browser has nothing else to do. Safari has no idle callbacks. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2000 });
  else setTimeout(run, 200);
}

/** How many are loaded concurrently: most connections stay free for what the person opens. */
const atOnce = 2;

/** Preloads what may be needed next, the likeliest first, two at a time and only while the browser is idle, the page is visible and the connection is good. */
export async function loadAhead(loaders: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = [...loaders];
  const work = async (): Promise<void> => {
    for (let load = waiting.shift(); load; load = waiting.shift()) {
      await new Promise<void>(resolve => whenIdle(resolve));
      if (isSlowConnection() || document.hidden) return;
      await load().catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** A pointer that rests on a link for this long is probably about to click it. */
const restMs = 65;

/** Reports links of this origin that the person is about to follow: the pointer rests on one, presses one, or the focus has come to it. */
export function watchIntent(intended: (link: URL) => void, root: Document = document): void {
  let rest: ReturnType<typeof setTimeout> | undefined;
  let last = '';
  const report = (target: EventTarget | null): void => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link?.href || link.href === last || link.origin !== window.location.origin) return;
    last = link.href;
    intended(new URL(link.href));
  };
  root.addEventListener(
    'pointerover',
    ({ target, pointerType }) => {
      clearTimeout(rest);
      if (pointerType === 'mouse' && !savesData()) rest = setTimeout(() => report(target), restMs);
    },
    { passive: true },
  );
  root.addEventListener('pointerdown', ({ target }) => report(target), { passive: true });
  root.addEventListener('focusin', ({ target }) => {
    if (!savesData()) report(target);
  });
}
