import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** How many ancestors of a form's opening button are searched for it: further up, it would be another button with the same name. */
const LEVELS = 4;

const nameOf = (element: Element): string | null => element.getAttribute('aria-label') ?? element.textContent;

/** Returns a function that finds the focused element after a render that may have replaced it; null if nothing has the focus. */
function findAgain(element: Element | null): (() => HTMLElement | undefined) | null {
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const name = nameOf(element);
  const around: Element[] = [];
  for (let each = element.parentElement; each && around.length < LEVELS; each = each.parentElement) around.push(each);
  return () =>
    element.isConnected
      ? element
      : [...(around.find(each => each.isConnected)?.querySelectorAll<HTMLElement>(element.tagName) ?? [])].find(
          each => nameOf(each) === name,
        );
}

/**
 * Closes a form by Escape, and gives the focus back to what opened it. Escape never loses input: with some in the form it leads to the last button, which
 * discards it. An inline form takes the focus when a press opens it; in a dialog this and closing an untouched form are the dialog's work.
 */
export function useFormClosing({
  onClose,
  inline,
  isChanged,
  busy,
}: {
  onClose: (() => void) | undefined;
  inline: boolean;
  isChanged: boolean;
  busy: boolean;
}): {
  ref: RefObject<HTMLFormElement | null>;
  onKeyDown: (event: KeyboardEvent) => void;
  onChange: () => void;
  onDrop: () => void;
} {
  const ref = useRef<HTMLFormElement>(null);
  const touched = useRef(false);
  const touch = (): void => {
    touched.current = true;
  };
  // Read during the first render: if the form replaces the button, the button is gone afterwards.
  const [opener] = useState(() => (onClose && inline ? findAgain(document.activeElement) : null));
  useEffect(() => {
    if (!opener) return;
    for (const each of ref.current?.querySelectorAll<HTMLElement>('input, select, textarea, button') ?? []) {
      each.focus();
      // Hidden controls refuse it.
      if (document.activeElement === each) break;
    }
    return () => {
      // If the focus is elsewhere, the person has moved on.
      if (document.activeElement === document.body) opener()?.focus();
    };
  }, [opener]);
  return {
    ref,
    onChange: touch,
    onDrop: touch,
    onKeyDown(event) {
      if (event.key !== 'Escape' || !onClose || event.defaultPrevented || event.nativeEvent.isComposing) return;
      const keeps = touched.current || isChanged || busy;
      if (!keeps && !inline) return;
      event.preventDefault();
      event.stopPropagation();
      if (keeps) [...ref.current!.querySelectorAll<HTMLElement>('button[type=button]')].at(-1)?.focus();
      else onClose();
    },
  };
}
