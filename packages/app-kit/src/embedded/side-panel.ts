import { type RefObject, useRef } from 'react';

/** Details beside a list, and below it in windows of 1199 px and less: there `reveal` scrolls them into view and focuses them. */
export function useSidePanel(): { beside: RefObject<HTMLDivElement | null>; reveal: () => void; focus: () => void } {
  const beside = useRef<HTMLDivElement>(null);
  // The requested details are drawn by the next frame.
  const focus = () => void requestAnimationFrame(() => beside.current?.focus());
  return {
    beside,
    focus,
    reveal() {
      if (window.matchMedia('(max-width: 1199px)').matches) focus();
    },
  };
}
