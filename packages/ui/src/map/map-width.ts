import { useLayoutEffect, useRef, useState } from 'react';

/** Width of a drawing whose element has none, as without a screen. */
const defaultWidth = 688;

/**
 * Width of the element while it changes; null in the first rendering, which is before anything is painted. A drawing that waits for it
 * is made once; one that starts with a guess is made again with the right width before it is seen.
 */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const read = () => setWidth(before => element.clientWidth || (before ?? defaultWidth));
    read();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
