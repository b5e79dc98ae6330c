/** Message while an unanswered call is repeated. */
export const retryNotice = 'The registry isn’t answering. Retrying.';

/** Waits from this length on are announced; shorter ones go unnoticed. */
const NOTICED_MS = 1000;
/** With several waiting calls, the person is informed once within this time. */
const TOLD_EVERY_MS = 30_000;

/** Returns how a client waits before it repeats a call: it informs the person if that takes a moment. */
export function retryPause(tell: () => void, now: () => number = () => performance.now()): (ms: number) => Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY;
  return ms => {
    if (ms > NOTICED_MS && now() - toldAt > TOLD_EVERY_MS) {
      toldAt = now();
      tell();
    }
    return new Promise(resolve => setTimeout(resolve, ms));
  };
}
