import { useState } from 'react';

const quickMs = 2_000;
const slowMs = 5_000;
const quickForMs = 30_000;

/**
 * How long to wait before work in the background is read again: two seconds for the first half minute on the screen, then
 * five. What asks with it (`refetchInterval`) stops by itself while the tab is hidden.
 */
export function usePause(): () => number {
  const [begun] = useState(() => Date.now());
  return () => (Date.now() - begun < quickForMs ? quickMs : slowMs);
}
