/** Message while an unanswered call is repeated. */
export const retryNotice = 'The registry isn’t answering. Retrying.';

/** Waits of at least this length are announced. */
const NOTICED_MS = 1000;
/** With several waiting calls, the person is informed once within this time. */
const NOTICE_EVERY_MS = 30_000;

/** Returns how a client waits before it repeats a call: it informs the person if that takes a moment. */
export function retryPause(notify: () => void, now: () => number = () => performance.now()): (ms: number) => Promise<void> {
  let notifiedAt = Number.NEGATIVE_INFINITY;
  return ms => {
    if (ms > NOTICED_MS && now() - notifiedAt > NOTICE_EVERY_MS) {
      notifiedAt = now();
      notify();
    }
    return new Promise(resolve => setTimeout(resolve, ms));
  };
}
