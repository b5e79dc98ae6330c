import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus into a form that opens inside of a page, and back to the button that opened it once it is closed. The form’s box has `tabIndex={-1}`: what is in it may be loaded
 * later. A page that starts with the form leaves the focus where it is.
 */
export function useInlineForm(isOpen: boolean): { opener: RefObject<HTMLButtonElement | null>; box: RefObject<HTMLDivElement | null> } {
  const opener = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const was = useRef(isOpen);
  useEffect(() => {
    if (was.current === isOpen) return;
    was.current = isOpen;
    (isOpen ? box : opener).current?.focus();
  }, [isOpen]);
  return { opener, box };
}
