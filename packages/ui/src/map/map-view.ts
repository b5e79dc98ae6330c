import { useEffect, useMemo, useRef, useState } from 'react';
import type { MapView } from './address-map-layout.ts';
import type { MapText } from './map-words.ts';

/**
 * The part of the covering block that is drawn: the given one, or the last that `setView` got; the whole if it is none of its parts.
 * @param sizeLog2 of the covering block
 */
export function useMapView(sizeLog2: number, given: MapView | null | undefined) {
  const [own, setView] = useState<MapView | null>(null);
  const whole = useMemo<MapView>(() => ({ start: 0n, sizeLog2 }), [sizeLog2]);
  const wanted = given ?? own ?? whole;
  const view = useMemo<MapView>(
    () =>
      wanted.sizeLog2 < whole.sizeLog2 && wanted.start >= 0n && wanted.start < 1n << BigInt(whole.sizeLog2)
        ? { start: wanted.start, sizeLog2: wanted.sizeLog2 }
        : whole,
    [wanted.start, wanted.sizeLog2, whole],
  );
  return { whole, view, setView };
}

/** Returns the description of the view to announce: when it changes, not when the map first appears. */
export function useHeardView(view: MapView, text: MapText): string {
  const shown = useRef(view);
  const [heard, setHeard] = useState('');
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    setHeard(`Showing ${text.prefix(view.start, view.sizeLog2)}`);
  }, [view, text]);
  return heard;
}
