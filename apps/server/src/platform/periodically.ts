import type { Log } from './log.ts';

/** Runs work again and again, never twice at once; a failure is logged and the next turn comes all the same. `stop` waits for a turn under way. */
export function periodically(seconds: number, name: string, work: () => Promise<unknown>, log: Log): { stop(): Promise<void> } {
  let turn: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    turn ??= work()
      .catch((error: unknown) => log.error(`${name} failed`, { error }))
      .finally(() => (turn = null));
  }, seconds * 1000);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await turn;
    },
  };
}
