import { useLayoutEffect, useRef, useState } from 'react';

/** True while the element is wider than its box, so that only then it scrolls sideways and the head can otherwise stick to the page. */
export function useOverflow() {
  const ref = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const read = () => setOverflows(element.scrollWidth > element.clientWidth + 1);
    // It calls back once when it begins, after the browser has laid the page out: a look here would make it lay out twice.
    const observer = new ResizeObserver(read);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return [ref, overflows] as const;
}
