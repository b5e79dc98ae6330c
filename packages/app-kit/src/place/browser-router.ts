import { hrefOf, type Place, placeOf, type Router, samePlace } from '../kit/place.ts';
import { createWatched } from './watched.ts';

/** Why the place changed: a step forward, one that opens something on the current page, or a move through the history with the scroll position to restore. */
export type Arrival = { by: 'step' | 'in-place' | 'replace' | 'reload' } | { by: 'history'; top: number };

type Entry = { top?: number } | null;

/** Returns the router over the browser's history. `onArrival` is called for every change after the listeners, to scroll and move the focus. */
export function createBrowserRouter(onArrival: (place: Place, arrival: Arrival) => void, view: Window = window): Router {
  const read = (): Place => ({ path: view.location.pathname, search: view.location.search, hash: view.location.hash });
  const place = createWatched(read());
  view.history.scrollRestoration = 'manual';
  const arrive = (arrival: Arrival) => {
    place.set(read());
    onArrival(place.get(), arrival);
  };
  const remember = () => view.history.replaceState({ ...(view.history.state as Entry), top: view.scrollY }, '');
  view.addEventListener('popstate', event => arrive({ by: 'history', top: (event.state as Entry)?.top ?? 0 }));
  view.addEventListener('pagehide', remember);
  // popstate fires after the entry has changed, so the position is stored whenever scrolling ends.
  view.addEventListener('scrollend', remember);
  return {
    place: place.get,
    subscribe: place.subscribe,
    go(href, { replace = false, inPlace = false } = {}) {
      const next = placeOf(href, place.get());
      if (replace) view.history.replaceState(view.history.state, '', hrefOf(next));
      else {
        if (samePlace(next, place.get()) && !next.hash) return arrive({ by: 'reload' });
        remember();
        view.history.pushState(null, '', hrefOf(next));
      }
      arrive({ by: replace ? 'replace' : inPlace ? 'in-place' : 'step' });
    },
    reload: () => arrive({ by: 'reload' }),
  };
}
