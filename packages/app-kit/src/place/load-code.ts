import { MINUTE_MS } from '@portal/contract/days';
import { tabStorage } from '../auth/stored-user.ts';

/** Pauses before code that did not come is asked for again, in ms. */
const pausesMs = [500, 2000];

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
export const persistently =
  <T>(load: () => Promise<T>, reload: () => boolean): (() => Promise<T>) =>
  () =>
    load().catch(async (error: unknown) => {
      for (const ms of pausesMs) {
        await new Promise(resolve => setTimeout(resolve, ms));
        try {
          return await load();
        } catch {
          // Asked again, or given up below.
        }
      }
      if (reload()) return new Promise<never>(() => undefined);
      throw error;
    });
