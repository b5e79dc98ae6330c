import { type RefObject, useRef } from 'react';

/** Details that stand beside a list, and under it in windows of 1199 px and less: there `reveal` brings them into view and gives them the focus. */
export function useSidePanel(): { beside: RefObject<HTMLDivElement | null>; reveal: () => void; focus: () => void } {
  const beside = useRef<HTMLDivElement>(null);
  // What was asked for is drawn by the next frame.
  const focus = () => void requestAnimationFrame(() => beside.current?.focus());
  return {
    beside,
    focus,
    reveal() {
      if (window.matchMedia('(max-width: 1199px)').matches) focus();
    },
  };
}
