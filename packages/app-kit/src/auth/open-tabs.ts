/**
 * The open tabs of this origin, by an entry of each in shared storage: a new tab that finds none signs in immediately instead of waiting for an
 * answer. The entry of a crashed tab remains until a new tab has asked and got no answer.
 */
const prefix = 'open-tab:';

function sharedStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

const linesIn = (storage: Storage): string[] => Object.keys(storage).filter(key => key.startsWith(prefix));

/**
 * Registers this tab while it is shown or in the background, but not in the back/forward cache. @returns a function that registers it again if its entry was removed
 */
export function registerTab(): () => void {
  const storage = sharedStorage();
  if (!storage) return () => undefined;
  const line = prefix + crypto.getRandomValues(new Uint32Array(2)).join('');
  const note = (): void => {
    try {
      storage.setItem(line, '');
    } catch {
      // Storage is full: new tabs do without this one.
    }
  };
  note();
  window.addEventListener('pagehide', () => storage.removeItem(line));
  window.addEventListener('pageshow', note);
  return note;
}

/** Returns whether another tab may be open; also true if storage is unavailable. */
export function mayBeOtherTabs(): boolean {
  const storage = sharedStorage();
  return !storage || linesIn(storage).length > 0;
}

/** Removes the registered tabs, none of which has answered. One that was only slow registers again. */
export function forgetOtherTabs(): void {
  const storage = sharedStorage();
  if (storage) for (const line of linesIn(storage)) storage.removeItem(line);
}
