import { findPage } from '@portal/contract/pages';
import { framedPath, type FrameMessage } from '../frame/frame-protocol.ts';
import { hrefOf, type Place, placeOf, type Router } from '../place/place.ts';

export type EmbeddedRouter = Router & {
  /** The shell shows another framed page. */
  show: (href: string) => void;
};

/**
 * The router of a framed page. It shows other framed pages itself and tells the shell, which owns the history; every other address
 * is the shell's. The frame's own entry in the history is only ever replaced, so that back and forward belong to the shell alone.
 */
export function createEmbeddedRouter(product: () => string, tell: (message: FrameMessage) => void, view: Window = window): EmbeddedRouter {
  let place: Place = { path: framedPath(view.location.pathname), search: view.location.search, hash: view.location.hash };
  const listeners = new Set<() => void>();
  const set = (next: Place) => {
    place = next;
    view.history.replaceState(null, '', `${next.path}.html${next.search}${next.hash}`);
    for (const listener of listeners) listener();
  };
  return {
    place: () => place,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    go(href, { replace = false } = {}) {
      const next = placeOf(href, place);
      const { page } = findPage(next.path, product());
      if (page.app !== 'resource-manager') return tell({ type: 'navigate', href: hrefOf(next) });
      set(next);
      tell({ type: 'location', href: hrefOf(next), replace });
    },
    show: href => set(placeOf(href, place)),
    reload: () => tell({ type: 'reload' }),
  };
}
