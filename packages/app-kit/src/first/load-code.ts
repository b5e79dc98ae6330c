import { MINUTE_MS } from '@portal/contract/days';
import { withRetries } from '@portal/ui/code/with-retries';
import { tabStorage } from '../auth/stored-user.ts';
import { framedSearch } from './early-frame.ts';

/** Reloads the document, at most once a minute: false if that was just done and did not help. */
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
 * Returns a loader for the code of a page that is about to be shown: it retries if the connection broke. If that fails, the code belongs to an old
 * release: the document is reloaded at the page's address, with the files of the current one. @param reload returns whether the document is being
 * reloaded; otherwise the error is shown in place of the page
 */
export const retryOrReload =
  <T>(load: () => Promise<T>, reload: () => boolean): (() => Promise<T>) =>
  () =>
    withRetries(load)().catch((error: unknown) => {
      if (reload()) return new Promise<never>(() => undefined);
      throw error;
    });

/** Reloads this document, at most once a minute: a frame's bypasses the copy cached under its release. */
export function reloadDocument(): boolean {
  if (window.parent === window) return reloadOnce('portal');
  return reloadOnce('frame', () => {
    const { pathname, search, hash } = window.location;
    window.location.replace(pathname + framedSearch(search) + hash);
  });
}
