/** The current address, without the origin. */
export type Place = { path: string; search: string; hash: string };

export type GoOptions = {
  /** Replace the current history entry, for a change that is not a step of its own (a sort order, a filter). */
  replace?: boolean;
  /** It opens something on the page: focus and scroll position stay where they are. */
  inPlace?: boolean;
};

/**
 * Moves between pages without loading them. The portal's is over the browser's history; a framed page's asks the shell.
 * Routes are not declared here: `findPage` of the site map reads the path.
 */
export type Router = {
  place: () => Place;
  subscribe: (listener: () => void) => () => void;
  /** An in-app address, absolute or relative to the place: `/settings`, `?sort=size`, `#history`. */
  go: (href: string, options?: GoOptions) => void;
  /** Reloads the page at the place: a link to the current path does this. */
  reload: () => void;
};

/** An in-app address as a place, seen from another one. Anything outside the origin is refused. */
export function placeOf(href: string, from: Place): Place {
  const base = new URL(from.path + from.search, 'http://portal.invalid');
  const url = new URL(href, base);
  if (url.origin !== base.origin) throw new TypeError(`"${href}" isn’t an address inside the portal`);
  return { path: url.pathname, search: url.search, hash: url.hash };
}

export const hrefOf = ({ path, search, hash }: Place): string => path + search + hash;

export const samePlace = (a: Place, b: Place): boolean => hrefOf(a) === hrefOf(b);
