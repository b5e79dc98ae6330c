import { hasHighLatency } from '../place/connection.ts';

/** The frame that is on its way before the portal's own code: made by the first script, taken over by the portal. */
const id = 'early-frame';

/** The event of a frame's element whose document has drawn its page's head. */
const frameDrawnEvent = 'frame-drawn';

/** Says to the page around this document, once that is drawn, that there is something to see. */
export function markFrameDrawn(): void {
  const say = (): void => void requestAnimationFrame(() => window.frameElement?.dispatchEvent(new Event(frameDrawnEvent)));
  // Read to its end; its own code, for which DOMContentLoaded waits, may still be on its way.
  if (document.readyState === 'loading') document.addEventListener('readystatechange', say, { once: true });
  else say();
}

/** Shows a frame on top of the page that is still on its way, where the page will have it. */
function showInPlace(frame: HTMLIFrameElement): void {
  const place = document.querySelector<HTMLElement>('main > [aria-busy]');
  // The portal has it already.
  if (frame.id !== id || !place) return;
  const { left, top, width } = place.getBoundingClientRect();
  const height = Math.max(leastHeight, window.innerHeight - top);
  frame.dataset['height'] = String(height);
  frame.title = place.querySelector('h1')?.textContent ?? '';
  Object.assign(frame.style, {
    left: `${left + window.scrollX - edge}px`,
    top: `${top + window.scrollY}px`,
    width: `${width + 2 * edge}px`,
    height: `${height}px`,
    opacity: '',
  });
  place.style.visibility = 'hidden';
}

/** Room of the frame beside its page, for the outline of what has the focus, in px (FrameHost.module.css). */
const edge = 4;
/** Of the frame before its page says how high it is, in px. */
const leastHeight = 320;

type Movable = { moveBefore?: (node: Node, before: Node | null) => void };
// Moved by any other means, a frame loads its document anew (WHATWG DOM, 4.2.3: moveBefore keeps it).
const canMove = (): boolean => 'moveBefore' in Element.prototype;

/**
 * Asks for the framed page of this address, when the server says that it frames one (`<meta name="frame-release">`). The address names the
 * content of the document: a browser that has it stored sends no request. On a long line it is
 * shown where the page will have it, as soon as it has drawn the page's head.
 */
export function openEarlyFrame(isLong = hasHighLatency()): void {
  const release = document.querySelector<HTMLMetaElement>('meta[name="frame-release"]')?.content;
  if (!release || !canMove()) return;
  const { pathname, search, hash } = window.location;
  const frame = document.createElement('iframe');
  frame.id = id;
  if (!isLong) frame.hidden = true;
  else {
    // Without layout it would not draw, and not say that it has.
    Object.assign(frame.style, { position: 'absolute', left: '0', top: '0', width: '100%', height: '1px', border: '0', opacity: '0' });
    frame.addEventListener(frameDrawnEvent, () => showInPlace(frame), { once: true });
  }
  frame.dataset['href'] = pathname + search + hash;
  frame.src = `${pathname}.html${search ? `${search}&` : '?'}release=${release}${hash}`;
  // This may run before the body is there.
  (document.body ?? document.documentElement).append(frame);
}

/**
 * Moves the frame that is on its way into `place`; null when there is none. `href` is the page's own address that it was asked for, `height` in px
 * the room of its head, which it shows; 0 when it shows none.
 */
export function takeEarlyFrame(place: HTMLElement): { frame: HTMLIFrameElement; href: string; height: number } | null {
  const frame = document.getElementById(id);
  if (!(frame instanceof HTMLIFrameElement)) return null;
  (place as Movable).moveBefore?.(frame, null);
  frame.removeAttribute('id');
  frame.hidden = false;
  frame.removeAttribute('style');
  return { frame, href: frame.dataset['href'] ?? '', height: Number(frame.dataset['height'] ?? 0) };
}

/** The path of the page a framed document shows: its own path without `.html`. */
export const framedPath = (path: string): string => path.replace(/\.html$/, '');

/** The query of a framed page's address without what only its document is kept by. */
export function framedSearch(search: string): string {
  const query = search.replace(/([?&])release=[^&]*(&|$)/, (_, before: string, after: string) => (after === '&' ? before : ''));
  return query === '?' ? '' : query;
}
