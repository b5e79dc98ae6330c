import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { expect } from 'vitest';

const cell = new Int32Array(new SharedArrayBuffer(4));
/**
 * Processor time of this thread in ms, to the microsecond: it is counted in steps of four ms, unless the thread sleeps for a moment. One of 0.01 ms is over at times
 * before the thread slept, and then the next turn is given what this one took.
 */
function processorNow(): number {
  Atomics.wait(cell, 0, 0, 0.05);
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Times that work is done again at most. */
const RUNS = 30;
/** Where the bench reads what each piece of work took. */
const figures = process.env.TURN_FIGURES;

/** Processor time in ms of `yardstick` where bounds of turns were chosen, while nothing else ran: 1.35 to 1.4. Beside work on the other half of the core it takes 2 to 2.4, and so does all else. */
const YARDSTICK_MS = 1.5;
const measured = JSON.stringify(
  Array.from({ length: 4_000 }, (_, n) => ({ prefix: `198.18.${n % 256}.0/24`, asn: 64_500 + n, origin: null })),
);
/** Returns the processor time in ms of work that is always the same: so much slower is this thread now. */
function yardstick(): number {
  const before = processorNow();
  const rows = JSON.parse(measured) as { prefix: string; asn: number }[];
  const sorted = rows.map(({ prefix, asn }) => `${prefix} AS${asn}`).sort();
  if (!sorted[0]!.startsWith('198')) throw new Error('The yardstick is broken.');
  return processorNow() - before;
}

// Compiled before it is read from: it would seem slow the first times.
for (let run = 0; run < RUNS; run++) yardstick();

/** How much slower this thread was than where bounds were chosen, by the yardstick before and after: 1 at the least. */
const slownessOf = (before: number, after: number): number => Math.max(1, Math.min(before, after) / YARDSTICK_MS);

/** Processor time in ms that this thread takes for `work`, as a thread does that has its core for itself, and the longest, in ms, for which it heard nothing else. */
export async function costOf<T>(work: () => Promise<T>): Promise<{ answer: T; cpu: number; block: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const yardBefore = yardstick();
  const before = process.threadCpuUsage();
  delay.enable();
  const answer = await work();
  delay.disable();
  const { user, system } = process.threadCpuUsage(before);
  return { answer, cpu: (user + system) / 1000 / slownessOf(yardBefore, yardstick()), block: delay.max / 1e6 };
}

/** A turn of the event loop: when it began and ended, and the processor time in ms of this thread in it. */
type Turn = { from: number; to: number; cpu: number };
/** A collection of garbage, for which this thread stood still. */
type Collection = { from: number; to: number };

/**
 * The longest turn, in ms of processor time, without its share of collections: when one comes, and what other work's rows it moves, chance decides, and on a machine with
 * little room each takes many times as long. What a piece of work may keep in memory is tested by that.
 */
function longestOf(turns: readonly Turn[], collections: readonly Collection[]): number {
  let longest = 0;
  for (const { from, to, cpu } of turns) {
    let collected = 0;
    for (const each of collections) collected += Math.max(0, Math.min(to, each.to) - Math.max(from, each.from));
    // Of a turn that was short by the clock, the thread counts what an earlier one took.
    const worked = to > from ? Math.min(cpu, to - from) * Math.max(0, 1 - collected / (to - from)) : 0;
    longest = Math.max(longest, worked);
  }
  return longest;
}

/**
 * The longest turn of the event loop, in ms of processor time, while this thread does `work`: for so long it heard nothing else. Done again until that is below `bound`,
 * `RUNS` times at most, and the shortest counts: a program is compiled meanwhile. Time in which memory is collected doesn't count (`longestOf`). `before` each run, what
 * doesn't count is done. A thread that is slower than `YARDSTICK_MS` says, before and after the run, is given so much more time: the same work is measured, not what
 * else the machine does.
 */
export async function longestTurnOf(
  bound: number,
  given: (() => Promise<unknown>) | { before: () => Promise<unknown>; work: () => Promise<unknown> },
): Promise<number> {
  const { before: prepare, work } = typeof given === 'function' ? { before: () => Promise.resolve(), work: given } : given;
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && best >= bound; run++) {
    await prepare();
    const turns: Turn[] = [];
    const collections: Collection[] = [];
    const observer = new PerformanceObserver(list => note(list.getEntries()));
    const note = (entries: readonly PerformanceEntry[]): void => {
      for (const { startTime, duration } of entries) collections.push({ from: startTime, to: startTime + duration });
    };
    observer.observe({ entryTypes: ['gc'] });
    const yardBefore = yardstick();
    let before = processorNow();
    let from = performance.now();
    let next: NodeJS.Immediate | undefined;
    const look = (): void => {
      const now = processorNow();
      const to = performance.now();
      turns.push({ from, to, cpu: now - before });
      before = now;
      from = to;
      next = setImmediate(look);
    };
    next = setImmediate(look);
    await work();
    clearImmediate(next);
    const slowness = slownessOf(yardBefore, yardstick());
    note(observer.takeRecords());
    observer.disconnect();
    best = Math.min(best, longestOf(turns, collections) / slowness);
  }
  if (figures !== undefined)
    appendFileSync(figures, `${JSON.stringify({ test: expect.getState().currentTestName, bound, longest: best })}\n`);
  return best;
}
