import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Processor time in ms that this thread takes for `work`, whatever else the machine does, and the longest, in ms, for which it heard nothing else. */
export async function costOf<T>(work: () => Promise<T>): Promise<{ answer: T; cpu: number; block: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.threadCpuUsage();
  delay.enable();
  const answer = await work();
  delay.disable();
  const { user, system } = process.threadCpuUsage(before);
  return { answer, cpu: (user + system) / 1000, block: delay.max / 1e6 };
}

const cell = new Int32Array(new SharedArrayBuffer(4));
/** Processor time of this thread in ms, to the microsecond: it is counted in steps of four ms, unless the thread sleeps for a moment. */
function processorNow(): number {
  Atomics.wait(cell, 0, 0, 0.01);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Times that work is done again at most. */
const RUNS = 30;

/**
 * The longest turn of the event loop, in ms of processor time, while this thread does `work`: for so long it heard nothing else. Done again until that is below `bound`,
 * `RUNS` times at most, and the shortest counts: a program is compiled meanwhile, and memory is collected. `before` each run, what doesn't count is done.
 */
export async function longestTurnOf(
  bound: number,
  given: (() => Promise<unknown>) | { before: () => Promise<unknown>; work: () => Promise<unknown> },
): Promise<number> {
  const { before: prepare, work } = typeof given === 'function' ? { before: () => Promise.resolve(), work: given } : given;
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && best >= bound; run++) {
    await prepare();
    let longest = 0;
    let before = processorNow();
    let next: NodeJS.Immediate | undefined;
    const look = (): void => {
      const now = processorNow();
      longest = Math.max(longest, now - before);
      before = now;
      next = setImmediate(look);
    };
    next = setImmediate(look);
    await work();
    clearImmediate(next);
    best = Math.min(best, longest);
  }
  return best;
}
