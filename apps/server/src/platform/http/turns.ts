import { tooMany } from '../counted-limit.ts';

/** Limits for one login or account: how many calls run at a time, and how many more may wait. */
type TurnLimits = { running: number; waiting: number };

/**
 * Limits concurrent calls per caller: a few run at a time, in order of arrival; the rest wait without a database connection, so that others' calls
 * get one. Each process counts separately.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Waits for a turn. @returns a function that ends it @throws Failure TOO_MANY_REQUESTS if too many are already waiting */
  async take(name: string): Promise<() => void> {
    const running = this.#running.get(name) ?? 0;
    if (running < this.#limits.running) this.#running.set(name, running + 1);
    else {
      const waiting = this.#waiting.get(name) ?? [];
      if (waiting.length >= this.#limits.waiting) throw tooMany(1);
      this.#waiting.set(name, waiting);
      // The turn is passed to the next waiting call, so the number of running calls stays the same.
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
