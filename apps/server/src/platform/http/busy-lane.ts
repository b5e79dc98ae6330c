/** So much of a lane is worked on at a time in one process: each one more makes the pages of all others slower, and what is in the lane hardly faster (docs/performance.md). */
const RUNNING = 2;
/** Time, in ms, for which calls of a busy name were worked on within about the last ten seconds: a page is a tenth of it, and a person turns few pages in that time. */
const BUSY_MS = 2_000;
/** Time after which the use of a name counts half, in ms. */
const HALF_LIFE_MS = 5_000;
/** So many names are remembered before those that count no more are forgotten. */
const MAX_REMEMBERED = 1_000;

/**
 * A lane in which those who ask for much wait for each other, so that those who ask for little wait for none of them. A few things are done at a time, and names take turns.
 * Each process counts separately.
 */
export class BusyLane {
  readonly #now: () => number;
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #used = new Map<string, { ms: number; at: number }>();
  #running = 0;

  /** @param now a clock in ms that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns whether a login or key was busy lately. */
  isBusy(name: string): boolean {
    return this.#usedBy(name) >= BUSY_MS;
  }

  /** Notes how long, in ms, a call was worked on. */
  note(name: string, ms: number): void {
    this.#used.set(name, { ms: this.#usedBy(name) + ms, at: this.#now() });
    if (this.#used.size <= MAX_REMEMBERED) return;
    for (const known of this.#used.keys()) if (this.#usedBy(known) < 1) this.#used.delete(known);
  }

  /** Waits for a place in the lane. @returns a function that gives it to the next name, once */
  async take(name: string): Promise<() => void> {
    if (this.#running < RUNNING) this.#running++;
    else
      await new Promise<void>(resolve => {
        const calls = this.#waiting.get(name);
        if (calls) calls.push(resolve);
        else this.#waiting.set(name, [resolve]);
      });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#next();
    };
  }

  #usedBy(name: string): number {
    const known = this.#used.get(name);
    return known ? known.ms * 0.5 ** ((this.#now() - known.at) / HALF_LIFE_MS) : 0;
  }

  /** The place is passed on, so the number of running calls stays the same; who had it waits behind all others with the next call. */
  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#running--;
      return;
    }
    const [name, calls] = first;
    const call = calls.shift()!;
    this.#waiting.delete(name);
    if (calls.length > 0) this.#waiting.set(name, calls);
    call();
  }
}
