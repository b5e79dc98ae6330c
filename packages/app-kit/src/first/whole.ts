import type { QueryClient } from '@tanstack/react-query';
import { whenIdle } from './ahead.ts';

/** A read may trigger another: a page is complete when none has started for this long. */
const quietMs = 300;

/**
 * Resolves once all reads of the page are answered and drawn; after `patienceMs` in any case. @param drawn resolves once the page is drawn: one
 * without reads is complete then
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
