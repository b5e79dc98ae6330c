import { useLayoutEffect, useRef, useState } from 'react';

/** Width of the element while it changes; 688 before it is known. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(688);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const read = () => {
      if (element.clientWidth > 0) setWidth(element.clientWidth);
    };
    read();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
