import { tooMany } from '../counted-limit.ts';

/** Calls of one login or account: so many are under way at a time, and so many more wait for their turn. */
type TurnLimits = { running: number; waiting: number };

/**
 * Turns of calls, by who makes them: what one caller sends together is done a few at a time, in the order it came, and waits without a database connection, so that others'
 * calls find one. Each process counts for itself.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Waits for a turn. @returns what ends it @throws Failure TOO_MANY_REQUESTS where too many wait already */
  async take(name: string): Promise<() => void> {
    const running = this.#running.get(name) ?? 0;
    if (running < this.#limits.running) this.#running.set(name, running + 1);
    else {
      const waiting = this.#waiting.get(name) ?? [];
      if (waiting.length >= this.#limits.waiting) throw tooMany(1);
      this.#waiting.set(name, waiting);
      // Who ends a turn hands it on, so the number of those under way stays.
      await new Promise<void>(resolve => void waiting.push(resolve));
    }
    return () => this.#end(name);
  }

  #end(name: string): void {
    const waiting = this.#waiting.get(name);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(name);
    if (next) return next();
    const running = this.#running.get(name)! - 1;
    if (running === 0) this.#running.delete(name);
    else this.#running.set(name, running);
  }
}
