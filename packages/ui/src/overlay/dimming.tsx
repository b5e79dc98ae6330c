import { useEffect } from 'react';

let dialogs = 0;
const watchers = new Set<(dims: boolean) => void>();

function count(step: 1 | -1): void {
  const before = dialogs > 0;
  dialogs += step;
  if (before !== dialogs > 0) for (const watcher of watchers) watcher(dialogs > 0);
}

/** Counts a dialog among those that dim this window, for as long as it is open. */
export function useDimming(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    count(1);
    return () => count(-1);
  }, [open]);
}

/** Calls back when the first dialog of this window opens and when the last one closes; a frame tells its shell. */
export function watchDimming(watcher: (dims: boolean) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
