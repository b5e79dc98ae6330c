/**
 * The calls that are worked on now and wait for no one: the pages of people who ask for little. What waits in a lane gives way to them, so that they have the processors for
 * themselves. Each process counts separately.
 */
export class DirectCalls {
  #running = 0;
  #waiting: (() => void)[] = [];

  /** Notes that one begins. @returns a function that notes its end, once */
  begin(): () => void {
    this.#running++;
    return () => {
      if (--this.#running > 0) return;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const each of waiting) each();
    };
  }

  /** Resolves when none is running, and after `ms` at the latest: on a busy day there is always one. */
  async giveWay(ms: number): Promise<void> {
    if (this.#running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }
}
