import { MINUTE_MS } from '@portal/contract/days';

/** How long, in ms, a system that did not answer is not called, unless its adapter says otherwise. */
const PAUSE_MS = MINUTE_MS;

/** Thrown without calling a system that failed to answer a moment ago. */
export class Paused extends Error {}

/** Codes of errors of the system, of fetch and of mail, for a system that was not reached, or said nothing. */
const silentCodes = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EDNS',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ESOCKET',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Whether an error says that a system was not reached, or said nothing, and not that it refused. */
export function isSilence(error: Error): boolean {
  const { name, code, cause } = error as { name: string; code?: unknown; cause?: { code?: unknown } | null };
  return name === 'TimeoutError' || [code, cause?.code].some(each => silentCodes.has(String(each)));
}

/**
 * Returns a circuit breaker for an outside system: after a call that got no answer, all calls fail immediately for a minute and are retried later, so
 * that a silent system blocks one worker once a minute instead of all of them all the time. One call is let through after the pause. @param what name
 * of the system, for errors
 * @param isSilent whether an error says that the system did not answer, and not that it refused this call
 */
export function circuitBreaker(
  what: string,
  isSilent: (error: Error) => boolean = isSilence,
  elapsed: () => number = () => performance.now(),
  pauseMs: number = PAUSE_MS,
) {
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
      pausedUntil = isSilent(error as Error) ? elapsed() + pauseMs : Number.NEGATIVE_INFINITY;
      throw error;
    } finally {
      isTrying = false;
    }
  };
}
