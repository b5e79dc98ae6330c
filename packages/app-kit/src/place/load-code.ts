import { MINUTE_MS } from '@portal/contract/days';
import { withRetries } from '@portal/ui/code/with-retries';
import { tabStorage } from '../auth/stored-user.ts';
import { framedSearch } from '../frame/early-frame.ts';

/** Loads the document anew, once a minute at most: false when that was done just now and did not help. */
export function reloadOnce(document: 'portal' | 'frame', reload: () => void = () => window.location.reload()): boolean {
  const key = `reloaded:${document}`;
  const storage = tabStorage();
  try {
    if (!storage || Date.now() - Number(storage.getItem(key) ?? 0) < MINUTE_MS) return false;
    storage.setItem(key, String(Date.now()));
  } catch {
    return false;
  }
  reload();
  return true;
}

/**
 * Returns a loader for the code of a page that is about to be shown: it asks again when the line broke. What still does not come belongs to a
 * release that is gone: then the document is loaded anew at the page's address, with the files of the present one.
 * @param reload returns whether the document is being loaded anew; else the error is shown in place of the page
 */
export const retryOrReload =
  <T>(load: () => Promise<T>, reload: () => boolean): (() => Promise<T>) =>
  () =>
    withRetries(load)().catch((error: unknown) => {
      if (reload()) return new Promise<never>(() => undefined);
      throw error;
    });

/** Loads this document anew, once a minute at most: a frame's not from the copy that a browser keeps under the name of its release. */
export function reloadDocument(): boolean {
  if (window.parent === window) return reloadOnce('portal');
  return reloadOnce('frame', () => {
    const { pathname, search, hash } = window.location;
    window.location.replace(pathname + framedSearch(search) + hash);
  });
}
