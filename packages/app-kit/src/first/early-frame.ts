import { hasHighLatency } from './connection.ts';

/** The frame that loads before the portal's code: created by the first script, taken over by the portal. */
const id = 'early-frame';

/** The event of a frame's element whose document has drawn its page's head. */
const frameDrawnEvent = 'frame-drawn';

/** Tells the parent page, once this document is drawn, that it can be shown. */
export function markFrameDrawn(): void {
  const say = (): void => void requestAnimationFrame(() => window.frameElement?.dispatchEvent(new Event(frameDrawnEvent)));
  // Read to its end; its own code, for which DOMContentLoaded waits, may still be on its way.
  if (document.readyState === 'loading') document.addEventListener('readystatechange', say, { once: true });
  else say();
}

/** Shows a frame on top of the page that is still loading, in its final place. */
function showInPlace(frame: HTMLIFrameElement): void {
  const place = document.querySelector<HTMLElement>('main > [aria-busy]');
  // The portal has already taken it over.
  if (frame.id !== id || !place) return;
  const { left, top, width } = place.getBoundingClientRect();
  const height = Math.max(leastHeight, window.innerHeight - top);
  frame.dataset['height'] = String(height);
  frame.title = place.querySelector('h1')?.textContent ?? '';
  Object.assign(frame.style, {
    left: `${left + window.scrollX - frameEdge}px`,
    top: `${top + window.scrollY}px`,
    width: `${width + 2 * frameEdge}px`,
    height: `${height}px`,
    opacity: '',
  });
  place.style.visibility = 'hidden';
}

/** Room of the frame beside its page, for the outline of what has the focus, in px (FrameHost.module.css). */
export const frameEdge = 4;
/** Of the frame before its page says how high it is, in px. */
const leastHeight = 320;

type Movable = { moveBefore?: (node: Node, before: Node | null) => void };
// Moved by any other means, a frame reloads its document (WHATWG DOM, 4.2.3: moveBefore keeps it).
const canMove = (): boolean => 'moveBefore' in Element.prototype;

/**
 * Requests the framed page of this address, if the server says that there is one (`<meta name="frame-release">`). The address names the
 * content of the document: a browser that has it stored sends no request. On a slow connection it is shown in its final place, as soon as it has
 * drawn the page's head.
 * @returns a promise that resolves once it is shown there; undefined when it is shown later or not at all
 */
export function openEarlyFrame(isLong = hasHighLatency()): Promise<void> | undefined {
  const release = document.querySelector<HTMLMetaElement>('meta[name="frame-release"]')?.content;
  if (!release || !canMove()) return undefined;
  const { pathname, search, hash } = window.location;
  const frame = document.createElement('iframe');
  frame.id = id;
  if (!isLong) frame.hidden = true;
  else {
    // Without layout it would not draw, and not report it.
    Object.assign(frame.style, { position: 'absolute', left: '0', top: '0', width: '100%', height: '1px', border: '0', opacity: '0' });
  }
  frame.dataset['href'] = pathname + search + hash;
  frame.src = `${pathname}.html${search ? `${search}&` : '?'}release=${release}${hash}`;
  // This may run before the body is there.
  (document.body ?? document.documentElement).append(frame);
  if (!isLong) return undefined;
  return new Promise(resolve => {
    const show = (): void => {
      showInPlace(frame);
      requestAnimationFrame(() => setTimeout(resolve));
    };
    frame.addEventListener(frameDrawnEvent, show, { once: true });
  });
}

/**
 * Moves the loading frame into `place`; null if there is none. `href` is the page's own address that it was asked for, `height` in px
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

/** The query of a framed page's address without the cache key of its document. */
export function framedSearch(search: string): string {
  const query = search.replace(/([?&])release=[^&]*(&|$)/, (_, before: string, after: string) => (after === '&' ? before : ''));
  return query === '?' ? '' : query;
}
