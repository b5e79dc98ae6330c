import { useEffect, useRef } from 'react';
import { isTyping, pressLetter, takeEarly } from './typed-letters.ts';

/** Effect of a key, or nothing where it can't be used now. */
type Keys = Readonly<Record<string, (() => void) | null | undefined>>;

/** The keys of what is on the screen, with what each part says of its own. */
const shown = new Set<{ keys: Keys; words: Readonly<Record<string, string>> }>();

/** Words of a key that only says why it does nothing here: it isn’t in the list of keys. */
export const unlisted = '';

/** Returns the keys that can be pressed now, each with the words of the part that has it; null where it has none of its own. */
export const keysNow = (): ReadonlyMap<string, string | null> =>
  new Map(
    [...shown].flatMap(({ keys, words }) =>
      Object.keys(keys).flatMap(key => (keys[key] && words[key] !== unlisted ? [[key, words[key] ?? null] as const] : [])),
    ),
  );

/**
 * Handles keys of a page by their name, such as `j`, `Enter` or `?`. The focused element keeps its own keys, and a link or button knows what Enter means.
 * @param words what a key does here, for the list of keys, where it isn't what it does elsewhere
 */
export function useDeskKeys(keys: Keys, words: Readonly<Record<string, string>> = {}): void {
  const now = useRef({ keys, words });
  useEffect(() => {
    now.current.keys = keys;
    now.current.words = words;
    takeEarly(keys)?.();
  });
  useEffect(() => {
    const { current } = now;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.repeat || isTyping(event.target)) return;
      if (event.key === 'Enter' && event.target !== document.body) return;
      const act = Object.hasOwn(current.keys, event.key) ? current.keys[event.key] : null;
      if (!act) return;
      event.preventDefault();
      pressLetter(act);
    };
    shown.add(current);
    window.addEventListener('keydown', press);
    return () => {
      shown.delete(current);
      window.removeEventListener('keydown', press);
    };
  }, []);
}

/** Leaves the focused field, so that the keys of the page work again: for what was sent and is out of the hand. */
export const leaveField = (): void => document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });

/** Leads to the search of a list, which is before it: its other filters follow by Tab. */
export const toSearch = (): void => document.querySelector<HTMLElement>('main input[type=search]')?.focus();

/** Gives the focus to the panel that a field is in, which is where the eyes are: Tab goes on from there. */
function leaveToPanel(field: Element): void {
  const panel = field.closest<HTMLElement>('section, aside, form');
  if (!panel) {
    leaveField();
    return;
  }
  if (!panel.hasAttribute('tabindex')) panel.tabIndex = -1;
  panel.focus({ preventScroll: true });
}

/**
 * Leaves a field by Escape, with what is in it: the keys of the page then work again, and what is still typed as text carries nothing out. So does Enter in the search of a list, whose Escape empties it first. A field in a dialog, or in a
 * form that closes by it, has its own.
 */
export function useLeavingFields(): void {
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !(event.target instanceof Element)) return;
      if (event.key !== 'Escape' && !(event.key === 'Enter' && event.target.matches('input[type=search]') && !event.target.closest('form')))
        return;
      if (!event.target.matches('textarea, input, select') || event.target.closest('[role=dialog], [role=alertdialog]')) return;
      if (event.key === 'Enter') leaveField();
      else leaveToPanel(event.target);
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, []);
}
