import type { Log } from './log.ts';

/** Work of an hour or longer has its first turn sooner after the start: a process that is restarted every day has to get there too. */
const FIRST_SECONDS = 60;

/** Runs work again and again, never twice at once; a failure is logged and the next turn comes all the same. `stop` waits for a turn under way. */
export function periodically(seconds: number, name: string, work: () => Promise<unknown>, log: Log): { stop(): Promise<void> } {
  let turn: Promise<unknown> | null = null;
  const begin = (): void => {
    turn ??= work()
      .catch((error: unknown) => log.error(`${name} failed`, { error }))
      .finally(() => (turn = null));
  };
  const first = seconds > FIRST_SECONDS ? setTimeout(begin, FIRST_SECONDS * 1000).unref() : undefined;
  const timer = setInterval(begin, seconds * 1000).unref();
  return {
    stop: async () => {
      clearTimeout(first);
      clearInterval(timer);
      await turn;
    },
  };
}
