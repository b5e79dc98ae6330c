import { findPage } from '@portal/contract/pages';
import { framedPath, framedSearch } from '../first/early-frame.ts';
import type { FrameMessage } from '../frame/frame-protocol.ts';
import { hrefOf, type Place, placeOf, type Router } from '../kit/place.ts';
import { createWatched } from '../place/watched.ts';

export type EmbeddedRouter = Router & {
  /** The shell shows another framed page. */
  show: (href: string) => void;
};

/**
 * Returns the router of a framed page. It shows other framed pages itself and informs the shell, which owns the history; every other address
 * is the shell's. The frame's own history entry is only ever replaced, so that back and forward belong to the shell alone.
 */
export function createEmbeddedRouter(product: () => string, send: (message: FrameMessage) => void, view: Window = window): EmbeddedRouter {
  const { pathname, search, hash } = view.location;
  const place = createWatched<Place>({ path: framedPath(pathname), search: framedSearch(search), hash });
  const show = (next: Place) => {
    view.history.replaceState(null, '', `${next.path}.html${next.search}${next.hash}`);
    place.set(next);
  };
  return {
    place: place.get,
    subscribe: place.subscribe,
    go(href, { replace = false } = {}) {
      const next = placeOf(href, place.get());
      const { page } = findPage(next.path, product());
      if (page.app !== 'resource-manager') return send({ type: 'navigate', href: hrefOf(next) });
      show(next);
      send({ type: 'location', href: hrefOf(next), replace });
    },
    show: href => show(placeOf(href, place.get())),
    reload: () => send({ type: 'reload' }),
  };
}
