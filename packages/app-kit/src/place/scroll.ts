import { constants } from '@portal/contract/constants';

/** The page may still be loading: how long an element or a height is waited for. */
const GIVE_UP_MS = 2000;

type Wait = { done: boolean };
let waiting: Wait = { done: true };

/** Retries until it works, two seconds have passed, the person scrolls, or another scroll is requested. */
function untilDone(attempt: () => boolean, view: Window): void {
  waiting.done = true;
  const wait: Wait = { done: false };
  waiting = wait;
  const until = performance.now() + GIVE_UP_MS;
  const stop = () => {
    wait.done = true;
  };
  for (const kind of ['wheel', 'touchmove', 'keydown'] as const) view.addEventListener(kind, stop, { once: true, passive: true });
  const step = () => {
    if (wait.done || attempt() || performance.now() > until) {
      wait.done = true;
      return;
    }
    view.requestAnimationFrame(step);
  };
  step();
}

/** The element a hash names; null when there is none (yet). */
export function elementOf(hash: string, root: Document = document): HTMLElement | null {
  if (hash.length < 2) return null;
  let id = hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // a lone % is part of the name
  }
  return root.getElementById(id);
}

/** Scrolls smoothly so that the point `top` of the document is below the sticky header, with the specified offset of 10 px. */
export function scrollToPoint(top: number, covered: number, view: Window = window): void {
  view.scrollTo({ top: Math.max(0, top - covered - constants.hashScrollOffset), behavior: 'smooth' });
}

/**
 * Scrolls a page to its start (specification, section 2): to the element its hash names, smoothly and 10 px above it; otherwise to the position it was
 * left at; otherwise to the top. `covered` is the height of the sticky header.
 */
export function scrollOnArrival(hash: string, saved: number | null, covered: number, view: Window = window): void {
  if (hash.length > 1) {
    untilDone(() => {
      const element = elementOf(hash, view.document);
      if (element) scrollToPoint(element.getBoundingClientRect().top + view.scrollY, covered, view);
      return element !== null;
    }, view);
    return;
  }
  if (!saved) {
    waiting.done = true;
    view.scrollTo({ top: 0, behavior: 'instant' });
    return;
  }
  untilDone(() => {
    view.scrollTo({ top: saved, behavior: 'instant' });
    return Math.abs(view.scrollY - saved) < 2;
  }, view);
}
