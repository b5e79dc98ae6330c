import { useSyncExternalStore } from 'react';

let asked: MediaQueryList | null = null;

/** The window around the frame, if there is one of the same origin. */
function outerWindow(): Window {
  try {
    // Reading the document of a cross-origin window throws.
    return window.parent.document ? window.parent : window;
  } catch {
    return window;
  }
}

const narrowWindow = (): MediaQueryList => (asked ??= outerWindow().matchMedia('(max-width: 991px)'));

function subscribe(changed: () => void) {
  narrowWindow().addEventListener('change', changed);
  return () => narrowWindow().removeEventListener('change', changed);
}

/**
 * Returns true in windows of 991 px and less, where the layout is one column. Inside a frame the shell's window counts: its navigation
 * takes width from the frame, so a frame of 800 px may be in a wide window or fill a narrow one.
 */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrowWindow().matches);
