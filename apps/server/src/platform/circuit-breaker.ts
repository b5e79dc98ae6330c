import { MINUTE_MS } from '@portal/contract/days';

/** How long, in ms, a system is left alone after it did not answer. */
const PAUSE_MS = MINUTE_MS;

/** Thrown without asking a system that did not answer a moment ago. */
export class Paused extends Error {}

/**
 * Returns a way to ask a system outside that leaves it alone for a minute after it did not answer: what waits for it is refused immediately and tried again
 * later, so that a silent system costs one place in a queue once a minute, and not every place all the time. One call is let through after the pause.
 * @param what the system, as it stands in an error
 * @param isSilent whether an error says that the system did not answer, and not that it refused this call
 */
export function circuitBreaker(what: string, isSilent: (error: Error) => boolean, elapsed: () => number = () => performance.now()) {
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let isTrying = false;
  return async <T>(ask: () => Promise<T>): Promise<T> => {
    const wasPaused = pausedUntil > Number.NEGATIVE_INFINITY;
    if (elapsed() < pausedUntil || (wasPaused && isTrying))
      throw new Paused(`${what} did not answer a moment ago. It is asked again within a minute.`);
    isTrying = wasPaused;
    try {
      const answer = await ask();
      pausedUntil = Number.NEGATIVE_INFINITY;
      return answer;
    } catch (error) {
      pausedUntil = isSilent(error as Error) ? elapsed() + PAUSE_MS : Number.NEGATIVE_INFINITY;
      throw error;
    } finally {
      isTrying = false;
    }
  };
}
