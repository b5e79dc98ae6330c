import type { QueryClient } from '@tanstack/react-query';
import { whenIdle } from '../place/ahead.ts';

/** A read may bring the next one with it: a page is whole when none began for so long. */
const quietMs = 300;

/**
 * Resolves once everything that the page reads is answered and drawn; after `patienceMs` in any case.
 * @param drawn resolves once the page is there: one that reads nothing is whole then
 */
export function whenComplete(answers: QueryClient, patienceMs: number, drawn?: Promise<void>): Promise<void> {
  return new Promise(resolve => {
    let settledTimer: ReturnType<typeof setTimeout> | undefined;
    const done = (): void => {
      stop();
      clearTimeout(patience);
      whenIdle(resolve);
    };
    const look = (): void => {
      clearTimeout(settledTimer);
      if (answers.isFetching() === 0) settledTimer = setTimeout(done, quietMs);
    };
    const patience = setTimeout(done, patienceMs);
    const stop = answers.getQueryCache().subscribe(look);
    void drawn?.then(look);
  });
}
