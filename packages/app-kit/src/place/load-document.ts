import type { Place } from '../kit/place.ts';

/**
 * Loads the document of the place that is in the address bar already. With a hash this is a reload: replacing an address by the same one would only scroll,
 * and load nothing.
 */
export function loadDocument({ path, search, hash }: Place, location: Pick<Location, 'replace' | 'reload'> = window.location): void {
  if (hash === '') location.replace(path + search);
  else location.reload();
}
