/**
 * The open tabs of this origin, by a line of each in the storage they share: a new tab that finds none signs in immediately and waits for no
 * answer. A tab that ended without a word leaves its line behind, until a new tab has asked and heard nothing.
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
 * Writes down this tab, while it is shown or in the background; not while the browser keeps it for the way back.
 * @returns writes it down once more, should its line have been forgotten
 */
export function registerTab(): () => void {
  const storage = sharedStorage();
  if (!storage) return () => undefined;
  const line = prefix + crypto.getRandomValues(new Uint32Array(2)).join('');
  const note = (): void => {
    try {
      storage.setItem(line, '');
    } catch {
      // Full: new tabs do without this one.
    }
  };
  note();
  window.addEventListener('pagehide', () => storage.removeItem(line));
  window.addEventListener('pageshow', note);
  return note;
}

/** Returns whether another tab may be open; true as well where the storage is kept from us. */
export function mayBeOtherTabs(): boolean {
  const storage = sharedStorage();
  return !storage || linesIn(storage).length > 0;
}

/** Forgets the tabs that were written down, of which none has answered. One that was only slow writes itself down again. */
export function forgetOtherTabs(): void {
  const storage = sharedStorage();
  if (storage) for (const line of linesIn(storage)) storage.removeItem(line);
}
