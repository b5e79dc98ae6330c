import { useState } from 'react';

const quickMs = 2_000;
const slowMs = 5_000;
const quickForMs = 30_000;

/**
 * Returns how long to wait before polling background work again: two seconds for the first half minute on the screen, then
 * five. Polling (`refetchInterval`) stops automatically while the tab is hidden.
 */
export function usePollingDelay(): () => number {
  const [begun] = useState(() => Date.now());
  return () => (Date.now() - begun < quickForMs ? quickMs : slowMs);
}
