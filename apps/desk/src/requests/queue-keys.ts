import { useEffect } from 'react';

/** Returns whether a key belongs to the focused element: a field, a menu, a dialog. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]') !== null;

/**
 * Handles the keys of the queue: `j` and `k` go to the next and the previous request, Enter moves into the open one, Escape closes it. The
 * focused element keeps its own keys.
 */
export function useQueueKeys(keys: { next: () => void; previous: () => void; enter: () => void; close: () => void }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'j') keys.next();
      else if (event.key === 'k') keys.previous();
      else if (event.key === 'Escape') keys.close();
      // A button or a row with the focus knows what Enter means.
      else if (event.key === 'Enter' && event.target === document.body) keys.enter();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}
