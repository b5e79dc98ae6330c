import { useEffect, useRef } from 'react';

/** Returns whether a key belongs to the focused element: a field, a menu, a dialog. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], dialog') !==
    null;

/** Handles keys of a page by their name, such as `j`, `Enter` or `?`. The focused element keeps its own keys, and a link or button knows what Enter means. */
export function useDeskKeys(keys: Readonly<Record<string, (() => void) | null | undefined>>): void {
  const now = useRef(keys);
  useEffect(() => {
    now.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.repeat || isTyping(event.target)) return;
      if (event.key === 'Enter' && event.target !== document.body) return;
      const act = Object.hasOwn(now.current, event.key) ? now.current[event.key] : null;
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
