/** So much of a lane is worked on at a time in one process: each one more makes the pages of all others slower, and what is in the lane hardly faster (docs/performance.md). */
const RUNNING = 2;
/**
 * The share of the time that a name had something asked for, above which it is busy. People read what they asked for: even where each page takes as long as it is looked
 * at, that is half. Programs that ask again when they are answered come near to 1.
 */
const BUSY_SHARE = 0.8;
/** Time after which what a name did before counts half, in ms: who asks all the time is busy after ten seconds, and no longer half a second after the last answer. */
const HALF_LIFE_MS = 3_000;
/** So many names are remembered before those that count no more are forgotten. */
const MAX_REMEMBERED = 1_000;

/** How much of the lately passed time a name had something asked for, from 0 to 1 at an instant in ms, and the calls that aren't answered yet. */
type Asking = { share: number; at: number; calls: number };

/**
 * A lane in which those who ask for much wait for each other, so that those who ask for little wait for none of them. A few things are done at a time, and names take turns.
 * The time for which a name asks counts, not the time for which its calls are worked on: that grows for everyone when others ask for much, and would put those in the lane
 * whom it protects (decision 374). Each process counts separately.
 */
export class BusyLane {
  readonly #now: () => number;
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #asking = new Map<string, Asking>();
  #running = 0;

  /** @param now a clock in ms that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns whether a login or key had something asked for nearly all the time lately. */
  isBusy(name: string): boolean {
    const asking = this.#asking.get(name);
    return asking !== undefined && this.#shareOf(asking) >= BUSY_SHARE;
  }

  /** Notes that a name asks for something, from before it waits. @returns a function that notes the answer, once */
  asks(name: string): () => void {
    const asking = this.#asking.get(name) ?? { share: 0, at: this.#now(), calls: 0 };
    this.#note(asking, 1);
    this.#asking.set(name, asking);
    if (this.#asking.size > MAX_REMEMBERED) this.#forget();
    return () => this.#note(asking, -1);
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

  /** The share at this moment: it nears 1 while something is asked for, and 0 otherwise. */
  #shareOf({ share, at, calls }: Asking): number {
    const end = calls > 0 ? 1 : 0;
    return end + (share - end) * 0.5 ** ((this.#now() - at) / HALF_LIFE_MS);
  }

  #note(asking: Asking, calls: 1 | -1): void {
    asking.share = this.#shareOf(asking);
    asking.at = this.#now();
    asking.calls += calls;
  }

  #forget(): void {
    for (const [name, asking] of this.#asking) if (asking.calls === 0 && this.#shareOf(asking) < 0.01) this.#asking.delete(name);
  }

  /**
   * The place is passed on, so the number of running calls stays the same. Who asks least is next, so that a person among programs isn't one of hundreds; of those who ask
   * as much, who has waited longest, and who had the place waits behind them with the next call.
   */
  #next(): void {
    let name: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const each of this.#waiting.keys()) {
      const asking = this.#asking.get(each);
      const percent = asking ? Math.round(100 * this.#shareOf(asking)) : 0;
      if (percent < least) [name, least] = [each, percent];
    }
    if (name === undefined) {
      this.#running--;
      return;
    }
    const calls = this.#waiting.get(name)!;
    const call = calls.shift()!;
    this.#waiting.delete(name);
    if (calls.length > 0) this.#waiting.set(name, calls);
    call();
  }
}
