import { setImmediate as turn } from 'node:timers/promises';

/** How long work on the event loop may go on before others have their turn, in ms. */
const STRETCH_MS = 1;

/** Returns a function that lets everything else of the process have its turn where this work has taken long enough since it was last called; otherwise it costs nothing. */
export function breathing(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < STRETCH_MS) return;
    await turn();
    since = performance.now();
  };
}
