/** What a person is told while a call that could not be answered is repeated. */
export const stillTrying = 'The registry does not answer. It is asked again.';

/** A wait this long is told of; before it, nobody noticed. */
const NOTICED_MS = 1000;
/** Several calls wait at the same time: the person is told once in this time. */
const TOLD_EVERY_MS = 30_000;

/** Returns how a client waits before it repeats a call: the person is told when it takes a moment. */
export function patience(tell: () => void, now: () => number = () => performance.now()): (ms: number) => Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY;
  return ms => {
    if (ms > NOTICED_MS && now() - toldAt > TOLD_EVERY_MS) {
      toldAt = now();
      tell();
    }
    return new Promise(resolve => setTimeout(resolve, ms));
  };
}
